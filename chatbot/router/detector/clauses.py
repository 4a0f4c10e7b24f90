"""Cut a prompt into the requests it may hold: "jaka pogoda w Łodzi i ile to 2+2?"."""

import re
from collections.abc import Iterable, Iterator, Sequence

from chatbot.router.detector.framing import strip_opening
from chatbot.router.detector.spans import fold_evenly

MOST = 6

_ASKING = (
    r"(?:jak[aiey]?|jaka|ile|kim|kto|kogo|co|czym|kiedy|gdzie|czy|oblicz|policz|rozwiaz|narysuj|"
    r"namaluj|wygeneruj|stworz|zrob|sprawdz|podaj|powiedz|opowiedz|znajdz|wyszukaj|pokaz|napisz|"
    r"ilu|w ktorym|w jakim|na czym|skad|naszkicuj|zaprojektuj|daj|dorzuc|prognoz[aeę]|pogod[aeę]|"
    r"temperatur[aeę]|rysun\w+|obraz\w*|grafik\w*|plakat|portret|haslo|notk[aeę]|pochodn[aą]|calk[aeę]|"
    r"silni[aeę]|pierwiastek|wyznacz|zsumuj|det|\d+ ?%)"
)
_JOINING = (
    r"oraz|i|a|a takze|a potem|a pozniej|a nastepnie|i jeszcze|i przy okazji|a przy okazji|potem|"
    r"nastepnie|no i|a obok|ponadto|poza tym|i krotko|przy okazji"
)
_BREAK = re.compile(
    rf"(?<=[?!;\n])\s*(?=\S)|(?<=[^\W\d]{{3}}\.)\s+(?=\S)|(?:^|(?<=\s))[1-6][.)]\s+(?=\S)"
    rf"|,?\s+(?:{_JOINING}):?(?:\s+(?:jeszcze|potem|tez|przy okazji|takze|w ogole)){{0,2}}"
    rf"\s+(?={_ASKING}(?!\w))"
    rf"|,\s+(?={_ASKING}(?!\w))|(?<=\d[.])\s+(?=(?:drugie|jeszcze|po drugie|{_ASKING})(?!\w))"
)
_SECOND = re.compile(
    r"^(?:i |a |oraz )?(?:jeszcze jedno|drugie pytanie|po drugie|po trzecie|druga sprawa|"
    r"przy okazji|potem|nastepnie|a obok|dodatkowo)[^:]{0,20}[:,]\s*"
)

_REQUEST = re.compile(rf"(?:^|[ ,:„])(?:{_ASKING}|\w+cie|popro\w+|prosze|chce|potrzebn\w+)(?!\w)")
_LOOKING = re.compile(
    r"(?:i |a )?(?:prosze )?(?:znajdz|wyszukaj|poszukaj|sprawdz|powiedz|zobacz)"
    r"(?: (?:mi|tez|prosze))?(?: (?:w|na) \w{2,20})?"
)
_CORRECTED = re.compile(
    r"\b(?:albo|chociaz|a|choc|wroc|oj|tfu|ech)[, ]+(?:jednak )?nie\b|\bzamiast tego\b|"
    r"\b(?:niewazne|pomylil\w+|pomylka|miala? byc|mialo byc|cofam)\b"
)
_REFUSED = re.compile(r"(?:ale |tylko |i |prosze )?(?:nie|bez|byle nie|zadn\w+|zamiast)\b")


def is_corrected(prompt: str) -> bool:
    """Whether the user takes back what stands first: only what holds in the end counts."""
    return _CORRECTED.search(fold_evenly(prompt)) is not None


def is_refused(clause: str) -> bool:
    """Whether a clause says what is not wanted."""
    return _REFUSED.match(fold_evenly(clause)) is not None


def are_alike(clauses: Sequence[str]) -> bool:
    """Whether clauses begin with the same question word: "kim była A, kim B"."""
    first = {fold_evenly(strip_opening(clause)).split(" ", 1)[0] for clause in clauses}
    return len(first) == 1


def is_request(clause: str) -> bool:
    """Whether a clause has a sign of asking: "Oleśnica, ta koło Wrocławia" has none."""
    return "?" in clause or _REQUEST.search(fold_evenly(clause)) is not None


def split_clauses(prompt: str) -> tuple[str, ...]:
    """Return the parts that could be requests of their own, in order; at least the whole."""
    folded = fold_evenly(prompt)
    parts: list[str] = []
    start = 0
    for found in _BREAK.finditer(folded):
        parts.append(prompt[start : found.start()])
        start = found.end()
    parts.append(prompt[start:])
    kept = (_plain(part) for part in parts if part.strip(" ,.?!\n"))
    return tuple(_merged(part for part in kept if part))[:MOST]


def _plain(part: str) -> str:
    """Take off what only says that another request follows: "Drugie pytanie: …"."""
    part = part.strip(" ,\n")
    found = _SECOND.match(fold_evenly(part))
    return part[found.end() :] if found else part


def _merged(parts: Iterable[str]) -> Iterator[str]:
    """Join a polite beginning ("Chciałabym wiedzieć") to the request after it."""
    before = ""
    for part in parts:
        whole = f"{before}, {part}" if before else part
        is_polite = len(strip_opening(part).split()) <= 1 or _LOOKING.fullmatch(fold_evenly(part))
        before = whole if is_polite else ""
        if not is_polite:
            yield whole
    if before:
        yield before
