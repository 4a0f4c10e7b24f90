"""Tell that a prompt which looks like none of the tools asks for a fact of an encyclopaedia."""

from chatbot.language.patterns import regex
from chatbot.router.detector.framing import is_on_text
from chatbot.router.detector.spans import fold_evenly, split_words

_LIKELY = 0.35
_WORTH_READING = 0.05
_LONGEST = 18  # words
_PERSONAL = regex(
    r"\b(?:ja|mam|mnie|nasz\w*|moj\w*|moim|moich|jestem|bede|chce|mozemy|u was|u ciebie|twoj\w*|"
    r"tob[ai]e?|lubisz|wolisz|widzial[ea]s|myslisz|uwazasz|sadzisz|wedlug ciebie|jestes|"
    r"\w+s(?:my|cie)|\w{2,}(?:l[ae]m|l[ae]s))\b"
)
"""Who asks speaks of himself or of us."""

_EVERYDAY = regex(
    r"\b(?:mozna|trzeba|nalezy|powinn\w+|uzyc|kroi|wifi|robic|zrobic|zrob|kupic|"
    r"dzis\w*|teraz|jutro|wczoraj|now(?:ego|osci)|wiadomosci|naj(?:lepsz|ladniejsz|fajniejsz)\w*|"
    r"lepsz\w*|ladniejsz\w*|gorsz\w*|kawal|dowcip|zart\w*|rym\w*|poradz\w*|pomoz|gdyby\w*|"
    r"polec\w*|porown\w*|stresc\w*|napisz|uloz|wymysl|przetlumacz|zaproponuj|haslo na|"
    r"pisownia|pisze sie|po (?:angielsku|niemiecku|francusku)|roznic\w*|rozni\w*|cen[ay]|"
    r"kosztuj\w*|zl|zloty\w*|kalori\w*|gotuj\w*|gotowac|piec|smaz\w*|hodowac|sadzic|wyczyscic|"
    r"usunac|przepis\w*|pierwszy dzien|kod\w*|petl[aei]|python\w*|javascript|excel\w*|"
    r"narysuj|namaluj|pokoloruj|obrazek|rysun\w+|zdjeci\w+)\b|"
    r"\b(?:ten|ta|te|tego|tej|tym) \w+\W*$"
)
"""Advice, opinions, news, prices, writing, code and pictures; what is only pointed at."""

_ASKED = regex(
    r"^\W*(?:(?:a|no|hej|siema|i|to|powiedz(?: mi)?|objasnij|wyjasnij|przypomnij|wskaz|podaj)"
    r"[, ]+)*"
    r"(?:(?:za|po|na|przez|do|w|we|z|ze|od|dla|pod|o|u) )?"
    r"(?:kto|kogo|komu|kim|co|czego|czym|kiedy|gdzie|skad|ile|ilu|jak|jak[aie]\w*|ktor\w+|czyj\w*|"
    r"po co|wymien|opisz|wynik\w*|rodzina|numer|rok|data|polozenie|przedstaw)\b"
)
_WHO_THEN = regex(r"\bto (?:kto|co)(?: byl\w?)?(?:,|\W*$)")
_OF_LIFE = (
    r"(?:moze )?(?:zyc|zyje|zyja|wazy|waza|wazyc|mierzy|mierza|biega\w?|biegac|osiaga\w?|rosnie|"
    r"rosna)"
)
_ANIMAL = regex(
    r"^\W*(?:(?:do |po )?ile|jak (?:dlugo|szybko|wysoko|gleboko))\b(?!.*\bsie\b).{0,25} ?"
    rf"{_OF_LIFE}\b"
)
"""How long, heavy or fast something alive is."""

_PLAIN = regex(
    r"^\W*(?:na co (?:sie )?(?:bierze|stosuje|pomaga|dziala)|"
    r"do czego (?:sie )?(?:sluz\w+|uzywa\w*|wykorzyst\w+|stosuje)|jak (?:sie )?wykorzystuje|"
    r"po co (?:\w+ )?(?:budowano|powolano|wynaleziono)|na ile \w+ dzieli|"
    r"przez (?:jakie|ktore) \w+ (?:biegnie|przeplywa|plynie|przebiega)|komu podleg\w+|"
    r"jaka funkcje pelni|co wchodzi w sklad (?:ukladu|grupy|zespolu|rodziny|rzedu)|"
    r"co oznacza (?:termin|pojecie)|jak\w+ (?:pierwiastki|jezyki|witaminy|metale) (?:sa|naleza)|"
    r"za pomoca (?:czego|jakiego)|po czym (?:sie )?pozna(?:c|je)|"
    r"w jaki sposob (?:lataj\w|oddychaj\w|rozmnaza\w+|poluj\w)|"
    r"jaki (?:lek|ptak|grzyb|kwiat|krzew) to|jakie (?:ziele|drzewo|zwierze) to|"
    r"jak brzmi (?:pelne|prawdziwe) (?:imie|nazwisko)|"
    r"czyj\w* (?:wiersz|obraz|utwor|dzielo|powiesc|piosenka)|"
    r"o czym (?:opowiada|jest|mowi) [„\"]|za ile (?:\w+ )?sprzedan?o|jaki klimat panuje|"
    r"ilu \w+ (?:tworzy\w*|liczy\w*|ma|mial[ao]?)|ile (?:sylab|strun|zebow|nog|oczu|serc|"
    r"skrzydel|zeber|kregow|platkow|klawiszy|pol|wersow) (?:ma|maja|liczy|gra)|jak sie gra w|"
    r"jak wyglada obrzed|stan skupienia|polozenie|urodziny|zastosowanie|"
    r"wyniki? (?:plebiscytu|referendum|wyborow|bitwy|powstania))\b"
)
"""Questions about facts in words that advice is not asked in."""

_LOOK = regex(
    r"(?:[?.!,;] (?:\w+ )?(?:hasl[oa]|szukaj(?: pod)?|popatrz pod|sprawdz)[: ]+[„\"]?|"
    r"^\W*(?:przejrzyj|pokaz|daj|otworz|przeczytaj)(?: mi)? (?:artykul\w*|notke|haslo) "
    r"(?:o |[„\"]))"
    r"(?!czy\b|jak\b|kiedy\b|co\b|mi\b|na\b|do\b|poczt|mail|kalendarz|pogod|rozklad|prosze|kurs)"
    r"\w[\w -]{2,40}[”\"]?(?: ?\(\w+\))?[.!?]*$"
)
_LEAST = 0.01
_CONSULTED = regex(
    r"\b(?:rzuc\w* (?:\w+ )?okiem|zerknij|zajrzyj|zobacz|sprawdz|poszukaj|wyszukaj|odszukaj|znajdz|"
    r"otworz|popatrz|spojrz)\b[^.?!]{0,30}\b(?:wikipedi\w+|wiki|encyklopedi\w+)\b|"
    r"^\W*(?:english|german|french|[a-z]{2}[. ])\W?wiki\w*(?:\.org)?\b(?: please)? ?[:,→>–-]"
)
_STILL = regex(
    r"^\W*(?:a |no )?(?:czy )?\w[\w -]{2,30} to (?:jeszcze|nadal|wciaz|dalej|juz|tez) (?=\w)"
)
"""To what a place belongs: "Samarkanda to nadal Kazachstan?"."""


def asks_article(prompt: str, share: float) -> bool:
    """Whether a prompt asks for a fact, though no class is sure of it.

    Everyday advice, opinions and whatever the user tells of himself are none.

    Args:
        prompt: What the user wrote.
        share: How likely it is about an article, 0 to 1.
    """
    folded = fold_evenly(prompt)
    is_everyday = _PERSONAL.search(folded) or _EVERYDAY.search(folded)
    if share < _LEAST or is_everyday or is_on_text(prompt):
        return False
    still = _STILL.match(folded)
    if _LOOK.search(folded) or (still and prompt[still.end()].isupper()):
        return True
    if sum(word.text[0].isalnum() for word in split_words(prompt)) > _LONGEST:
        return False
    is_plain = _ANIMAL.search(folded) or _PLAIN.search(folded)
    if is_plain and share >= _WORTH_READING:
        return True
    is_asked = _ASKED.search(folded) or _WHO_THEN.search(folded)
    return share >= _LIKELY and is_asked is not None


def consults(prompt: str) -> bool:
    """Whether an encyclopaedia is named to look into: "Rzuć okiem w encyklopedii"."""
    return _CONSULTED.search(fold_evenly(prompt)) is not None
