"""Vectors, points and the lines through them."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_VECTOR = r"\( ?-? ?\d[\d., ;/-]{0,40}\)|\[ ?-? ?\d[\d., ;/-]{0,40}\]"
_VECTORS = Guarded(_VECTOR)
_POINT = regex(r"\( ?(-? ?\d+(?:\.\d+)?) ?[,;] ?(-? ?\d+(?:\.\d+)?) ?\)")
_LINE = Guarded(r"\brownani\w+ prostej|\bprost\w+ (?:przechodzac\w+ )?przez|\bwzor prostej")
_SLOPE = Guarded(r"\b(?:nachyleni|wspolczynnik\w* kierunkow)")
_BARS = r"(?:‖|\| ?\||\|)"
_NORM = regex(rf"{_BARS} ?[a-z] ?{_BARS}")
_ARROWS = Guarded(
    r"\bwektor|skalarn|\b[a-z] ?= ?[(\[]|\b(?:odlegl\w+|dlugosc odcinka) (?:\w+ ){0,2}punkt"
)


def read_vectors(statement: Statement) -> str | None:
    """Return what is asked of vectors, points or the line through two points."""
    words = statement.words
    if _LINE.search(words) or _SLOPE.search(words):
        return _read_line(words)
    return _read_vectors(words) if _ARROWS.search(words) else None


def _read_line(words: str) -> str | None:
    """Read "równanie prostej przez (2, -1) i (5, 8)": its right side, or its slope."""
    points = [(a.replace(" ", ""), b.replace(" ", "")) for a, b in _POINT.findall(words)]
    if len(points) != 2 or points[0][0] == points[1][0]:  # noqa: PLR2004 - two points
        return None
    (a, b), (c, d) = (tuple(map(signed, point)) for point in points)
    slope = f"({d} - {b})/({c} - {a})"
    return slope if _SLOPE.search(words) else f"{slope}*(x - {a}) + {b}"


def _read_vectors(words: str) -> str | None:
    """Read the length of a vector, and what two make."""
    vectors = [_components(found[0]) for found in _VECTORS.finditer(words)]
    is_length = re.search(r"\b(?:dlugosc|modul|norm)", words) or _NORM.search(words)
    if len(vectors) == 1 and is_length:
        return _length(vectors[0])
    if len(vectors) != 2 or len(vectors[0]) != len(vectors[1]):  # noqa: PLR2004 - a pair
        return None
    reader = next((make for said, make in _OF_TWO if said.search(words)), None)
    return None if reader is None else reader(*vectors)


def _length(vector: Sequence[str]) -> str:
    return f"sqrt({' + '.join(f'{signed(one)}**2' for one in vector)})"


def _distance(left: Sequence[str], right: Sequence[str]) -> str:
    squares = (f"({a} - {signed(b)})**2" for a, b in zip(left, right, strict=True))
    return f"sqrt({' + '.join(squares)})"


def _column(vector: Sequence[str]) -> str:
    return f"Matrix([{', '.join(vector)}])"


def _cross(left: Sequence[str], right: Sequence[str]) -> str:
    return f"cross({_column(left)}, {_column(right)})"


def _joined(left: Sequence[str], right: Sequence[str], sign: str) -> str:
    return f"{_column(left)} {sign} {_column(right)}"


def _dot(left: Sequence[str], right: Sequence[str]) -> str:
    return " + ".join(f"{signed(a)}*{signed(b)}" for a, b in zip(left, right, strict=True))


def _cosine(left: Sequence[str], right: Sequence[str]) -> str:
    """The cosine of the angle between two vectors."""
    return f"({_dot(left, right)})/({_length(left)}*{_length(right)})"


_OF_TWO: tuple[tuple[re.Pattern[str], Callable[[Sequence[str], Sequence[str]], str]], ...] = (
    (regex(rf"\bodlegl|\bodcink|{_BARS} ?[a-z] - [a-z] ?{_BARS}"), _distance),
    (regex(r"\bwektorow(?:y|ego) iloczyn|iloczyn\w* wektorow|[×]"), _cross),
    (regex(r"\b[ck]osinus"), _cosine),
    (regex(r"\bkat\w? (?:po)?miedzy\b"), lambda a, b: f"acos({_cosine(a, b)})"),
    (regex(r"\b(?:sum[aeęy]|dodaj)\b(?=.*wektor)"), partial(_joined, sign="+")),
    (regex(r"\broznic\w+ wektor"), partial(_joined, sign="-")),
    (regex(r"skalarn|∘|\*|dot\b|∙|•|\bo\b"), _dot),
)


def _components(text: str) -> Sequence[str]:
    inner = text.strip("()[] ").replace("- ", "-")
    return [part for part in re.split(r" ?[,;] ?| +", inner) if part]


def signed(text: str) -> str:
    """Return a number, in brackets if it is negative."""
    return f"({text})" if text.startswith("-") else text
