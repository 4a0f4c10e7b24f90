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
    "past": (
        "wczoraj wczorajsz przedwczoraj zeszl ubiegl minion ostatnio dawniej niegdys wtedy kiedys "
        "rok temu archiwaln"
    ),
    "climate": (
        "zwykle zazwyczaj przecietn srednio klimat miesiac miesiacu lutym lipcu styczniu maju "
        "sierpniu czerwcu latem zima jesienia wiosna listopad"
    ),
    "clothes": (
        "kurtk czapk rekawicz szalik plaszcz parasol kalosz kozak trampk adidas sweter swetr futr "
        "bluz koszulk rekaw spodni sukien buty butow okular krem rajstop szort opon"
    ),
    "outdoors": (
        "pranie prania rower grill ognisk namiot piknik plaz biega biegn biegu spacer zagl zagiel "
        "grzyb wedk szlak wycieczk mecz trening maraton dzialk ogrod pedalow kajak motocykl "
        "zawody plener wesel slub balkon trawnik elewac plot"
    ),
    "air": "smog powietrz pylk pyli pylen alergi odplyw przyplyw lawin wyciag stok stoku karnet",
    "warning": "ostrzezen alert zachod wschod",
    "transport": (
        "pociag autobus tramwaj metro samolot prom lotnisk dworzec dworc przystan rozklad odjezdz "
        "nawig trase korki bilet"
    ),
    "shop": "rezerw zarezerw zamow kup hotel nocleg czynn otwart cennik repertuar allegro sklep",
    "currency": "kurs kantor walut euro dolar zlotowk frank funt koron hrywn jen jeny",
    "remind": "budzik minutnik przypomn kalendarz alarm stoper termin",
    "media": "muzyk piosenk puść radio spotify instagram facebook plyt film serial",
    "home": "wlacz wylacz zgas swiatlo zadzwon wyslij wydruk rolet ogrzewan",
    "sport": (
        "legia lech wisla widzew gol bramk tabel lig lidze druzyn kadra kadry reprezentac "
        "swiatek hurkacz lewandowsk wygral strzel wynik meczu"
    ),
    "units": (
        "mil mile mila cali cale stop funt uncj galon jard wezlow hektar kilometr centymetr gram "
        "litr lyzek lyzk szklan fahrenheit celsjusz mph rozmiar"
    ),
    "money": "kosztuj cena cene cen zlotych zl pln zaplac tani drog kredyt pensj zarab budzet",
    "bought": (
        "po sztuk kilo razem lacznie zostal zostalo wydal rabat przecen podwyzk vat brutto netto "
        "procent obnizk marz narzut odsetk lokat"
    ),
    "study": (
        "wytlumacz wyjasnij udowodnij wykaz uzasadnij dowod uczyc nauczyc naucz lekcj egzamin "
        "kolokwium matur zrozumiec rozumiem podrecznik wskazowk metod krok zapomnial"
    ),
    "why": "dlaczego czemu skad",
    "how": "jak",
    "edit": (
        "popraw skroc streszcz stresc sparafrazuj przeredaguj zredaguj wstaw przecink ortografi "
        "interpunkcj styl przerob zamien przepisz odpisz odpowiedz odmien synonim rym rymuj "
        "blad bled zdanie zdaniu slowo slowa"
    ),
    "photo": (
        "aparat obiektyw skaner selfie foto fotk fote obrob photoshop przytnij wytnij usun "
        "wyostrz rozjasnij powieksz"
    ),
    "medium": (
        "akwarel olej oleju linoryt drzeworyt pastel szkic kolaz fresk witraz mozaik olowk piork "
        "komiks pixel wektor render pejzaz portret natura graffiti mural karykatur plotn kredk "
        "weglem gwasz miedzioryt czarno-bial"
    ),
    "print": (
        "plakat logo loga ikon tapet okladk naklejk kolorowank awatar moodboard baner pocztowk "
        "zaprosz afisz szyld etykiet kartk tatuaz nadruk laurk"
    ),
    "vision": "zobrazuj wyczaruj machnij wyobraz wizj styl stylu klimacie tle kadr barw kolor",
    "found": "znajdz poszukaj wyszukaj internecie sieci necie google gotow prawdziw archiwaln",
    "body": (
        "boli glowa brzuch kolan gardl katar kasz goraczk lekarz lekarstw tabletk chor zdrow "
        "sen spac zmecz stres"
    ),
    "food": (
        "przepis ugotow upiec piec sernik bigos pierog zup obiad kolacj sniadan ciast kurczak "
        "makaron ziemniak jajk maslo smaku lodowc"
    ),
    "people": (
        "mama mamy tata babci dziadek dziadk syn corka maz zona siostr brat tesciow szef kolega "
        "kolezank sasiad chlopak dziewczyn dziecko dzieci"
    ),
    "emotion": (
        "smutn szczesliw boje lekam nudz ciesz wkurz zlosc placz samotn kocham nienawidz lubie "
        "uwielbiam przykro tesknie denerwuj"
    ),
    "geometry": (
        "prostokat trojkat kolo kola kuli kula walec stozek szescian okrag bok boki boku promien "
        "srednic przekatn obwod metrow kwadratow dzialka"
    ),
    "wish": "prosze poprosze chce chcial potrzebuj potrzebn przyda wolalbym wole zalezy prosic",
    "negation": "nie bez zadnych zadnego zamiast nigdy ani nic",
    "instead": "tylko zamiast jednak raczej lepiej niewazne pomin ignoruj",
    "injected": (
        "zignoruj ignore system asystencie polecen instrukcj prompt prompty forget previous "
        "wiadomosc sms maila mail cytuj wklej wkleil"
    ),
    "program": "aplikacj apka apke program strona stron telefon komputer drukark excel arkusz",
    "dwell": "mieszka mieszkanc ludnosc herb zalozon rzeka rzeki wojewodztw stolic polozon",
})
_SHORT = 4  # letters from which a beginning counts


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
