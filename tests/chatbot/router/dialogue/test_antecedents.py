"""What a picture shows that its prompt only points at, taken from what was said before."""

from datetime import date
from functools import cache

import pytest

from chatbot.router.detector import DetectedCall, Detector
from chatbot.router.dialogue import FollowUp, follow_up, guess
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
        ("pokaż mi jedną na torfie", SUNDEW, "rosiczka"),
        ("narysuj, jak zjada muchę", SUNDEW, "rosiczka"),
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
    assert picture.arguments == {"description": "rosiczka na parapecie"}
    assert product.arguments == {"expression": "12*7"}


def test_what_another_wish_points_at_is_no_part_of_the_picture() -> None:
    assert decided("Narysuj psa na łące i policz, ile to 12 * 7 dla tego zadania", SUNDEW) is None


TALE = Turn(prompt="Opowiedz bajkę o kurze.", reply="Kura Pelagia latała balonem nad Bugiem.")
SNOW = Turn(
    prompt="Jaka pogoda w Wiśle?",
    reply="W Wiśle −3°C i pada śnieg.",
    calls=(DetectedCall(name=WEATHER, arguments={"city": "Wisła", "day": "today"}),),
    is_told=True,
)
MOTIF = Turn(prompt="Zaproponuj motyw na kartkę.", reply="Może wianek z piwonii i konewka.")
BEAR = Turn(
    prompt="Narysuj misia",
    reply="Gotowe.",
    calls=(DetectedCall(name=IMAGE, arguments={"description": "miś w piżamie"}),),
    is_told=True,
)


@pytest.mark.parametrize(
    ("prompt", "before", "shown"),
    [
        ("Zilustruj tę bajkę.", TALE, ["Kura Pelagia latała balonem nad Bugiem"]),
        ("narysuj to miasto w takiej pogodzie", SNOW, ["śnieg"]),
        ("Dobrze, tylko zamiast konewki taczka. Narysuj.", MOTIF, ["wianek z piwonii i taczk"]),
    ],
)
def test_a_picture_shows_what_was_told_or_proposed(
    prompt: str, before: Turn, shown: list[str]
) -> None:
    found = decided(prompt, before)
    told = [str(one.arguments["description"]) for one in found.calls] if found else []

    assert len(told) == 1
    assert all(part in told[0] for part in shown)


def test_words_are_written_on_the_last_picture() -> None:
    prompt = "dopisz mu dymek z napisem Dobranoc"
    said = DialogueState(turns=(BEAR,), is_recalled=True)
    today = date(2026, 11, 22)
    certain = follow_up(prompt, said, TOOLS, today=today, detector=detector())

    found = guess(prompt, said, TOOLS, today=today, detector=detector(), certain=certain)

    assert found is not None
    assert found.calls[0].arguments == {"description": "miś w piżamie, dymek z napisem Dobranoc"}
