"""Which of several places was told to be the warmer or the colder."""

import pytest

from chatbot.router.dialogue.forecasts.degrees import by_degrees

PLACES = ("Ełk", "Olecko")
REPLY = "W Ełku 1°C, w Olecku −1°C."


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a w tym zimniejszym w piatek?", "Olecko"),
        ("a pojutrze w tym cieplejszym?", "Ełk"),
        ("tam, gdzie jest mroz, jak bedzie w niedziele?", "Olecko"),
        ("gdzie jutro bedzie cieplej?", None),
        ("a w tym mniejszym?", None),
    ],
)
def test_the_place_is_told_by_its_degrees(prompt: str, expected: str | None) -> None:
    assert by_degrees(PLACES, prompt, REPLY) == expected


@pytest.mark.parametrize("reply", ["W Ełku i w Olecku pada.", "W Ełku 3°C, w Olecku 3°C."])
def test_what_is_not_told_apart_stays_open(reply: str) -> None:
    assert by_degrees(PLACES, "a w tym cieplejszym?", reply) is None
