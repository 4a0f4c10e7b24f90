"""Plain arithmetic is read as it stands, whatever words stand before and after it."""

from fractions import Fraction
from itertools import product

import pytest
import sympy
from scripted.tables import every_row

from chatbot.router.detector.formulas import read_formula

OPERATIONS = {"plus": "+", "minus": "-", "razy": "*", "podzielić przez": "/", "dodać": "+"}
FRAMES = (
    "{}",
    "policz {}",
    "ile to {}",
    "ile jest {}?",
    "no to teraz policz mi {}",
    "Oblicz, proszę, {}.",
    "cześć, ile wyjdzie {}, bo nie wiem",
)
WRITTEN = {"312": "trzysta dwanaście", "4": "cztery", "8": "osiem"}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("in_words", [False, True])
def test_two_operations(frame: str, in_words: bool) -> None:
    wrong = {}
    for first, second in product(OPERATIONS, repeat=2):
        said = f"312 {first} 4 {second} 8"
        right = Fraction(eval_exactly(said))
        if in_words:
            said = " ".join(WRITTEN.get(word, word) for word in said.split())
        reading = read_formula(frame.format(said))
        if reading is None or Fraction(str(sympy.sympify(reading.expression))) != right:
            wrong[said] = reading and reading.expression
    assert wrong == {}


@every_row("frame", FRAMES)
@every_row("operation", OPERATIONS)
def test_one_operation(frame: str, operation: str) -> None:
    reading = read_formula(frame.format(f"312 {operation} 4"))
    assert reading is not None
    assert sympy.sympify(reading.expression) == eval_exactly(f"312 {operation} 4")


def eval_exactly(said: str) -> sympy.Rational:
    """Reckon "312 razy 4 plus 8" by the order of operations."""
    for words, sign in OPERATIONS.items():
        said = said.replace(words, sign)
    return sympy.sympify(said)
