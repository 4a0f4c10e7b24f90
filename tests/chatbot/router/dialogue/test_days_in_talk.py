"""Which day a follow-up to a forecast asks about, where it tells of others, too."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.types import JsonObject, Message, Text, ToolCall

TODAY = date(2026, 11, 18)  # a Wednesday


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def days(detector: Detector, before: str, prompt: str) -> list[str]:
    """The days asked about after a forecast for Kielce, and nothing else of which."""
    arguments: JsonObject = {"city": "Kielce", "day": before}
    call = ToolCall(call_id="1", name="get_weather", arguments=arguments, raw_arguments=arguments)
    reply = Text(text="W Kielcach 8°C, deszcz.")
    known = state((
        Message(role="user", parts=(Text(text="Jaka będzie pogoda w Kielcach?"),)),
        Message(role="assistant", parts=(call, reply)),
    ))
    certain = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, known, TOOLS, today=TODAY, detector=detector, certain=certain)
    assert found is not None
    assert {one.arguments["city"] for one in found.calls} <= {"Kielce"}
    return [str(one.arguments["day"]) for one in found.calls]


@every_row(
    ("before", "prompt", "expected"),
    [
        ("tomorrow", "no to jutro nie ma sensu, a w sobotę? w sobotę też mam czas", "saturday"),
        ("friday", "czyli piątek skreślamy. A niedziela jak wygląda, bo wtedy teść", "sunday"),
        ("today", "eee to dzis sobie daruje a jutro jak bo jutro mam pol dnia", "tomorrow"),
        ("saturday", "Sobota wykluczona. Proszę sprawdzić poniedziałek.", "monday"),
        ("thursday", "rezygnujemy z czwartku, sprawdź piątek po południu", "friday"),
        ("thursday", "to odpada nam czwartek, a środa?", "wednesday"),
        ("tomorrow", "skoro jutro tak leje to jak w sobotę", "saturday"),
        ("tomorrow", "Jeśli jutro ma padać, to może w piątek będzie lepiej?", "friday"),
        ("tomorrow", "w sobotę cieplej niż jutro?", "saturday"),
        ("tomorrow", "a jutro wieczorem? w sobotę już wyjeżdżam", "tomorrow"),
        ("tomorrow", "a jutro po południu, bo w sobotę nie mogę?", "tomorrow"),
        ("today", "a reszta tygodnia?", "next_days"),
        ("today", "jak zapowiada się dalsza część tygodnia?", "next_days"),
        ("saturday", "a w weekend do końca tygodnia?", "weekend"),
    ],
)
def test_a_day_that_is_given_up_or_known_is_not_asked_about_again(
    detector: Detector, before: str, prompt: str, expected: str
) -> None:
    assert days(detector, before, prompt) == [expected]


def test_days_that_are_joined_are_all_asked_about(detector: Detector) -> None:
    assert days(detector, "tomorrow", "jutro i pojutrze też?") == ["tomorrow", "day_after_tomorrow"]


@every_row(
    ("before", "prompt", "expected"),
    [
        ("2027-05-01", "a trzeciego? bo grill przesunięty", "2027-05-03"),
        ("2027-05-03", "a piątego? przesunęli nam komunię", "2027-05-05"),
        ("2026-11-20", "a 22?", "2026-11-22"),
        ("2026-12-06", "no a ósmego, bo wyjazd przełożony", "2026-12-08"),
        ("2026-11-28", "a drugiego?", "2026-12-02"),
        ("saturday", "a jutro?", "tomorrow"),
    ],
)
def test_a_number_alone_is_a_day_of_the_month_that_was_spoken_of(
    detector: Detector, before: str, prompt: str, expected: str
) -> None:
    assert days(detector, before, prompt) == [expected]


def test_a_day_that_no_month_has_is_none(detector: Detector) -> None:
    assert days(detector, "2026-11-20", "a 31?") != ["2026-11-31"]
