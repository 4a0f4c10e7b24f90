"""Steps on a value whose operand is an operation itself."""

import pytest

from chatbot.router.dialogue.calculations.steps import step
from evals.values import have_same_value


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("odejmij kwadrat ósemki i podziel wynik przez 4", "(408 - 64)/4"),
        ("odejmij od tego kwadrat dwunastki", "408 - 144"),
        ("dodaj do tego pierwiastek ze 144", "420"),
        ("Od tego odejmij iloczyn 6 i 7.", "408 - 42"),
        ("a jak to teraz podzielić przez 4!, ile zostanie", "17"),
        ("plus 7 i do kwadratu", "415**2"),
        ("podnieś ten wynik do trzeciej potęgi", "408**3"),
    ],
)
def test_an_operand_may_be_an_operation(text: str, wanted: str) -> None:
    found = step(text, "408")
    assert found is not None
    assert have_same_value(found, wanted)
