"""Tell what looks like a request for a picture and is one for words, code, or something else."""

from chatbot.language.patterns import regex
from chatbot.router.detector.corrections import CORRECTION
from chatbot.router.detector.framing import strip_opening
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.picture.requests import ASKED, QUOTED
from chatbot.router.detector.spans import fold_evenly

_OTHER = regex(
    r"(?:(?:wy)?generuj|stworz|utworz|zrob|przygotuj|zaprojektuj|pokaz)\w* "
    r"(?:mi |nam |prosze |nowe |nowa |nowy |mocn\w+ )*"
    r"(?:hasl[oa]|list[eay]|plan|harmonogram|tekst|kod(?! qr)|skrypt|program|funkcj[ea]|"
    r"e?-?maila?|raport|cv|prezentacj[ea]|quiz|test|pytani[ea]|zdani[ea]|nazw[ey]|kaw[ey]|"
    r"herbat[ey]|obiad|sniadanie|kolacj[ea]|kanapk[aei]|ciasto|zakupy|liczb[aey]|uuid|json\w*|"
    r"csv|xml|imion\w*|klucz\w* (?:ssh|api|gpg|szyfr\w*)|cytat\w*|regulamin\w*|bajk[eai]|"
    r"wiersz\w*|opis\w*|ogloszeni[ea]|streszczeni[ea]|umow[ey]|ankiet[ey]|jadlospis\w*|"
    r"obliczeni[ae])\b|"
    r"zaprojektuj\w* (?:mi |nam |prosze )*(?:tras[eya]|gre|trening\w*|menu|kampani[ea]|eksperyment|"
    r"logik[ea]|lekcj[ea]|warsztat\w*|zajeci[ae]|kurs|system|baz[ea]|architektur[ea]|api|proces|"
    r"strategi[ea]|wycieczk[ea]|zabaw[ea])\b"
)
_WORKED_ON = regex(
    r"(?:opisz|opisac|skomentuj|ocen|podpisz|zatytuluj|nazwij|zinterpretuj|przeanalizuj|omow|"
    r"zrecenzuj|wycen|porownaj|scharakteryzuj|podaj|wymien|opowiedz|pomoz(?: mi)? nazwac|ile)"
    r"(?:cie)?\b"
    rf"(?!\W*:)(?: (?!i\b|a\b)\w+){{0,4}}? {MEDIUM}\b"
)
"""A picture that is there, or is imagined, is described or judged: "oceń to logo"."""

_IN_WORDS = regex(
    r"^(?!.*\b(?:(?:nie|zamiast) opis\w+|bez opisu)\b).*\b(?:(?<!nie )slow(?:em|ami)|anegdota|"
    r"przykladem|znakami|tekstowo|w ascii|"
    r"w (?:\w+ )?(?:punktach|akapi\w+|zdani\w+|opowiadaniu|wierszu|tabelce|tabeli|"
    r"mermaid\w*|plantuml|tikz\w*|latex\w*)|na (?:przykladzie|przykladach|zadaniu))\b"
)
"""What shall be drawn in words, as a list or as code."""

_ABSTRACT = regex(
    r"\b(?:szkic|zarys|projekt)\w{0,2} (?:rozprawk|referat|maila?\b|mejl|przemow|artykul|"
    r"wystapieni|list(?:u|ow)\b|umow|wypracowan|esej|prezentacj|felieton|powiesci|scenariusz|"
    r"wniosk|pism|ustaw|strategi)|"
    r"\b(?:obraz|portret|krajobraz|wizerun|pejzaz|map|ilustracj)\w{0,4} (?:\w+ )?"
    r"(?:sytuacj|problem|pokoleni|psychologiczn|kliniczn|politycz|literack|gospodarcz|spoleczn|"
    r"zjawisk|drogow\w+ (?:wdroz|projekt|produkt))|"
    r"\bobraz\w{0,3} (?:\w+ ){1,2}w (?:literaturze|tworczosci|powiesci|poezji|lekturze)|"
    r"\b(?:drzew|drzewk|struktur)\w{0,2} (?:\w+ )?(?:katalog|folder|plik|decyzyj)|"
    r"\b(?:perspektyw|kierunk|sciezk)\w{0,2} (?:rozwoju|kariery)\b"
)
"""Drafts of texts, and things that are only called a picture."""

_MENTIONED = regex(rf"(?:moj\w* |to |te |ten |ta )?{MEDIUM}\b(?!\s*:)(?P<said>[^:]+)$")
_QUESTION = regex(
    r"\b(?:czym|ile|dlaczego|czemu|skad|kiedy|czy)\b|"
    r"\bgdzie (?:tani\w*|kup\w+|mozna|znale\w+|dosta\w+)\b|"
    r"\b(?:naprawde|trudno|latwo|legaln\w+|dobr\w+ dla|modn\w+)\b[^?]*\?|"
    r"\b(?:mi|sie) (?:znik\w+|zepsul\w*|nie \w+|miga|odkleja\w*|wylacz\w*|zacina|rozmaz\w+)|"
    r"\bsie (?:odkleja|psuj|zacina|rozmaz)\w*|"
    r", (?:opis(?: \w+)?|zasady|tresc|fabula|pomysly|przyklady|pomocy|jak \w+c)\W*$"
)
_DOING = regex(
    r"^(?:\w+ )?(?:rysuje|maluje|projektuje|robie|robimy|szkicuje|przygotowuje|tworze|"
    r"narysowal[ae]m|namalowal[ae]m|zaprojektowal[ae]m|zrobil[ae]m)\b"
)
_HELP = regex(
    r"\b(?:podrzuc|podpowiedz|doradz|poradz|zaproponuj|wymysl|napisz|poprawi?|jak\w{0,3}|ile|czym|"
    r"co|gdzie|ktor\w+|czy)\b"
)
_FOUND = regex(r"^\W*(?:[^\W\d_]+ ){1,4}(?:zdjęci|fot)\w+ (?:[A-ZĆŁŚŹŻ][^\W\d_]+ ?){1,3}[.?! ]*$")
"""A photograph of somebody or something with a name, and nothing else: it is there to be found."""

_IMAGINED = regex(r"wyobraz sobie\b[^?]*[.!,] *(?:jak by|co by|dlaczego|kim|gdzie|czy)\b[^?]*\?")
_GENERATED = regex(r"\b(?:\w*generuj|stworz|utworz|narysuj|namaluj|zrob|wyczaruj)")
_LOOKS = regex(r"wyglada")


def asks_for_other(prompt: str) -> bool:
    """Whether what shall be made is plainly no picture: "wygeneruj hasło", "oceń to logo"."""
    said = fold_evenly(strip_opening(prompt.lstrip()))
    if CORRECTION.search(said):
        return False
    bare = QUOTED.sub(" ", said)
    if _OTHER.match(said) or _is_imagined(bare):
        return True
    if _FOUND.match(prompt) and not _GENERATED.search(said):
        return True
    is_asked = ASKED.search(bare) is not None
    if _WORKED_ON.match(bare) and not is_asked:
        return True
    if _IN_WORDS.search(bare) or _ABSTRACT.search(bare):
        return True
    return not is_asked and _only_mentions(bare)


def _only_mentions(said: str) -> bool:
    """Whether pictures are only asked or told about: "kolorowanki naprawdę pomagają?"."""
    mentioned = _MENTIONED.match(said)
    if mentioned is not None:
        return _QUESTION.search(mentioned["said"]) is not None
    doing = _DOING.match(said)
    return doing is not None and _HELP.search(said[doing.end() :]) is not None


def _is_imagined(said: str) -> bool:
    found = _IMAGINED.match(said)
    return found is not None and _LOOKS.search(found[0]) is None
