"""Read what a picture should show, in its base form and without losing a word."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.morphology import Case, morphology
from chatbot.language.names import lemmatise
from chatbot.router.detector.framing import strip_closing, strip_opening
from chatbot.router.detector.spans import compose, fold_evenly, split_words

_MAKE = (
    r"(?:wygeneruj\w*|wygenerowac|generuj|stworz\w*|utworz\w*|zrob\w*|przygotuj\w*|"
    r"narysuj\w*|narysowac|namaluj\w*|namalowac|naszkicuj\w*|naszkicowac|rysuj|maluj|wymaluj|"
    r"zilustruj|zwizualizuj|wizualizuj|przedstaw|zaprojektuj\w*|zaprojektowac|wyczaruj|machn\w+|"
    r"pokaz|pokazac|daj|wymysl|"
    r"poprosze(?: o)?|prosze o|chce(?: zobaczyc| dostac| miec)?|"
    r"chcial(?:bym|abym)(?: zobaczyc| dostac| miec)?|"
    r"potrzebuje|potrzebn[ya](?: mi)?(?: jest)?|przydal(?:by|aby)(?: mi)? sie|zobaczyc|dostac)"
)
_FOR_ME = (
    r"(?:(?:mi|nam|dla mnie|prosze|teraz|szybko|moze|jakis|jakas|jakies|taki|taka|takie|jeden|"
    r"jedna|graficznie|na obrazku|na rysunku) )*"
)
_PLAIN = (
    r"(?:obraz(?:ek|ka|ki|kow|u|y)?|grafik[aiey]?|ilustracj[aei]|zdjeci[ea]|"
    r"rysun(?:ek|ku|ki|kow)|fotografi[aei]|fotk[aei]|obrazow)"
)
_START = re.compile(rf"^(?:{_FOR_ME})?(?:{_MAKE} )+{_FOR_ME}(?:{_MAKE} )?{_FOR_ME}")
_WORDS = re.compile(rf"(?:^|(?<=[\s,.?!–-]))(?:{_MAKE})(?= )")
_LATE = re.compile(r"\s*[,–-]+\s*(?:narysuj|namaluj|wygeneruj|zrob)(?: (?:mi|to|obraz\w*))*$")
_OTHER = re.compile(
    r"(?:(?:wy)?generuj|stworz|utworz|zrob|przygotuj)\w* (?:mi |nam |prosze |nowe |nowa |nowy )*"
    r"(?:hasl[oa]|list[eay]|plan|harmonogram|tekst|kod(?! qr)|skrypt|program|funkcj[ea]|"
    r"e?-?maila?|raport|cv|prezentacj[ea]|quiz|test|pytani[ea]|zdani[ea]|nazw[ey]|kaw[ey]|"
    r"herbat[ey]|obiad|sniadanie|kolacj[ea]|kanapk[aei]|ciasto|zakupy|liczb[aey]|uuid|json\w*|"
    r"csv|xml)\b"
)
_START_ALONE = re.compile(rf"^{_MAKE}\s*(?:[:,–-]\s*|$)")
_NOUN = re.compile(rf"^{_PLAIN}(?=[\s:,–-]|$)")
_SHOWING = re.compile(r"^\s*,?\s*(?:przedstawiaj|pokazuj|ukazuj|obrazuj|prezentuj)\w+\s+")
_WHERE = re.compile(
    r"^\s*,?\s*(?:na|w) (?:ktorym|ktorej|ktorych)\s+"
    r"(?:(?:jest|sa|bedzie|beda|widac|widoczn\w+ (?:jest|sa)|znajduj[ea] sie|znajdzie sie|"
    r"pojawia sie|wystepuj[ea])\s+)?"
)
_COLON = re.compile(r"^\s*[:–—-]\s*")
_WITH = re.compile(r"^\s*ze? ")
_PREPOSITIONS = re.compile(r"^\s*(?:w|we|na|dla|do|o|pod|nad|jak|przy|od|po) ")
_NOTHING = frozenset({"", "cos", "cokolwiek", "cos dla mnie", "co chcesz", "prosze"})
_OF_CASE: Mapping[str, Case] = MappingProxyType({"do": "gen", "przez": "acc", "przed": "inst"})


def read_description(prompt: str) -> str | None:
    """Return the description of the picture ("pies i kot"); ``None`` where it was not given."""
    text = strip_closing(compose(prompt))
    if late := _LATE.search(fold_evenly(text)):
        text = text[: late.start()]
    rest = _after_request(text)
    noun = _NOUN.match(fold_evenly(rest))
    found = _phrase(rest) if noun is None else _after_noun(rest, noun.end())
    return None if found is None or fold_evenly(found) in _NOTHING else found


def asks_for_other(prompt: str) -> bool:
    """Whether what shall be made is plainly no picture: "wygeneruj hasło", "zrób mi kawę"."""
    return _OTHER.match(fold_evenly(strip_opening(prompt.lstrip()))) is not None


def _after_request(text: str) -> str:
    for opened in dict.fromkeys((text, strip_opening(text))):
        folded = fold_evenly(opened) + " "
        for start in (_START_ALONE, _START):
            if (found := start.match(folded)) is not None:
                return opened[found.end() :]
    if (within := _WORDS.search(fold_evenly(text))) and within.start() > 0:
        return _after_request(text[within.start() :])
    return strip_opening(text) if _NOUN.match(fold_evenly(strip_opening(text))) else text


def _after_noun(text: str, end: int) -> str | None:
    noun, rest = text[:end], text[end:]
    folded = fold_evenly(rest)
    if showing := _SHOWING.match(folded):
        return _turn(rest[showing.end() :], "przez")
    if told := _WHERE.match(folded) or _COLON.match(folded):
        return rest[told.end() :].strip()
    if (with_ := _WITH.match(folded)) and _has_case(rest[with_.end() :], "inst"):
        return _turn(rest[with_.end() :], "przed")
    if _PREPOSITIONS.match(folded) or rest.lstrip().startswith(","):
        return f"{lemmatise(noun, preposition='przez')}{rest}".strip()
    return _turn(rest, "do") or None


def _phrase(text: str) -> str | None:
    """Bring what follows "narysuj" to its base form; a clause stays as it is."""
    bare = _COLON.sub("", text).strip(" .!?,")
    if re.match(r"(?:jak|ze|gdy|to|ten|moj)\b", fold_evenly(bare)):
        return re.sub(r"^jak\s+", "", bare) or None
    return _turn(bare, "przez")


def _turn(phrase: str, preposition: str) -> str:
    """Turn a phrase, and each part of a list, into the nominative where its case is certain."""
    parts = re.split(r"(,\s+(?:a\s+obok\s+|oraz\s+|i\s+)?)", phrase.strip(" .!?"))
    turned = [
        part if at % 2 or not _has_case(part, _OF_CASE[preposition]) else _safely(part, preposition)
        for at, part in enumerate(parts)
    ]
    return "".join(turned)


def _safely(part: str, preposition: str) -> str:
    found = lemmatise(part, kind="topic", preposition=preposition)
    if len(found.split()) != len(part.split()):
        return part
    found = _agree(part, found)
    if part[:1].islower() and found[:1].isupper():
        found = found[:1].lower() + found[1:]
    return found


def _agree(part: str, found: str) -> str:
    """Let a participle far behind its noun follow it: "żyrafa w szaliku jedząca lody"."""
    if part == found:
        return found
    is_feminine = found.split(maxsplit=1)[0].endswith("a")
    ending, new = ("ącą", "ąca") if is_feminine else ("ącego", "ący")
    return re.sub(rf"(?<=\w){ending}\b", new, found, count=1)


def _has_case(phrase: str, case: Case) -> bool:
    """Whether the first word that declines can stand in this case."""
    words = split_words(phrase)
    if not words:
        return False
    readings = morphology().readings(words[0].text)
    return not readings or any(case in reading.cases for reading in readings)
