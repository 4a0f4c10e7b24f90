"""Dimensions of the quantities of a story as numbers that add where quantities multiply."""

import math
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.amount import Amount
from chatbot.router.detector.formulas.problems.amounts.asked import (
    Asked,
    nouns_asked,
    read_asked,
)
from chatbot.router.detector.formulas.problems.amounts.extraction import find_single_amounts
from chatbot.router.detector.formulas.problems.amounts.units import Dimensions
from chatbot.router.detector.formulas.problems.amounts.words import Words
from chatbot.router.detector.formulas.problems.statement import Statement

BASE = 32
PHYSICAL = ("length", "mass", "time", "money", "months", "energy", "euro", "dollar", "pressure")
_MOST_THINGS = 8
_PERCENT = regex(r"proc\w*|%")
_UNKNOWN = math.nan


def measure(statement: Statement) -> NDArray[np.float64]:
    """Return what the quantities of a statement measure, in the last row what is asked for.

    Returns:
        Shape (quantities + 1, 3): dimensions and things counted, as codes that add up where
        quantities multiply, and the logarithm of the unit's scale; NaN where it is not known.
    """
    story = Words(statement.words, nouns_asked(statement.question, statement.words))
    asked = read_asked(statement.question, statement.words, story)
    amounts = iter(find_single_amounts(story))
    names: dict[str, int] = {}
    rows: list[tuple[float, float, float]] = []
    held: list[Amount] = []
    for quantity in statement.quantities:
        found = _next(amounts, held, quantity.text)
        rows.append((_UNKNOWN,) * 3 if found is None else _row(found, names))
    rows.append(_asked(asked, statement.question, names))
    return np.array(rows)


def _next(amounts: Iterator[Amount], held: list[Amount], text: str) -> Amount | None:
    """The amount of a quantity: amounts come in the same order, but may be fewer."""
    held.extend(amounts)
    for at, one in enumerate(held):
        if one.text == text:
            del held[: at + 1]
            return one
    return None


def _row(one: Amount, names: dict[str, int]) -> tuple[float, float, float]:
    if one.is_bare and not one.dimensions:
        return (_UNKNOWN,) * 3
    if "%" in one.dimensions:
        return 0.0, 0.0, 0.0
    return (*_codes(one.dimensions, names), math.log(one.scale))


def _codes(dimensions: Dimensions, names: dict[str, int]) -> tuple[float, float]:
    physical, things = 0.0, 0.0
    for name, power in dimensions.items():
        if name == "#?":
            things = _UNKNOWN
        elif name.startswith("#"):
            at = names.setdefault(name, len(names))
            things += power * float(BASE ** min(at, _MOST_THINGS))
        elif name in PHYSICAL:
            physical += power * float(BASE ** PHYSICAL.index(name))
    return physical, things


def _asked(asked: Asked, question: str, names: dict[str, int]) -> tuple[float, float, float]:
    if _PERCENT.search(question) and not re.search(r"\d ?%", question):
        return 0.0, 0.0, math.log(0.01)
    if asked.dimensions is None:
        return (_UNKNOWN,) * 3
    scale = _UNKNOWN if asked.scale is None else math.log(asked.scale)
    if asked.scale is None and set(asked.dimensions) <= {"money"} | {
        name for name in asked.dimensions if name.startswith("#")
    }:
        scale = 0.0
    return (*_codes(asked.dimensions, names), scale)
