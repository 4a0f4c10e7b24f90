"""Cut a prompt into the requests it may hold: "jaka pogoda w Łodzi i ile to 2+2?"."""

import re
from collections.abc import Iterable, Iterator

from chatbot.router.detector.framing import strip_opening
from chatbot.router.detector.spans import fold_evenly

MOST = 6

_ASKING = (
    r"(?:jak[aiey]?|ile|kim|kto|co|czym|kiedy|gdzie|czy|oblicz|policz|rozwiaz|narysuj|namaluj|"
    r"wygeneruj|stworz|sprawdz|podaj|powiedz|opowiedz|znajdz|wyszukaj|pokaz|napisz|ilu|"
    r"w ktorym|na czym|naszkicuj|prognoz[aeę])"
)
_BREAK = re.compile(
    rf"(?<=[?!;])\s+(?=\S)|(?<=[^\W\d]{{3}}\.)\s+(?=\S)"
    rf"|,?\s+(?:oraz|i|a|a takze|a potem|i jeszcze|i przy okazji|potem|nastepnie)"
    rf"(?:\s+(?:jeszcze|potem|tez|przy okazji|takze))?\s+(?={_ASKING}\b)"
    rf"|,\s+(?={_ASKING}\b)"
)


def split_clauses(prompt: str) -> tuple[str, ...]:
    """Return the parts that could be requests of their own, in order; at least the whole."""
    folded = fold_evenly(prompt)
    parts: list[str] = []
    start = 0
    for found in _BREAK.finditer(folded):
        parts.append(prompt[start : found.start()])
        start = found.end()
    parts.append(prompt[start:])
    return tuple(_merged(part.strip(" ,") for part in parts if part.strip(" ,.?!")))[:MOST]


def _merged(parts: Iterable[str]) -> Iterator[str]:
    """Join a polite beginning ("Chciałabym wiedzieć") to the request after it."""
    before = ""
    for part in parts:
        whole = f"{before}, {part}" if before else part
        is_polite = len(strip_opening(part).split()) <= 1
        before = whole if is_polite else ""
        if not is_polite:
            yield whole
    if before:
        yield before
