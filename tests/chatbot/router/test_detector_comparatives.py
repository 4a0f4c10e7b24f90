"""Word problems of amounts that are told by others: more, times as many, the rest."""

import pytest

from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.formulas.problems.comparatives import read_comparative
from chatbot.router.detector.formulas.problems.rests import read_rest
from chatbot.router.detector.formulas.problems.statement import state


@pytest.mark.parametrize(
    ("prompt", "expression"),
    [
        ("Ania waży 54 kg, Bartek o 18 kg więcej. Ile ważą razem?", "54 + (54 + 18)"),
        ("Tomek ma 15 kart, a Kuba o 7 mniej. Ile kart mają razem?", "15 + (15 - 7)"),
        ("Ola ma 20 zł, Ela 2 razy więcej. Ile mają razem?", "20 + 20*2"),
        ("Jola ma 84 zł, a Tomek o 1/4 mniej. Ile mają razem?", "84 + 84*(1 - 1/4)"),
        ("Wiadro waży 12 kg, skrzynia o 5 kg więcej. Ile waży skrzynia?", "12 + 5"),
        (
            "W poniedziałek sprzedano 120 lodów, we wtorek o 35 mniej. Ile łącznie?",
            "120 + (120 - 35)",
        ),
        ("W klasie jest 26 osób, 14 to dziewczyny, reszta chłopcy. Ilu chłopców?", "26 - 14"),
        (
            "W worku 15 kul: 4 czerwone, 5 zielonych, reszta niebieska. Ile niebieskich?",
            "15 - 4 - 5",
        ),
    ],
)
def test_an_amount_is_told_by_another(prompt: str, expression: str) -> None:
    found = read_formula(prompt)
    assert found is not None
    assert found.expression == expression


@pytest.mark.parametrize(
    "prompt",
    [
        "Ania ma 12 zł, Bartek o 8 zł więcej. O ile więcej ma Bartek?",
        "Ania ma 12 zł, czyli o 8 zł więcej niż Bartek. Ile ma Bartek?",
        "Ania ma 12 zł, Bartek o 8 zł więcej, a Cela 5 zł. Ile mają razem?",
        "Ania ma 12 zł, Bartek o 8 zł więcej. Ile ma Ania?",
        "Boki prostokąta: 12 cm i o 3 cm więcej. Ile wynosi obwód razem?",
    ],
)
def test_other_questions_and_more_numbers_are_not_compared(prompt: str) -> None:
    assert read_comparative(state(prompt)) is None


@pytest.mark.parametrize(
    "prompt",
    [
        "Jaka jest reszta z dzielenia 26 przez 4? Ile to jest?",
        "Mam 50 zł, bilet kosztuje 14 zł, reszta moja. Ile mam?",
        "Z 26 osób połowa to dziewczyny, reszta to 5 chłopców. Ilu chłopców?",
    ],
)
def test_remainders_money_and_shares_are_no_rest(prompt: str) -> None:
    assert read_rest(state(prompt)) is None
