"""Read several calculations with one operand: "NWD i NWW liczb 36 i 90"."""

import re
from collections.abc import Iterator

from chatbot.router.detector.formulas.reading import Reading, read_formula
from chatbot.router.detector.spans import fold_evenly

_NOUN = (
    r"(?:nwd|nww|sum[aeęy]|iloczyn\w*|roznic\w+|iloraz\w*|pochodn\w+|calk\w+(?: nieoznaczon\w+)?|"
    r"sredni\w+|median\w+|pole|obwod|wyznacznik\w*|slad|dzielniki|silni\w+)"
)
_AND = r"(?: i|,? oraz|,? a takze|,? a potem(?: jeszcze)?)"
_JOINED = re.compile(rf"\b({_NOUN}){_AND} ({_NOUN}) (?=\S)")
_BEHIND = re.compile(
    rf"^\W*(?:dla|z|ze) (\S[^,]{{0,60}}?),? (?:potrzebuj\w+|podaj|policz|oblicz|wyznacz|znajdz|"
    rf"chce) (?:mi )?({_NOUN}){_AND} (?:jeszcze )?({_NOUN})"
)
_OF = r"(?:liczb\w* |macierzy |funkcji |z )?"
_AGAIN = re.compile(
    rf"\b({_NOUN}) ({_OF})([^,;?]{{1,60}}),? (?:a takze|oraz|a potem|i jeszcze) {_OF}"
    r"(?=[\d(\[])([^,;?]{1,60})$"
)
_ENDED = re.compile(r"=\s*\?\s+(?:a |i |oraz )?(?=\S)|\?\s+(?:a |i |oraz )(?=\S)")
_MOST = 4


def read_formulas(prompt: str) -> tuple[Reading, ...]:
    """Return all formulas of a prompt.

    There are several where two things are asked of one operand, one thing of two operands, or
    where each ends in "= ?"; else it is the one of `read_formula`, or none.
    """
    readings = [read_formula(part) for part in _parts(prompt)]
    found = [reading for reading in readings if reading is not None]
    if len(found) > 1 and len(found) == len(readings):
        return tuple(found)
    alone = read_formula(prompt)
    return () if alone is None else (alone,)


def _parts(prompt: str) -> Iterator[str]:
    """The questions that the prompt asks when its operand or its operation is said once."""
    folded = fold_evenly(prompt).rstrip(" .?!")
    if behind := _BEHIND.search(folded):
        operand = prompt[behind.start(1) : behind.end(1)]
        yield f"{behind[2]} {operand}"
        yield f"{behind[3]} {operand}"
    elif joined := _JOINED.search(folded):
        operand = prompt[joined.end() : len(folded)]
        yield f"{joined[1]} {operand}"
        yield f"{joined[2]} {operand}"
    elif again := _AGAIN.search(folded):
        between = again[2] or ""
        yield f"{again[1]} {between}{prompt[again.start(3) : again.end(3)]}"
        yield f"{again[1]} {between}{prompt[again.start(4) : again.end(4)]}"
    else:
        parts = _ENDED.split(prompt)
        yield from parts if len(parts) <= _MOST else ()
