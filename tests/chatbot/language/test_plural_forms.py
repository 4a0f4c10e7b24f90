"""Numbers are written the Polish way, and the noun after them takes the right form."""

from decimal import Decimal
from fractions import Fraction

import pytest
from scripted.tables import every_row

from chatbot.language import format_number, plural


@every_row(
    ("number", "form"),
    [
        (0, "stopni"),
        (1, "stopień"),
        (-1, "stopień"),
        (2, "stopnie"),
        (4, "stopnie"),
        (5, "stopni"),
        (11, "stopni"),
        (12, "stopni"),
        (14, "stopni"),
        (21, "stopni"),
        (22, "stopnie"),
        (-23, "stopnie"),
        (101, "stopni"),
        (112, "stopni"),
        (124, "stopnie"),
        (2.0, "stopnie"),
        (1.5, "stopnia"),
        (Decimal("0.1"), "stopnia"),
        (Fraction(1, 2), "stopnia"),
    ],
)
def test_the_noun_takes_the_form_of_its_number(number: float, form: str) -> None:
    assert plural(number, "stopień", "stopnie", "stopni", fraction="stopnia") == form


def test_without_a_form_for_fractions_that_of_few_is_taken() -> None:
    assert plural(2.5, "godzina", "godziny", "godzin") == "godziny"


@every_row(
    ("value", "digits", "text"),
    [
        (3, None, "3"),
        (-1, None, "−1"),
        (1500, None, "1500"),
        (15000, None, "15\N{NO-BREAK SPACE}000"),
        (1234567.5, None, "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567,5"),
        (0.1, None, "0,1"),
        (21.37, 1, "21,4"),
        (2.5, 0, "3"),
        (7, 2, "7,00"),
        (-0.04, 1, "0,0"),
        (Fraction(1, 4), None, "0,25"),
        (Decimal("1E+3"), None, "1000"),
        (1e-7, None, "0,0000001"),
    ],
)
def test_a_number_is_written_with_a_decimal_comma(
    value: float, digits: int | None, text: str
) -> None:
    assert format_number(value, digits) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_finite_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        format_number(value)
