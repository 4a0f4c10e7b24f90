"""What a prompt points at in replies of the default model, and what was planned."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS

from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.router.dialogue.calculations.rereading import plain_value
from chatbot.types import JsonObject, Message, Text

TODAY = date(2026, 11, 18)


def calls(*texts: str) -> list[JsonObject]:
    """What the last text asks for, after the others; the embedded engine's own way."""
    *said, prompt = texts
    messages = [
        Message(role="assistant" if at % 2 else "user", parts=(Text(text=text),))
        for at, text in enumerate(said)
    ]
    detector = Detector.load()
    known = state(messages)
    certain = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, known, TOOLS, today=TODAY, detector=detector, certain=certain)
    made = found.calls if found is not None else detector.detect(prompt, TOOLS, today=TODAY).calls
    return [dict(one.arguments) for one in made]


@pytest.mark.parametrize(
    ("texts", "cities"),
    [
        (
            (
                "Dokąd na weekend?",
                "Polecam Kłodzko, Nysę i Brzeg.",
                "jaka jutro pogoda w tym drugim mieście?",
            ),
            ["Nysa"],
        ),
        (
            (
                "Gdzie lepiej, w Łebie czy w Ustce?",
                "Obie są ładne.",
                "sprawdź na jutro pogodę w obu",
            ),
            ["Łeba", "Ustka"],
        ),
        (
            (
                "Mój brat mieszka w Kielcach, a ja mieszkam w Brzegu.",
                "To daleko!",
                "a u mnie będzie jutro padać?",
            ),
            ["Brzeg"],
        ),
    ],
)
def test_places_of_talk_are_found(texts: tuple[str, ...], cities: list[str]) -> None:
    assert [one.get("city") for one in calls(*texts)] == cities


def test_the_day_of_a_plan_goes_with_its_place() -> None:
    told = "Jutro jadę do Kalisza, a pojutrze do Konina."
    found = calls(told, "Udanej podróży!", "będzie padać w tym drugim mieście?")
    assert found == [{"city": "Konin", "day": "day_after_tomorrow"}]


def test_the_day_of_a_plan_is_known_by_a_short_name_in_another_form() -> None:
    found = calls(
        "W sobotę biegnę półmaraton w Pile!", "Powodzenia!", "Krótkie spodenki czy getry?"
    )
    assert found == [{"city": "Piła", "day": "saturday"}]


def test_a_story_of_its_own_is_calculated_as_it_is_read() -> None:
    said = ("W którym roku powstała ta uczelnia?", "Uczelnia powstała w 1948 roku.")
    story = "Z innej beczki: mam 36 par skarpet, 1/3 jest dziurawa. Ile par zostaje?"
    (found,) = calls(*said, story)
    assert plain_value(str(found["expression"])) == pytest.approx(24)


def test_what_a_reply_proposes_is_drawn() -> None:
    reply = "Może filiżanka z parą w kształcie serca?"
    (found,) = calls("Podaj pomysł na logo kawiarni.", reply, "super pomysł, wygeneruj to")
    assert found == {"description": "filiżanka z parą w kształcie serca"}


def test_a_weekday_of_the_next_week_is_a_date() -> None:
    (found,) = calls("Pogoda w Kutnie?", "W Kutnie 3°C.", "a w przyszłym tygodniu w piątek?")
    assert found == {"city": "Kutno", "day": "2026-11-27"}
