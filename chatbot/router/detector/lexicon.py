"""Words that tell the classes apart, as folded stems: a word belongs to a group by its start."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

_GROUPS: Mapping[str, str] = MappingProxyType({
    "weather": (
        "pogod pogod prognoz temperatur stopni stopien deszcz opad snieg sniez mroz mrozn upal "
        "burz burzow wiatr wieje wiac wialo wichur pada padac padal popada leje lac grad mgl mzy "
        "mzaw slonc slonecz pochmurn zachmurz przymroz golole wilgotn cisnien parasol termometr "
        "aura aure cieplo cieplej zimno zimniej goraco slisk przejasn ocieple ochlodz zmokn "
        "zmarzn meteo przelotn sypie grzmi termicz celsjusz plucha"
    ),
    "maths": (
        "calk scalk pochodn zroznicz granic rownan nierown uklad wyznacznik macierz pierwiast "
        "poteg kwadrat szescian silni logarytm sinus cosinus kosinus tangens procent iloczyn "
        "iloraz roznic suma sume sumy dodaj dodac odejm odjac pomnoz mnozy mnozon razy podziel "
        "dziel plus minus nwd nww wielokrotn dzielnik czynnik uprosc rozwin wymnoz rozloz reszt "
        "modulo sredni median wielomian ulamk ulamek wynik oblicz policz wylicz rozwiaz zsumuj "
        "kalkulator polow cwierc dwumian kombinacj wariancj odchyl promien przekatn pole obwod "
        "objetosc delta zerow wartosc liczb liczba rachun przeciwprostokatn"
    ),
    "creative": (
        "wiersz wierszyk fraszk limeryk sonet rymowank piosenk haiku ballad kolysank bajk basn "
        "opowiad nowel anegdot legend dowcip kawal zart suchar wypracow esej felieton dialog "
        "scenariusz list maila mail email e-mail wiadomosc post tweet recenzj zyczen zaprosz "
        "podzieko toast przemow rozprawk referat slogan haslo zagadk quiz epigramat ode oda wpis "
        "artykul historyjk"
    ),
    "write": (
        "napisz uloz wymysl skomponuj zredaguj dokoncz przeredaguj sparafrazuj streszcz stresc "
        "podsumuj"
    ),
    "draw": (
        "narysuj namaluj naszkicuj wygeneruj zilustruj rysuj maluj wizualiz zwizualiz narysow "
        "namalow wygenerow naszkicow stworz utworz zaprojektuj"
    ),
    "picture": (
        "obraz obrazek obrazk zdjeci grafik ilustracj rysunek rysunk fotografi plakat tapet logo "
        "ikon awatar portret pejzaz kolorowank wizualizacj komiks okladk pocztowk mem"
    ),
    "code": (
        "kod kodu python java javascript sql funkcj skrypt program excel bash html css petl klas "
        "algorytm git commit wyjat regex api csv"
    ),
    "translate": (
        "przetlumacz tlumacz przeloz angielsk niemieck francusk hiszpansk wlosk rosyjsk ukrainsk"
    ),
    "opinion": (
        "sadzisz myslisz uwazasz opini zdanie wolisz lepsz polec polecasz doradz poradz poradzic "
        "warto powinienem powinnam"
    ),
    "wiki": "wikiped wiki encyklop hasl definicj zyciorys biografi",
    "fact": (
        "urodzil zmarl umarl zginal wybuchl odkry wynalaz wynalez napisal namalowal skomponowal "
        "zalozy stolic mieszkanc ludnosc powierzchni prezydent krol premier bitw powstan wojn "
        "polega oznacza znaczy slynie rok roku wiek wieku histori panowal rzadzil autor"
    ),
    "greeting": "czesc hej witaj witam dzien dobry siema dzieki dziekuj dobranoc elo hejka",
    "self": "jestes masz potrafisz umiesz lubisz mozesz tobie ciebie twoj twoim twoja tobą cie",
    "me": "mi mnie moj moja moje mam jestem mojego moim moją",
    "text": "tekst zdani akapit fragment artykul ponizsz nastepujac powyzsz",
    "day": (
        "dzis jutr pojutrz sobot niedziel poniedzial wtor srod czwart piatek piatk weekend "
        "wieczor rano nocy"
    ),
})
_SHORT = 4


def _by_stem() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group, stems in _GROUPS.items():
        for stem in stems.split():
            found.setdefault(stem, set()).add(group)
    return MappingProxyType({stem: frozenset(groups) for stem, groups in found.items()})


_STEMS = _by_stem()


@lru_cache(maxsize=16_384)
def groups_of(word: str) -> frozenset[str]:
    """Return the groups that a folded word belongs to; stems under four letters match whole."""
    beginnings = (word[:size] for size in range(_SHORT, len(word)))
    return frozenset(
        group for stem in (word, *beginnings) for group in _STEMS.get(stem, frozenset())
    )
