"""What goes back behind the last exchange, and what says that we took a prompt wrongly."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.types import JsonObject, Message, Text, ToolCall

TODAY = date(2026, 11, 18)  # a Wednesday
WEATHER, MATHEMATICS = "get_weather", "calculate"
WIKIPEDIA, IMAGE = "search_wikipedia", "generate_image"

Exchange = tuple[str, str, str | None, JsonObject]
"""What was asked, replied, called (if anything was), and with what."""


def weather(city: str, day: str, reply: str) -> Exchange:
    return (f"pogoda {city} {day}", reply, WEATHER, {"city": city, "day": day})


def article(asked: str, reply: str, query: str) -> Exchange:
    return (asked, reply, WIKIPEDIA, {"query": query})


def picture(description: str) -> Exchange:
    return (f"narysuj: {description}", "Gotowe.", IMAGE, {"description": description})


def sum_of(expression: str, reply: str) -> Exchange:
    return (f"ile to {expression}", reply, MATHEMATICS, {"expression": expression})


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def decide(
    detector: Detector, exchanges: tuple[Exchange, ...], prompt: str
) -> list[tuple[str, JsonObject]]:
    """The calls that the prompt gets after the exchanges."""
    messages: list[Message] = []
    for at, (asked, reply, tool, arguments) in enumerate(exchanges):
        call = ToolCall(
            call_id=str(at), name=tool or "", arguments=arguments, raw_arguments=arguments
        )
        calls = (call,) if tool else ()
        messages.append(Message(role="user", parts=(Text(text=asked),)))
        messages.append(Message(role="assistant", parts=(*calls, Text(text=reply))))
    before = state(messages)
    certain = follow_up(prompt, before, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, before, TOOLS, today=TODAY, detector=detector, certain=certain)
    assert found is not None
    return [(one.name, dict(one.arguments)) for one in found.calls]


CASTLE = article("kto zbudował zamek w Dębnie", "Zamek w Dębnie wzniósł Jakub.", "Zamek w Dębnie")
RAIN = weather("Bochnia", "tomorrow", "Jutro w Bochni 12°C, deszcz.")
OWL = picture("sowa czytająca gazetę na ławce")
GIFT: Exchange = (
    "zrzutka na prezent 480 zł na 8 osób",
    "Po 60 zł od osoby.",
    MATHEMATICS,
    {"expression": "480/8"},
)


@every_row(
    ("exchanges", "prompt", "meant"),
    [
        (
            (RAIN, OWL, weather("Tarnów", "tomorrow", "Jutro w Tarnowie 13°C.")),
            "a to miasto z początku ile ma mieszkańców?",
            [(WIKIPEDIA, {"query": "Bochnia"})],
        ),
        (
            (weather("Bochnia", "saturday", "W sobotę w Bochni 12°C."), OWL),
            "pomyliłam się, nie w Bochni, w Brzesku ta pogoda miała być",
            [(WEATHER, {"city": "Brzesko", "day": "saturday"})],
        ),
        (
            (("w weekend będzie ładnie?", "Gdzie mam sprawdzić?", None, {}), GIFT),
            "to teraz ta pogoda. nad Soliną będziemy",
            [(WEATHER, {"city": "Solina", "day": "weekend"})],
        ),
        (
            (weather("Bochnia", "today", "W Bochni 12°C."), GIFT),
            "Wracając do pogody: jak zapowiada się reszta tygodnia, gdyż układam grafik prac?",
            [(WEATHER, {"city": "Bochnia", "day": "next_days"})],
        ),
        (
            (GIFT, picture("tort")),
            "z tej zrzutki dwie osoby się wypisały, po ile teraz?",
            [(MATHEMATICS, {"expression": "480/6"})],
        ),
    ],
)
def test_a_prompt_goes_back_to_what_it_names(
    detector: Detector, exchanges: tuple[Exchange, ...], prompt: str, meant: object
) -> None:
    assert decide(detector, exchanges, prompt) == meant


def test_a_picture_of_before_is_drawn_again(detector: Detector) -> None:
    prompt = "wygeneruj mi tę sowę jeszcze raz"
    ((tool, arguments),) = decide(detector, (OWL, CASTLE), prompt)
    assert tool == IMAGE
    assert "sowa czytająca gazetę na ławce" in str(arguments["description"])
    assert "Dębn" not in str(arguments["description"])


def test_what_is_named_by_the_last_exchange_stays_with_it(detector: Detector) -> None:
    other = article("a zamek w Czersku?", "Zamek w Czersku wzniósł Janusz.", "Zamek w Czersku")
    found = decide(detector, (CASTLE, RAIN, other), "a kiedy powstał ten zamek?")
    assert found == [(WIKIPEDIA, {"query": "Zamek w Czersku"})]


def test_the_last_question_may_have_been_one_about_the_weather(detector: Detector) -> None:
    hill = article("a na Śnieżce?", "Śnieżka ma 1603 m n.p.m.", "Śnieżka")
    found = decide(detector, (RAIN, hill), "źle mnie zrozumiałeś, chodziło mi o pogodę")
    assert found == [(WEATHER, {"city": "Śnieżka", "day": "tomorrow"})]


def test_another_thing_of_the_same_name_is_drawn(detector: Detector) -> None:
    prompt = "nie tak, chodziło mi o zamek błyskawiczny przy kurtce"
    found = decide(detector, (picture("zamek na wzgórzu"),), prompt)
    assert found == [(IMAGE, {"description": "zamek błyskawiczny przy kurtce"})]


@pytest.mark.parametrize(
    "prompt", ["a ile to w milach?", "ile to będzie w stopach", "to ile w calach?"]
)
def test_another_unit_is_nothing_to_look_up(detector: Detector, prompt: str) -> None:
    river = article("jak długa jest Warta", "Warta ma 808 km długości.", "Warta")
    assert decide(detector, (river,), prompt) == []


def test_steps_without_an_operand_go_on_from_the_result(detector: Detector) -> None:
    prompt = "i teraz podziel na pół, a potem dolicz VAT 23%"
    ((_, arguments),) = decide(detector, (sum_of("900 + 100", "1000"),), prompt)
    assert arguments["expression"] == "((900 + 100)/2)*(1 + 23/100)"


def test_another_edition_may_be_asked_for_beside_a_reason(detector: Detector) -> None:
    known = article("Co to jest CERN?", "CERN to organizacja pod Genewą.", "CERN")
    prompt = "Mogę to samo, ale z angielskiej Wikipedii? Potrzebuję do referatu."
    assert decide(detector, (known,), prompt) == [(WIKIPEDIA, {"query": "CERN", "language": "en"})]
