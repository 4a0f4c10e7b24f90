"""The numbers of an expression, and other ones in their place."""

from fractions import Fraction

import pytest

from chatbot.router.dialogue.calculations.constants import constants, exchange


@pytest.mark.parametrize("expression", ["Rational(42, 10)*2", "Rational(42,10)*2"])
def test_a_fraction_is_one_number(expression: str) -> None:
    assert [one.value for one in constants(expression)] == [Fraction(42, 10), 2]


def test_a_fraction_without_a_space_is_exchanged() -> None:
    found = exchange("Rational(7,100)*320", Fraction(7), Fraction(6), share=True)

    assert found == "Rational(3, 50)*320"
