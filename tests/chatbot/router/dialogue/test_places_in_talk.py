"""Which place a follow-up means: one of those offered, another of the name, one beside a wish."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.types import JsonObject, Message, Text, ToolCall

TODAY = date(2026, 11, 18)  # a Wednesday
WEATHER, WIKIPEDIA = "get_weather", "search_wikipedia"
MATHEMATICS = "calculate"
Exchange = tuple[str, str, JsonObject]

TARNOW: Exchange = (
    "jaka pogoda jutro w tarnowie",
    "Chodzi o Tarnów w Małopolsce czy o Tarnowo Podgórne?",
    {},
)
BRZEG: Exchange = (
    "jutro w brzegu jak?",
    "Chodzi o Brzeg koło Opola czy o Brzeg Dolny pod Wrocławiem?",
    {},
)
MIASTO: Exchange = (
    "Pogoda na jutro w Nowym Mieście?",
    "Chodzi o Nowe Miasto Lubawskie czy Nowe Miasto nad Pilicą?",
    {},
)
KAZIMIERZ: Exchange = (
    "Jaka jutro pogoda w Kazimierzu?",
    "Chodzi o Kazimierz Dolny nad Wisłą czy Kazimierzę Wielką?",
    {},
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def decide(detector: Detector, exchange: Exchange, prompt: str) -> list[tuple[str, JsonObject]]:
    asked, reply, arguments = exchange
    call = ToolCall(call_id="1", name=WEATHER, arguments=arguments, raw_arguments=arguments)
    known = state((
        Message(role="user", parts=(Text(text=asked),)),
        Message(role="assistant", parts=(*((call,) if arguments else ()), Text(text=reply))),
    ))
    certain = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, known, TOOLS, today=TODAY, detector=detector, certain=certain)
    return [(one.name, dict(one.arguments)) for one in found.calls] if found else []


@every_row(
    ("exchange", "prompt", "city"),
    [
        (TARNOW, "to pod poznaniem", "Tarnowo Podgórne"),
        (TARNOW, "To w Małopolsce.", "Tarnów"),
        (TARNOW, "pierwsze", "Tarnów"),
        (TARNOW, "to drugie poproszę", "Tarnowo Podgórne"),
        (TARNOW, "wielkopolskie", "Tarnowo Podgórne"),
        (TARNOW, "Tarnów", "Tarnów"),
        (BRZEG, "ten pod wrocławiem", "Brzeg Dolny"),
        (BRZEG, "o ten koło Opola mi chodzi", "Brzeg"),
        (KAZIMIERZ, "ten nad wisłą", "Kazimierz Dolny"),
        (MIASTO, "to nad rzeką", "Nowe Miasto nad Pilicą"),
    ],
)
def test_an_answer_says_which_of_the_offered_places_is_meant(
    detector: Detector, exchange: Exchange, prompt: str, city: str
) -> None:
    assert decide(detector, exchange, prompt) == [(WEATHER, {"city": city, "day": "tomorrow"})]


@pytest.mark.parametrize("prompt", ["dziękuję", "nieważne"])
def test_what_tells_of_no_place_chooses_none(detector: Detector, prompt: str) -> None:
    assert decide(detector, TARNOW, prompt) == []


def forecast(city: str) -> Exchange:
    return (f"pogoda {city.split(maxsplit=1)[0]} piątek", "11°C.", {"city": city, "day": "friday"})


@every_row(
    ("answered", "prompt", "city"),
    [
        ("Oborniki Śląskie", "Nie śląskie!! Te nasze, wielkopolskie", "Oborniki"),
        ("Oborniki Śląskie", "nie te śląskie, te koło Poznania", "Oborniki"),
        ("Oborniki", "nie te, śląskie", "Oborniki Śląskie"),
        (
            "Ostrów Wielkopolski",
            "nie wielkopolski, mazowiecka ostrów mi chodzi",
            "Ostrów Mazowiecka",
        ),
        ("Tomaszów Mazowiecki", "Nie mazowiecki! Nasz, lubelski.", "Tomaszów Lubelski"),
    ],
)
def test_another_place_of_the_name_is_meant(
    detector: Detector, answered: str, prompt: str, city: str
) -> None:
    found = decide(detector, forecast(answered), prompt)
    assert found == [(WEATHER, {"city": city, "day": "friday"})]


@every_row(
    ("prompt", "wish"),
    [
        (
            "Super. A kiedy urodził się Kopernik i jak będzie w niedzielę?",
            (WIKIPEDIA, {"query": "Mikołaj Kopernik"}),
        ),
        (
            "Dzięki. Jeszcze dwie rzeczy: kto założył Pogoń i czy w niedzielę też będzie sucho?",
            (WIKIPEDIA, {"query": "Pogoń"}),
        ),
        ("policz 12*17 i jak w niedzielę?", (MATHEMATICS, {"expression": "12*17"})),
    ],
)
def test_a_forecast_goes_on_beside_another_wish(
    detector: Detector, prompt: str, wish: tuple[str, JsonObject]
) -> None:
    found = decide(detector, forecast("Toruń"), prompt)
    assert found == [wish, (WEATHER, {"city": "Toruń", "day": "sunday"})]


ADVICE: Exchange = (
    "Chcę zobaczyć coś gotyckiego między Gdańskiem a Toruniem.",
    "Warto zajrzeć do Pelplina, do pocysterskiej bazyliki.",
    {},
)


def test_the_place_that_was_advised_is_meant(detector: Detector) -> None:
    prompt = "Kto jest tam pochowany w katedrze i jak tam dziś z pogodą?"
    assert decide(detector, ADVICE, prompt) == [
        (WIKIPEDIA, {"query": "katedra w Pelplinie"}),
        (WEATHER, {"city": "Pelplin", "day": "today"}),
    ]


@pytest.mark.parametrize("prompt", ["kto zbudował tam zamek?", "a kto zbudował tamtejszy zamek?"])
def test_a_building_there_is_the_one_at_that_place(detector: Detector, prompt: str) -> None:
    assert decide(detector, forecast("Łęczyca"), prompt) == [
        (WIKIPEDIA, {"query": "zamek w Łęczycy"})
    ]
