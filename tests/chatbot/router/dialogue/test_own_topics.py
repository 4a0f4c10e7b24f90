"""A prompt that names its topic itself is about that, not about the topic before it."""

from datetime import date

import pytest
from scripted.needing_tools import WEATHER_AND_WIKIPEDIA

from chatbot.router.detector import Detector
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue import DialogueState, follow_up
from chatbot.router.dialogue.guess import guess
from chatbot.router.dialogue.turns import Turn

TODAY = date(2026, 11, 18)
PLANET = ("Kto odkrył Urana?", "Uran odkrył William Herschel, muzyk i astronom.", "Uran")
BREAD = ("z czego jest chleb", "Chleb piecze się z mąki i wody na zakwasie.", "Chleb")
RISING = ("Kiedy było powstanie śląskie?", "W 1919 roku.", "powstanie śląskie")
FILM = ("kto nakręcił Obcego", "Film nakręcił Ridley Scott.", "Obcy")
NOVEL = ("Co napisano o Misery?", "To ekranizacja powieści Stephena Kinga.", "Misery")
BOOK = ("o czym jest Ferdydurke", "O trzydziestolatku, który wraca do szkoły.", "Ferdydurke")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def decided(detector: Detector, said: tuple[str, str, str], prompt: str) -> list[object]:
    """The arguments of the call that is made after one article, or what is asked for."""
    asked, reply, topic = said
    calls = (DetectedCall(name="search_wikipedia", arguments={"query": topic}),)
    turn = Turn(prompt=asked, reply=reply, calls=calls)
    state = DialogueState(turns=(turn,), is_recalled=True)
    certain = follow_up(prompt, state, WEATHER_AND_WIKIPEDIA, today=TODAY, detector=detector)
    found = guess(
        prompt, state, WEATHER_AND_WIKIPEDIA, today=TODAY, detector=detector, certain=certain
    )
    assert found is not None
    return [found.asks] if found.asks else [one.arguments for one in found.calls]


@pytest.mark.parametrize(
    ("said", "prompt", "topic"),
    [
        (BREAD, "co to zakwas", "zakwas"),
        (BREAD, "a co to jest drożdżówka?", "drożdżówka"),
        (PLANET, "a czym jest teleskop?", "teleskop"),
        (PLANET, "a co to w ogóle jest planetoida", "planetoida"),
        (PLANET, "Kim właściwie był ten cały Herschel?", "William Herschel"),
        (NOVEL, "kim jest ten King", "Stephen King"),
        (FILM, "a kto Gladiatora?", "Gladiator"),
        (FILM, "a kto Wniebowzięcie", "Wniebowzięcie"),
        (PLANET, "a kiedy Neptun?", "Neptun"),
        (BREAD, "Bajki robotów ile mają części?", "Bajki robotów"),
        (FILM, "a Cameron skąd pochodzi?", "Cameron"),
        (PLANET, "a co z Bajkałem, jak głęboki jest?", "Bajkał"),
        (PLANET, "a co z Herschelem, gdzie mieszkał?", "William Herschel"),
    ],
)
def test_a_phrase_of_its_own_is_the_topic(
    detector: Detector, said: tuple[str, str, str], prompt: str, topic: str
) -> None:
    assert decided(detector, said, prompt) == [{"query": topic}]


@pytest.mark.parametrize(
    ("prompt", "topic"),
    [
        ("kim był ten astronom", "William Herschel"),
        ("kim on był", "William Herschel"),
        ("co to jest ta planeta", "Uran"),
        ("kim był z zawodu", "William Herschel"),
        ("a kiedy odkrycie?", "Uran"),
    ],
)
def test_a_phrase_that_points_means_what_was_said(
    detector: Detector, prompt: str, topic: str
) -> None:
    assert decided(detector, PLANET, prompt) == [{"query": topic}]


@pytest.mark.parametrize(
    ("prompt", "topic"),
    [
        ("nie, miałem na myśli film Odyseja", "Odyseja (film)"),
        ("nie, chodziło mi o księżyc Tytan", "Tytan (księżyc)"),
        ("chodziło mi o boga", "Uran (bóg)"),
        ("nie o planetę, tylko o boga mi chodziło", "Uran (bóg)"),
        ("nie o planetę mi chodziło, tylko o boga rzymskiego", "Uran (bóg)"),
    ],
)
def test_a_correction_may_name_another_thing_with_its_kind(
    detector: Detector, prompt: str, topic: str
) -> None:
    assert decided(detector, PLANET, prompt) == [{"query": topic}]


@pytest.mark.parametrize(
    ("said", "prompt", "topics"),
    [
        (FILM, "a Scott i Cameron to jaką szkołę kończyli?", ["Ridley Scott", "Cameron"]),
        (PLANET, "Bratysława i Budapeszt?", ["Bratysława", "Budapeszt"]),
        (PLANET, "A Jowisz i Saturn?", ["Jowisz", "Saturn"]),
        (RISING, "a listopadowe i styczniowe?", ["powstanie listopadowe", "powstanie styczniowe"]),
    ],
)
def test_two_names_asked_about_together_are_two_topics(
    detector: Detector, said: tuple[str, str, str], prompt: str, topics: list[str]
) -> None:
    assert decided(detector, said, prompt) == [{"query": one} for one in topics]


def test_a_couple_is_one_topic(detector: Detector) -> None:
    assert len(decided(detector, FILM, "a Romeo i Julia?")) == 1


def test_no_forecast_is_for_the_title_of_an_article(detector: Detector) -> None:
    found = decided(detector, BOOK, "jaka dziś będzie pogoda, wywiesić pranie?")

    assert found == [("get_weather", "city")]


def test_a_topic_that_no_list_knows_is_a_place_where_the_prompt_points(detector: Detector) -> None:
    found = decided(detector, BOOK, "a jaka tam dziś pogoda?")

    assert found == [{"city": "Ferdydurke", "day": "today"}]
