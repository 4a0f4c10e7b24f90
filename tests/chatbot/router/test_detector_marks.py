"""School marks told by how many there are of each."""

import pytest

from chatbot.router.detector.formulas import read_formula


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("średnia z ocen: dwie piątki, trója i czwórka", "(5 + 5 + 3 + 4)/4"),
        ("średnia: trzy piąteczki, czwóreczka i dwója", "(5 + 5 + 5 + 4 + 2)/5"),
        ("oblicz średnią: piona, czwóra, dwie tróje", "(5 + 4 + 3 + 3)/4"),
        ("kwadrat dwunastki", "12**2"),
    ],
)
def test_marks_are_read_one_by_one(text: str, expression: str) -> None:
    found = read_formula(text)
    assert found is not None
    assert found.expression == expression
