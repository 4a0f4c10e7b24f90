"""Word problems of what one thing gives of another, and everyday reckoning beside them."""

import pytest

from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.formulas.problems.statement import state
from chatbot.router.detector.formulas.problems.yields import read_yield


@pytest.mark.parametrize(
    ("prompt", "expression"),
    [
        ("Z 2 kg mąki wychodzi 3 kg chleba. Ile mąki na 12 kg chleba?", "12*2/3"),
        ("Z 2 kg mąki wychodzi 3 kg chleba. Ile kg chleba z 5 kg mąki?", "5*3/2"),
        ("Z 5 kg owoców robię 2 litry soku. Ile owoców na 10 litrów soku?", "10*5/2"),
        ("2,5 godziny ile to minut?", "2.5*3600/60"),
        ("półtora litra ile to mililitrów?", "1.5/0.001"),
        ("1,2 m2 to ile cm2", "1.2/0.0001"),
        ("mam 1,75 m wzrostu i ważę 68 kg, policz bmi", "68/1.75**2"),
        ("ważę 82 kg przy 178 cm wzrostu, jakie mam BMI?", "82/(178/100)**2"),
        ("Z 10 000 zrobiło się 11 300, ile to procent zysku?", "(11300 - 10000)/10000*100"),
    ],
)
def test_everyday_reckoning_is_read(prompt: str, expression: str) -> None:
    found = read_formula(prompt)
    assert found is not None
    assert found.expression == expression


@pytest.mark.parametrize(
    "prompt",
    [
        "Z 2 kg mąki wychodzi 3 kg chleba. Ile cukru na 12 kg chleba?",
        "Z 2 kg mąki wychodzi 3 kg chleba. Ile mąki na 12 bochenków?",
        "Z 2 kg mąki wychodzi 3 kg chleba, 10% zostaje. Ile mąki na 12 kg chleba?",
    ],
)
def test_another_thing_or_unit_is_no_yield(prompt: str) -> None:
    assert read_yield(state(prompt)) is None
