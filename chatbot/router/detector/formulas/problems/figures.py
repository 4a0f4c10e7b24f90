"""Lengths, areas and volumes of the figures of school geometry."""

import re
from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.phrases import measures
from chatbot.router.detector.formulas.problems.statement import (
    COUNTS,
    NUMBER,
    Quantity,
    Statement,
)

_NUMBER = regex(r"(?<![\w.])" + NUMBER + r"(?![\w.])")


_HAS_LETTERS = regex(r"\b[rdhlabcpq] ?(?:=|:|to|rown\w+)? ?\d")
_LETTERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (regex(rf"\b{letter} ?(?:=|:|to|rown\w+|wynosi)? ?(?=\d)"), f"{name} ")
    for letter, name in (
        ("r", "promien"), ("d", "srednica"), ("h", "wysokosc"), ("l", "tworzaca"), ("a", "bok"),
        ("b", "bok"), ("c", "bok"),
    )
)  # fmt: skip
_FIGURE = regex(
    r"\b(?:kol[aou]|okreg\w*|kul\w|sfer\w|wal(?:ec|ca)|stoz\w+|prostokat\w*|kwadrat\w*|trojkat\w*|"
    r"trapez\w*|romb\w*|rownoleglobok\w*|prostopadloscian\w*|szescian\w*|ostroslup\w*|"
    r"graniastoslup\w*|wycin\w+|luk\w?)\b"
)
_SIDES = COUNTS[3:]
"""Of pentagons and on."""
_REGULAR = regex(rf"\b(?P<sides>{'|'.join(_SIDES)})kat\w* foremn")
_AREA = regex(r"\b(?:pol[ea]|powierzchni)\b")
_OF_AREA = regex(r"\bil[eu] (?:ma |to |wynosi )?pola\b")
_HEIGHT = regex(r"\b(?:wysokos\w+|wysok\w+|tworzac\w+|[hl])(?: (?:rown\w+|to|=|ma|wynosi))? ?$")
_BASE = regex(r"\b(?:promie\w*|sredni\w+|krawed\w*|bok\w*|[rda](?: =)? $)")


def _with_names(words: str) -> str:
    """Say what letters of sizes stand for: "r = 4" of a circle is its radius."""
    words = _OF_AREA.sub("pole", words)
    if not (_HAS_LETTERS.search(words) and _FIGURE.search(words)):
        return words
    for letter, name in _LETTERS:
        words = letter.sub(name, words)
    return words


def _with_heights_last(quantities: Sequence[Quantity]) -> Sequence[Quantity]:
    """Put the height of a body behind the size of its base: patterns expect it there."""
    heights = [one for one in quantities if _HEIGHT.search(one.before)]
    others = [one for one in quantities if one not in heights]
    is_body = len(quantities) == 2 and any(_BASE.search(one.before) for one in others)  # noqa: PLR2004 - base, height
    return [*others, *heights] if is_body else quantities


_ROOTED = regex(r"(?:\bsqrt ?\( ?|√ ?\(? ?|\bpierwiast\w+(?: kwadratow\w+)? z )$")
_COUNTED = regex(r"(?:krotsz|dluzsz|rown|pozostal|przyprost|bok|ramion|krawed|podstaw)")


def _sizes(quantities: Sequence[Quantity]) -> Sequence[Quantity]:
    """Leave out how many sides there are: "te dwa krótsze boki mają 20 i 21 cm"."""
    is_count = [one.text in {"2", "3"} and _COUNTED.match(one.unit) for one in quantities]
    return [one for one, counts in zip(quantities, is_count, strict=True) if not counts]


def _written(one: Quantity) -> str:
    """The size, with π or a root where it is told so: "o obwodzie 10π", "bok √2"."""
    size = f"sqrt({one.text})" if _ROOTED.search(one.before) else one.text
    return f"({size}*pi)" if one.unit == "pi" else size


def read_figure(statement: Statement) -> str | None:
    """Return the expression of a measure of a figure whose sizes the prompt tells."""
    if any(one.is_each or one.unit in {"%", "razy"} for one in statement.quantities):
        return None
    if len({one.unit for one in statement.quantities} & {"m", "cm", "mm", "km"}) > 1:
        return None
    if regular := _read_regular(statement):
        return regular
    told = _sizes(statement.quantities)
    ordered = _with_heights_last(told)
    found = measures(_with_names(statement.words), [_written(one) for one in ordered])
    sizes = _NUMBER.findall(statement.question)
    if found or not sizes or len(sizes) == len(told):
        return found
    return measures(statement.question, sizes)


def _read_regular(statement: Statement) -> str | None:
    """Read "obwód siedmiokąta foremnego o boku 6": the perimeter or the area of many sides."""
    found, sizes = _REGULAR.search(statement.words), statement.quantities
    if found is None or len(sizes) != 1 or not re.search(r"\bbok", statement.words):
        return None
    count, side = _SIDES.index(found["sides"]) + 5, sizes[0].text
    is_area = _AREA.search(statement.words)
    if bool(is_area) == bool(re.search(r"\bobw[oó]d", statement.words)):
        return None
    return _area_of_regular(count, side) if is_area else f"{count}*{side}"


def _area_of_regular(count: int, side: str) -> str:
    is_hexagon = count == 6  # noqa: PLR2004 - of six triangles
    return f"3*sqrt(3)*{side}**2/2" if is_hexagon else f"{count}*{side}**2/(4*tan(pi/{count}))"
