"""Which of the things spoken of a prompt means, told by an order, an adjective, or its kind."""

from datetime import date

import pytest

from chatbot.router.detector import Detector
from chatbot.router.dialogue import state
from chatbot.router.dialogue.guess import guess
from chatbot.types import JsonObject, Message, Text, ToolCall, ToolSpec

TOOLS = tuple(
    ToolSpec(name=name, title=name, description=name, parameters={"required": [argument]})
    for name, argument in (("get_weather", "city"), ("search_wikipedia", "query"))
)
WAR = (
    "Ile trwała wojna trzynastoletnia?",
    "Wojna trzynastoletnia trwała od 1454 do 1466 roku.",
    "search_wikipedia",
    "wojna trzynastoletnia",
)
PEAK = (
    "Gdzie zginął Kukuczka?",
    "Jerzy Kukuczka zginął na południowej ścianie Lhotse.",
    "search_wikipedia",
    "Jerzy Kukuczka",
)
PARK = (
    "Gdzie leży Kampinoski Park Narodowy?",
    "Kampinoski Park Narodowy leży pod Warszawą.",
    "search_wikipedia",
    "Kampinoski Park Narodowy",
)
RAIN = ("Pada dziś w Pucku?", "W Pucku dziś 12°C, bez opadów.", "get_weather", "Puck")
LIST = (
    "Od kiedy działa zamek w Malborku?",
    "Zamek w Malborku stoi od XIII wieku.",
    "search_wikipedia",
    "Zamek w Malborku",
)

GRAVES = (
    "Kto leży na Wawelu?",
    "Na Wawelu leżą Adam Mickiewicz, Juliusz Słowacki i Tadeusz Kościuszko.",
    "search_wikipedia",
    "Wawel",
)
FILM = (
    "Kto nakręcił „Pianistę”?",
    "„Pianistę” wyreżyserował Roman Polański; muzykę napisał Wojciech Kilar.",
    "search_wikipedia",
    "Pianista (film)",
)
BIRD = ("Co je zimorodek?", "Zimorodek je małe ryby.", "search_wikipedia", "zimorodek")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


@pytest.mark.parametrize(
    ("said", "prompt", "query"),
    [
        (GRAVES, "Kiedy urodził się ten ostatni?", "Tadeusz Kościuszko"),
        (GRAVES, "a słowacki gdzie umarł?", "Juliusz Słowacki"),
        (FILM, "Skąd pochodził ten kompozytor?", "Wojciech Kilar"),
        (BIRD, "a żołna?", "żołna"),
        (WAR, "a ta trzydziestoletnia?", "wojna trzydziestoletnia"),
        (PARK, "A ten Wigierski?", "Wigierski Park Narodowy"),
        (PEAK, "Ile metrów ma ta góra?", "Lhotse"),
        (RAIN, "a jaki jest tam najstarszy kościół?", "Puck"),
        (LIST, "Od którego roku jest na liście UNESCO?", "Zamek w Malborku"),
        (LIST, "Rany! A kiedy go zbudowano?", "Zamek w Malborku"),
    ],
)
def test_what_is_meant(
    detector: Detector, said: tuple[str, str, str, str], prompt: str, query: str
) -> None:
    asked, reply, tool, value = said
    arguments: JsonObject = {"city" if tool == "get_weather" else "query": value}
    call = ToolCall(call_id="1", name=tool, arguments=arguments, raw_arguments=arguments)
    known = state([
        Message(role="user", parts=(Text(text=asked),)),
        Message(role="assistant", parts=(call, Text(text=reply))),
    ])
    found = guess(prompt, known, TOOLS, today=date(2026, 11, 18), detector=detector)
    assert found is not None
    assert [one.arguments["query"] for one in found.calls] == [query]
