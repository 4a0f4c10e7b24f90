"""Numbers are read from Polish words, digits and both."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.language import read_number
from chatbot.language.numerals import Value


@every_row(
    ("words", "value"),
    [
        ("zero", 0),
        ("pięćset dwadzieścia dziewięć", 529),
        ("piecset dwadziescia dziewiec", 529),
        ("dwudziestu pięciu", 25),
        ("dwóch", 2),
        ("tysiąc", 1000),
        ("dwa tysiące dwudziesty szósty", 2026),
        ("milion dwieście tysięcy", 1_200_000),
        ("sto milionów dwa", 100_000_002),
        ("dwudziesty piąty", 25),
        ("dwudziesta trzecia", 23),
        ("piętnastego", 15),
        ("trzecia", 3),
        ("dwa i pół", Fraction(5, 2)),
        ("pół", Fraction(1, 2)),
        ("półtora", Fraction(3, 2)),
        ("półtora miliona", 1_500_000),
        ("pół miliona", 500_000),
        ("trzy czwarte", Fraction(3, 4)),
        ("jedna trzecia", Fraction(1, 3)),
        ("dwadzieścia pięć setnych", Fraction(1, 4)),
        ("dwa i trzy czwarte", Fraction(11, 4)),
        ("trzy całe i pięć dziesiątych", Fraction(7, 2)),
        ("minus sto dwa", -102),
        ("minus pół", Fraction(-1, 2)),
        ("-7,25", Decimal("-7.25")),
        ("−3", -3),
        ("2,5", Decimal("2.5")),
        ("2.5", Decimal("2.5")),
        ("1 000 000", 1_000_000),
        ("5 tysięcy", 5000),
        ("2,5 mln", 2_500_000),
        ("3 i 1/2", Fraction(7, 2)),
        ("trzy przecinek czternaście", Decimal("3.14")),
        ("dwa przecinek zero pięć", Decimal("2.05")),
        ("trzy przecinek jeden cztery jeden pięć", Decimal("3.1415")),
    ],
)
def test_a_number_is_read(words: str, value: Value) -> None:
    assert read_number(words) == value


@every_row(
    "words",
    ["", "kot", "dwa koty", "dwa trzy", "dziesięć pięć", "dwa i", "1/0", "minus", "9" * 5000],
)
def test_what_is_no_number_is_none(words: str) -> None:
    assert read_number(words) is None


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_every_integer_in_digits_is_itself(number: int) -> None:
    assert read_number(str(number)) == number


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert isinstance(read_number(text), int | Fraction | Decimal | None)
