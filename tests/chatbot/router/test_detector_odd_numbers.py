"""Numbers and names that no calculation can be made of stop nothing."""

import math
from datetime import date

import pytest

from chatbot.router.detector import Detector
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.formulas.stories.reading import read_calculation
from chatbot.router.detector.formulas.stories.tokens import Worked, tokens_in
from chatbot.router.dialogue import guess, recall, state
from chatbot.router.dialogue.calculations.proposal_operands import operands_in
from chatbot.tools.mathematics import calculate
from chatbot.types import Message, Text

DETECTOR = Detector.load()
TOOLS = [calculate.spec]
TODAY = date(2026, 11, 18)


@pytest.mark.parametrize("prompt", [
    "kabel 1/0 m w kartonie, na gniazdko schodzi 2 m, ile gniazdek zrobię z jednego",
    "Czas ładowania spadł z 1/0 s do 40 s. O ile procent jest krótszy?",
    "0/0 ucznia na 1/0 klasę, ile uczniów ma szkoła?",
])  # fmt: skip
def test_quotients_by_nought_are_no_values(prompt: str) -> None:
    found = read_calculation(prompt)
    assert found is None or found.expression


def test_a_subject_of_two_letters_is_compared() -> None:
    found = read_formula(
        "jola waży 38 kg, to jest o 4 kg więcej niż waży jej siostra. ile ważą razem?"
    )
    assert found is None or found.expression


@pytest.mark.parametrize("reply", [
    "Zmienna losowa: 0,2 na 10 zł i 0,8 na 0 zł.",
    "Za 0 zł dostaniesz 3 kg, a z 0 kg mąki wychodzi 12 bułek.",
    "Koszt: 5 zł na 0 km.",
])  # fmt: skip
def test_rates_for_nothing_are_no_rates(reply: str) -> None:
    history = (
        Message(role="user", parts=(Text(text="ile to wyjdzie?"),)),
        Message(role="assistant", parts=(Text(text=reply),)),
    )
    known = recall(state(history), TOOLS, today=TODAY, detector=DETECTOR)
    found = guess("a razem z tym?", known, TOOLS, today=TODAY, detector=DETECTOR)
    assert found is None or all(call.name == "calculate" for call in found.calls)


@pytest.mark.parametrize("prompt", ["9 % z " * 32, "ile to 9 % z " + "9 % z " * 300])
def test_shares_of_shares_without_end_are_read_within_bounds(prompt: str) -> None:
    found = DETECTOR.detect(prompt, TOOLS)
    assert {one.name for one in found.calls} <= {"calculate"}


def test_a_number_beyond_every_float_is_none_to_go_on_with() -> None:
    found = operands_in(f"Z {'9' * 309} zł zostało 12 zł.", "told")
    assert [one.text for one in found] == ["12"]


def test_a_calculation_that_is_told_may_come_to_more_than_a_float_holds() -> None:
    assert tokens_in([Worked(signs=(0, 1, "*"), place=2, value=math.inf, part=1)])


def test_a_share_of_a_whole_that_no_number_tells_stops_nothing() -> None:
    history = (
        Message(role="user", parts=(Text(text="250 + 310 + 340"),)),
        Message(role="assistant", parts=(Text(text="Razem to 900."),)),
    )
    known = recall(state(history), TOOLS, today=TODAY, detector=DETECTOR)
    found = guess("piątek to ile % całości", known, TOOLS, today=TODAY, detector=DETECTOR)
    assert found is None or all(call.name == "calculate" for call in found.calls)
