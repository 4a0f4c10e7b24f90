"""Which of all that was said a question to the encyclopaedia is about."""

from datetime import date

import pytest
from scripted.needing_tools import WEATHER_AND_WIKIPEDIA
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue import DialogueState, follow_up, guess
from chatbot.router.dialogue.articles.candidates import Picked, find_candidates
from chatbot.router.dialogue.articles.reference import likeliest
from chatbot.router.dialogue.articles.siblings import siblings
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.turns import Turn

FILM = ("Kto nakręcił „Vabank”?", "„Vabank” nakręcił Juliusz Machulski.", "Vabank")
LAND = ("jaka jest stolica Boliwii", "Stolicą Boliwii jest Sucre.", "Boliwia")
CASTLE = ("Kto zbudował zamek w Golubiu?", "Zamek zbudowali Krzyżacy.", "Zamek w Golubiu")
POET = ("kim była Anna Świrszczyńska", "Anna Świrszczyńska była poetką.", "Anna Świrszczyńska")
RISING = ("kiedy było powstanie listopadowe", "W 1830 roku.", "powstanie listopadowe")
BADGER = ("co je borsuk", "Borsuk je dżdżownice i owady.", "borsuk")
WASHINGTON = ("gdzie leży Waszyngton", "Chodzi o miasto czy o stan?", "")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def scene_of(detector: Detector, said: tuple[str, str, str], prompt: str) -> Scene:
    asked, reply, topic = said
    calls = (DetectedCall(name="search_wikipedia", arguments={"query": topic}),) if topic else ()
    open_slot = None if topic else ("search_wikipedia", "query")
    turn = Turn(prompt=asked, reply=reply, calls=calls, asked=open_slot)
    state = DialogueState(turns=(turn,), is_recalled=True)
    return Scene(prompt, state, WEATHER_AND_WIKIPEDIA, today=date(2026, 11, 18), detector=detector)


@every_row(
    ("said", "prompt", "name"),
    [
        (FILM, "a co jeszcze nakręcił?", "Juliusz Machulski"),
        (FILM, "kto tam grał główną rolę", "Vabank"),
        (LAND, "ilu ma mieszkańców?", "Sucre"),
        (CASTLE, "a ten w Bytowie?", "Zamek w Bytowie"),
        (POET, "a nagrody jakie dostała?", "Anna Świrszczyńska"),
        (POET, "a Zuzanna Ginczanka?", "Zuzanna Ginczanka"),
        (BADGER, "a lisy co jedzą?", "lisy"),
        (BADGER, "a gdzie śpi?", "borsuk"),
        (WASHINGTON, "o stan", "Waszyngton (stan)"),
    ],
)
def test_what_a_follow_up_is_about(
    detector: Detector, said: tuple[str, str, str], prompt: str, name: str
) -> None:
    assert likeliest(scene_of(detector, said, prompt), None) == name


@pytest.mark.parametrize(
    ("topic", "prompt", "name"),
    [
        ("Vabank (film)", "co jeszcze nakręcił?", "Juliusz Machulski"),
        ("Vabank (film)", "kto tam grał główną rolę", "Vabank (film)"),
        ("Vabank", "co jeszcze nakręcił?", "Juliusz Machulski"),
    ],
)
def test_a_title_with_its_kind_is_weighed_like_any_other(
    detector: Detector, topic: str, prompt: str, name: str
) -> None:
    scene = scene_of(detector, (FILM[0], FILM[1], topic), prompt)
    known, tools, today = scene.state, scene.tools, scene.today
    certain = follow_up(prompt, known, tools, today=today, detector=detector)
    found = guess(prompt, known, tools, today=today, detector=detector, certain=certain)

    assert found is not None
    assert [one.arguments["query"] for one in found.calls] == [name]


def test_a_name_has_all_the_ways_in_which_it_came_up(detector: Detector) -> None:
    picked = Picked(name="Juliusz Machulski", is_certain=True)
    found = find_candidates(scene_of(detector, FILM, "a Machulski kiedy się urodził?"), picked)

    assert found[0].name == "Juliusz Machulski"
    assert {"certain", "told0", "only0", "name"} <= found[0].sources


@pytest.mark.parametrize(
    ("said", "prompt", "name"),
    [
        (RISING, "nie, styczniowe", "powstanie styczniowe"),
        (CASTLE, "a w Gniewie?", "Zamek w Gniewie"),
        (WASHINGTON, "o stan mi chodzi", "Waszyngton (stan)"),
        (("gdzie urodził się Bach", "O którego Bacha chodzi?", ""), "Jan", "Jan Bach"),
    ],
)
def test_another_of_its_kind(
    detector: Detector, said: tuple[str, str, str], prompt: str, name: str
) -> None:
    assert name in {one for _, one in siblings(scene_of(detector, said, prompt))}
