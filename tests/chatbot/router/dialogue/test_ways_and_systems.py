"""Equations put right, primes next to each other, places of a way, what is no wish for a tool."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS

from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.types import JsonObject, Message, Text, ToolCall

Exchange = tuple[str, str, tuple[tuple[str, str, str], ...]]
"""Prompt, reply, and the calls: tool, argument (and day)."""

TODAY = date(2026, 11, 18)
NEEDED = {"calculate": "expression", "get_weather": "city", "search_wikipedia": "query"}

SYSTEM: Exchange = (
    "rozwiąż układ x + 2y = 8, 3x − y = 3",
    "x = 2, y = 3.",
    (("calculate", "solve([Eq(x + 2*y, 8), Eq(3*x - y, 3)], [x, y])", ""),),
)
PRIME: Exchange = ("czy 541 to liczba pierwsza", "Tak.", (("calculate", "isprime(541)", ""),))
DELTA: Exchange = ("delta dla x²−5x+6", "Δ = 1.", (("calculate", "(-5)**2 - 4*1*6", ""),))
WAGES: Exchange = ("dwieście złotych razy osiemnaście", "3600.", (("calculate", "200*18", ""),))
DAYS: Exchange = (
    "Jaka pogoda w Opolu w piątek i w sobotę?",
    "W piątek w Opolu 12°C, w sobotę tylko 5°C.",
    (("get_weather", "Opole", "friday"), ("get_weather", "Opole", "saturday")),
)
RAIN: Exchange = (
    "jaka jutro pogoda w Mielcu",
    "Jutro w Mielcu 8°C i deszcz.",
    (("get_weather", "Mielec", "tomorrow"),),
)
COLD: Exchange = ("Pogoda w Zakopanem?", "W Zakopanem 7°C.", (("get_weather", "Zakopane", ""),))
TRIP: Exchange = ("W sobotę jedziemy nad morze do Ustki.", "Udanej podróży!", ())
FERRY: Exchange = (
    "Skąd pływają promy przez Sund?",
    "Promy kursują tam między duńskim Helsingør a szwedzkim Helsingborgiem.",
    (("search_wikipedia", "Sund", ""),),
)
SHIP: Exchange = (
    "gdzie stoi dar pomorza",
    "„Dar Pomorza” stoi w Gdyni przy nabrzeżu.",
    (("search_wikipedia", "Dar Pomorza", ""),),
)
NOVEL: Exchange = (
    "Kto napisał „Lalkę”?",
    "„Lalkę” napisał Bolesław Prus.",
    (("search_wikipedia", "Lalka (powieść)", ""),),
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def _messages(exchange: Exchange) -> list[Message]:
    prompt, reply, made = exchange
    calls = tuple(
        ToolCall(
            call_id=tool,
            name=tool,
            arguments={NEEDED[tool]: value} | ({"day": day} if day else {}),
            raw_arguments={},
        )
        for tool, value, day in made
    )
    return [
        Message(role="user", parts=(Text(text=prompt),)),
        Message(role="assistant", parts=(*calls, Text(text=reply))),
    ]


def _made(detector: Detector, exchange: Exchange, prompt: str) -> list[JsonObject]:
    known = state(_messages(exchange))
    certain = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, known, TOOLS, today=TODAY, detector=detector, certain=certain)
    return [dict(one.arguments) for one in found.calls] if found else []


@pytest.mark.parametrize(
    ("exchange", "prompt", "expression"),
    [
        (SYSTEM, "sory, w pierwszym miało być x − 2y", "Eq(x - 2*y, 8), Eq(3*x - y, 3)"),
        (SYSTEM, "w drugim równaniu powinno być 3x + y = 5", "Eq(x + 2*y, 8), Eq(3*x + y, 5)"),
        (SYSTEM, "zamiast 3x − y powinno być 3x + y", "Eq(x + 2*y, 8), Eq(3*x + y, 3)"),
        (SYSTEM, "w drugim zamiast 3 po prawej niech będzie 6", "Eq(x + 2*y, 8), Eq(3*x - y, 6)"),
        (PRIME, "a najbliższa większa od niej?", "nextprime(541)"),
        (PRIME, "podaj kolejną większą", "nextprime(541)"),
        (PRIME, "i pierwsza mniejsza od niej", "prevprime(541)"),
        (
            WAGES,
            "yyy no i teraz minus dziewięćset zaliczki i to na sześcioro",
            "((200*18) - (900))/6",
        ),
        (DAYS, "to o ile stopni spadnie?", "12 - 5"),
        (DAYS, "o ile stopni zimniej będzie w sobotę", "12 - 5"),
    ],
)
def test_calculates(detector: Detector, exchange: Exchange, prompt: str, expression: str) -> None:
    made = _made(detector, exchange, prompt)
    assert len(made) == 1
    assert expression in str(made[0].get("expression"))


@pytest.mark.parametrize(
    ("exchange", "prompt", "places", "day"),
    [
        (TRIP, "Czy po drodze nie sypnie: najpierw Piła, potem Szczecinek?",
         ["Piła", "Szczecinek"], "saturday"),
        (TRIP, "jak będzie po drodze? jedziemy przez Koszalin i Sławno",
         ["Koszalin", "Sławno"], "saturday"),
        (FERRY, "w tym drugim ile dzisiaj stopni?", ["Helsingborg"], "today"),
        (SHIP, "zabieram tam wnuki w sobotę, wiatrówki im pakować?", ["Gdynia"], "saturday"),
        (RAIN, "o to niedobrze a w sobotę bo ja pomidory miałam sadzić", ["Mielec"], "saturday"),
        (DAYS, "a o ile spadnie w niedzielę?", ["Opole"], "sunday"),
    ],
)  # fmt: skip
def test_asks_for_the_weather(
    detector: Detector, exchange: Exchange, prompt: str, places: list[str], day: str
) -> None:
    made = _made(detector, exchange, prompt)
    assert made == [{"city": place, "day": day} for place in places]


@pytest.mark.parametrize(
    ("exchange", "prompt"),
    [
        (DELTA, "nie licz pierwiastków, tylko podpowiedz, jak się je liczy"),
        (DELTA, "pierwiastki policzę sam, powiedz tylko, jakim wzorem"),
        (COLD, "Why „w Zakopanem”, a nie „w Zakopanym”?"),
        (COLD, "W Zakopanem czy w Zakopanym? Jak jest poprawnie?"),
        (NOVEL, "A jest wolny egzemplarz w bibliotece, czy wszystko wypożyczone?"),
        (NOVEL, "a dostanę to jeszcze w księgarni?"),
    ],
)
def test_asks_for_nothing(detector: Detector, exchange: Exchange, prompt: str) -> None:
    assert _made(detector, exchange, prompt) == []


@pytest.mark.parametrize(
    ("exchange", "prompt"),
    [
        (DELTA, "teraz pierwiastki, ale nie zaokrąglaj"),
        (COLD, "w Zakopanem czy w Nowym Targu cieplej?"),
        (NOVEL, "a w której bibliotece leży rękopis?"),
    ],
)
def test_still_asks(detector: Detector, exchange: Exchange, prompt: str) -> None:
    assert _made(detector, exchange, prompt)
