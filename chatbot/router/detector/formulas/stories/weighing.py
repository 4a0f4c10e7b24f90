"""What the value of a candidate says for it: is it plausible, does it measure what is asked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.formulas.stories.measures import BASE, PHYSICAL
from chatbot.router.detector.formulas.stories.templates import Template, Values

Marks = NDArray[np.intp]

_ASKED = ("money", "things", "%", "open", "time", "months")
_NEVER = 1e7
_WHOLE = 1e15  # beyond, floats have no cents; the largest would overflow
_CLASSES = 12
_FITS, _CLASHES, _SENSE = 27, 27, 20
_OF_VALUE = _CLASSES * (len(_ASKED) + 1) * 2
_OF_READERS = _OF_VALUE + _FITS + _CLASHES + _SENSE
READERS = (
    "", "other", "story", "formula", "purchase", "percentage", "share", "figure", "proportion",
    "list", "counting", "part", "riddle", "receipt", "rule_of_three", "joint", "sequence",
)  # fmt: skip
"""The rules' readers that a candidate may agree with, or not."""
MARKS = _OF_READERS + 2 * len(READERS)
"""How many marks there are; each candidate has five of them."""
_NEAR = 1e-6
_SAME = 1e-9
SCALES = 2
"""The column of measures that holds scales."""
_CENTRE = 16 * sum(float(BASE) ** at for at in range(len(PHYSICAL)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """Numbers of a story as they enter a calculation, what they and the answer measure.

    ``measures`` has shape (quantities + 1, 3), the last row for the answer; ``asked`` is what
    the question asks for, in a word. ``reader`` is the rules' reader, ``read`` the value that it
    read, NaN if none.
    """

    numbers: Values
    measures: Values
    asked: str
    reader: str = ""
    read: float = math.nan


def weigh(told: Told, candidates: Sequence[tuple[Template, Sequence[int]]]) -> tuple[Values, Marks]:
    """Return the candidates' values, NaN where there is none, and their marks.

    Args:
        told: The numbers of the story.
        candidates: Templates with the places of the quantities in their slots.

    Returns:
        Arrays of shape (candidates,) and (candidates, 5).
    """
    with np.errstate(all="ignore"):
        values = np.array([
            float(template.value([told.numbers[at] for at in chosen]))
            for template, chosen in candidates
        ])
    columns: list[list[float]] = told.measures.T.tolist()
    found = [
        [
            template.measure([codes[at] for at in chosen], scales=which == SCALES)
            for which, codes in enumerate(columns)
        ]
        for template, chosen in candidates
    ]
    pairs = np.array(found, dtype=np.float64)
    results, clashes = pairs[..., 0], pairs[..., 1]
    return values, mark(values, results, clashes, told)


def mark(values: Values, results: Values, clashes: Values, told: Told) -> Marks:
    """Return the marks of candidates with these values, measures and clashes of measures."""
    asked = _ASKED.index(told.asked) if told.asked in _ASKED else len(_ASKED)
    is_whole = bool((told.numbers == np.round(told.numbers)).all())
    kind = _value_class(values) + _CLASSES * (asked + (len(_ASKED) + 1) * is_whole)
    gap = np.abs(results - told.measures[-1])
    fit = np.where(np.isnan(gap), 0, np.where(gap < _NEAR, 1, 2))
    often = np.minimum(clashes, 2).astype(np.intp)
    thrice = np.array([9, 3, 1])
    is_open = int(np.isnan(told.measures[-1, 0]))
    return np.stack(
        [
            kind,
            _OF_VALUE + fit @ thrice,
            _OF_VALUE + _FITS + often @ thrice,
            _OF_VALUE + _FITS + _CLASHES + _sense(results) + 10 * is_open,
            _OF_READERS + _agrees(values, told),
        ],
        axis=-1,
    )


def is_measured(marks: Marks) -> bool:
    """Whether a candidate's dimensions are known to be those of the answer, and nothing clashes."""
    is_answer = (int(marks[1]) - _OF_VALUE) // 9 == 1
    return is_answer and int(marks[2]) == _OF_VALUE + _FITS


def _agrees(values: Values, told: Told) -> Marks:
    """Which reader of the rules read something, and whether it has the candidate's value."""
    reader = READERS.index(told.reader) if told.reader in READERS else READERS.index("other")
    is_same = np.abs(values - told.read) <= _SAME * np.maximum(1.0, np.abs(values))
    return 2 * reader + is_same.astype(np.intp)


def _value_class(values: Values) -> Marks:
    known = np.where(np.isfinite(values), values, -_NEVER)
    size = np.abs(known)
    least = _NEAR * np.maximum(1, size)
    is_whole = np.abs(known - np.round(known)) < least
    cents = np.clip(known, -_WHOLE, _WHOLE) * 100
    is_cents = np.abs(cents - np.round(cents)) < least * 100
    is_small = size <= 100  # noqa: PLR2004 - what is counted on fingers, or in small change
    cases = [
        ~np.isfinite(values), known < 0, known == 0, size < 0.01, size < 1,  # noqa: PLR2004
        is_whole & (size > _NEVER), is_whole & is_small, is_whole, is_cents & is_small, is_cents,
        is_small,
    ]  # fmt: skip
    return np.select(cases, list(range(len(cases))), default=len(cases))


def _sense(results: Values) -> Marks:
    """How many dimensions stand above and below: "zł·h" makes less sense than "zł/h"."""
    physical, things = _powers(results[..., 0]), _powers(results[..., 1])
    above = (physical > 0).sum(-1) + (things > 0).sum(-1) + (physical[..., 1:] > 1).any(-1)
    below = (physical < 0).sum(-1) + (things < 0).sum(-1)
    sense = np.minimum(above, 2) * 3 + np.minimum(below, 2)
    return np.where(np.isnan(results[..., 0]), 9, sense)


def _powers(codes: Values) -> Marks:
    """Take codes of dimensions apart into their powers, shape (..., dimensions)."""
    moved = np.nan_to_num(codes) + _CENTRE
    digits = [np.floor_divide(moved, float(BASE) ** at) % BASE for at in range(len(PHYSICAL))]
    powers: Marks = np.stack(digits, axis=-1).astype(np.intp) - 16
    return powers
