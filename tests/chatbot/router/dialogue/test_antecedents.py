"""What a picture shows that its prompt only points at, taken from what was said before."""

from datetime import date
from functools import cache

import pytest

from chatbot.router.detector import DetectedCall, Detector
from chatbot.router.dialogue import FollowUp, guess
from chatbot.router.dialogue.state import NEEDED, DialogueState
from chatbot.router.dialogue.turns import Turn
from chatbot.types import ToolSpec

IMAGE, WIKIPEDIA, WEATHER = "generate_image", "search_wikipedia", "get_weather"
TOOLS = tuple(
    ToolSpec(name=name, title=name, description=name, parameters={"required": [argument]})
    for name, argument in NEEDED.items()
)
SUNDEW = Turn(
    prompt="co to jest rosiczka",
    reply="Rosiczka to owadożerna roślina torfowisk.",
    calls=(DetectedCall(name=WIKIPEDIA, arguments={"query": "rosiczka (rodzaj)"}),),
    is_told=True,
)
SPA = Turn(
    prompt="Jaka pogoda w Iwoniczu?",
    reply="W Iwoniczu 4°C, mgła.",
    calls=(DetectedCall(name=WEATHER, arguments={"city": "Iwonicz", "day": "today"}),),
    is_told=True,
)
SLOGAN = Turn(prompt="Wymyśl hasło dla piekarni.", reply="„Chleb, który pamięta babcię”")


@cache
def detector() -> Detector:
    return Detector.load()


def decided(prompt: str, before: Turn) -> FollowUp | None:
    said = DialogueState(turns=(before,), is_recalled=True)
    return guess(prompt, said, TOOLS, today=date(2026, 11, 22), detector=detector())


@pytest.mark.parametrize(
    ("prompt", "before", "subject"),
    [
        ("Narysuj taką roślinę, jak zjada muchę na parapecie", SUNDEW, "rosiczka"),
        ("namaluj starszą panią w tamtejszej pijalni, akwarela", SPA, "Iwonicz"),
        ("zrób to hasło jako szyld, złote litery na brązie", SLOGAN, "Chleb, który pamięta babcię"),
    ],
)
def test_a_picture_shows_what_its_prompt_points_at(prompt: str, before: Turn, subject: str) -> None:
    found = decided(prompt, before)

    assert found is not None
    assert subject in str(found.calls[0].arguments["description"])


def test_a_picture_of_its_own_is_left_to_the_detector() -> None:
    assert decided("Narysuj czerwony traktor w polu", SUNDEW) is None


def test_a_picture_beside_another_wish_shows_it_too() -> None:
    found = decided("Narysuj tę roślinę na parapecie i policz, ile to 12 * 7", SUNDEW)

    assert found is not None
    picture, product = found.calls
    assert picture.arguments == {"description": "rosiczka, ta roślina na parapecie"}
    assert product.arguments == {"expression": "12*7"}


def test_what_another_wish_points_at_is_no_part_of_the_picture() -> None:
    assert decided("Narysuj psa na łące i policz, ile to 12 * 7 dla tego zadania", SUNDEW) is None
