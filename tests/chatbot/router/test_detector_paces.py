"""Word problems of what goes on at one pace, over another span of time."""

import pytest

from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.formulas.problems.paces import read_pace
from chatbot.router.detector.formulas.problems.statement import state


@pytest.mark.parametrize(
    ("prompt", "expression"),
    [
        ("Wypalam 12 papierosów dziennie. Ile to rocznie?", "12*365"),
        ("Wydaję 18 zł dziennie na obiady. Ile to miesięcznie?", "18*30"),
        ("Kapie 20 kropel na minutę. Ile to kropel na dobę?", "20*1440"),
        ("Biegam 6 km trzy razy w tygodniu, ile to kilometrów rocznie?", "6*3*52"),
        ("Co miesiąc odkładam 250 zł. Ile odłożę przez 3 lata?", "250*12*3"),
        ("Autobus kursuje co 15 minut, ile kursów na dobę?", "60*24/15"),
        ("Rocznie płacę 1140 zł za polisę. Ile to wychodzi miesięcznie?", "1140/12"),
        ("W ciągu godziny maszyna pakuje 900 pudełek, ile pudełek na minutę?", "900/60"),
        ("Piekarnia sprzedaje 480 bułek dziennie, ile przez cały tydzień?", "480*7"),
    ],
)
def test_a_pace_is_told_for_another_span(prompt: str, expression: str) -> None:
    found = read_formula(prompt)
    assert found is not None
    assert found.expression == expression


@pytest.mark.parametrize(
    "prompt",
    [
        "Pracuję 8 godzin dziennie. Ile snu tygodniowo potrzebuję?",
        "Ćwiczę 35 minut dziennie, tylko w niedziele nie. Ile minut tygodniowo?",
        "Wypalam 12 papierosów dziennie i 3 cygara. Ile to rocznie?",
        "Lokata 5% rocznie, ile to miesięcznie?",
        "Pies zjada 400 g karmy dziennie. Na ile dni starczy 12 kg?",
        "Ile dziennie powinienem pić wody?",
        "Wypalam 12 papierosów dziennie. Ile to złotych?",
    ],
)
def test_other_numbers_conditions_and_questions_are_no_pace(prompt: str) -> None:
    assert read_pace(state(prompt)) is None
