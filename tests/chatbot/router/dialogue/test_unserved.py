"""What sounds like a follow-up and is for no tool, and what only looks like it."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.types import JsonObject, Message, Text, ToolCall

TODAY = date(2026, 11, 18)  # a Wednesday
NEEDED = {
    "city": "get_weather",
    "query": "search_wikipedia",
    "expression": "calculate",
    "description": "generate_image",
}
Exchange = tuple[str, str, JsonObject]

RAIN: Exchange = (
    "pogoda w Turku na czwartek",
    "W czwartek w Turku 12°C.",
    {"city": "Turek", "day": "thursday"},
)
COAST: Exchange = (
    "Jak jutro w Rowach?",
    "Jutro w Rowach 15°C.",
    {"city": "Rowy", "day": "tomorrow"},
)
CASTLE: Exchange = (
    "kto zbudował zamek w Dębnie",
    "Zamek w Dębnie wzniósł Jakub Dębiński.",
    {"query": "Zamek w Dębnie"},
)
SCHOOL: Exchange = (
    "Kiedy powstała AGH?",
    "Akademię założono w 1919 roku.",
    {"query": "Akademia Górniczo-Hutnicza"},
)
BATTLE: Exchange = (
    "Kiedy była bitwa pod Kłuszynem?",
    "4 lipca 1610 roku.",
    {"query": "bitwa pod Kłuszynem"},
)
NOVEL: Exchange = (
    "kto napisał Nad Niemnem",
    "Powieść napisała Eliza Orzeszkowa.",
    {"query": "Nad Niemnem"},
)
PRICE: Exchange = ("215 + 48 zł", "Razem 263 zł.", {"expression": "215+48"})
LEFT: Exchange = (
    "Kasa na klasowe: 24 osoby po 15 zł, wydano 287 zł. Ile zostało?",
    "73 zł",
    {"expression": "24*15-287"},
)
LENGTH: Exchange = ("ile to 3 razy 85 cm", "3 · 85 = 255 cm.", {"expression": "3*85"})
TIMES: Exchange = ("a razy 7?", "263 · 7 = 1841.", {"expression": "(215+48)*7"})
BEAR: Exchange = (
    "narysuj misia na rowerze",
    "Oto miś.",
    {"description": "miś na rowerze"},
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def decide(
    detector: Detector, exchanges: tuple[Exchange, ...], prompt: str
) -> list[tuple[str, JsonObject]]:
    messages: list[Message] = []
    for at, (asked, reply, arguments) in enumerate(exchanges):
        name = next(NEEDED[one] for one in arguments if one in NEEDED)
        call = ToolCall(call_id=str(at), name=name, arguments=arguments, raw_arguments=arguments)
        messages.append(Message(role="user", parts=(Text(text=asked),)))
        messages.append(Message(role="assistant", parts=(call, Text(text=reply))))
    before = state(messages)
    certain = follow_up(prompt, before, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, before, TOOLS, today=TODAY, detector=detector, certain=certain)
    assert found is not None
    return [(one.name, dict(one.arguments)) for one in found.calls]


@every_row(
    ("exchanges", "prompt"),
    [
        ((RAIN,), "a w zeszłą środę też lało?"),
        ((RAIN,), "z soboty na niedzielę zeszłego tygodnia był tam mróz?"),
        ((RAIN,), "a trzy tygodnie temu jak było?"),
        ((CASTLE,), "padało tam w ubiegły weekend?"),
        ((COAST,), "a woda ile ma stopni?"),
        ((COAST,), "zimna jest ta woda?"),
        ((COAST,), "a jakiś bus ze Słupska tam jeździ?"),
        ((CASTLE,), "czym tam dojadę z Brzeska?"),
        ((CASTLE,), "jest tam parking dla autokarów?"),
        ((SCHOOL,), "do kiedy trzeba tam złożyć dokumenty?"),
        ((SCHOOL,), "ile wynosi czesne?"),
        ((BATTLE,), "ile dni zostało do rocznicy?"),
        ((BATTLE,), "jaki to był dzień tygodnia?"),
        ((NOVEL,), "porównaj to z „Chłopami”, piszę wypracowanie"),
        ((PRICE,), "a w euro?"),
        ((PRICE,), "ile to będzie we frankach szwajcarskich?"),
        ((LENGTH,), "a ile to w calach?"),
        ((PRICE, TIMES), "ile wyszło za pierwszym razem? uciekło mi"),
        ((PRICE, TIMES), "co było na początku?"),
        ((BEAR,), "ile kosztowałby taki wydruk?"),
        ((BEAR,), "fajny! a jak samodzielnie narysować takiego misia? od czego zacząć?"),
        ((BEAR,), "Jak ja, laik, mógłbym samemu coś takiego namalować akwarelą?"),
        ((BEAR,), "a jak się rysuje takie futro krok po kroku?"),
        ((BEAR,), "Jak mogę nauczyć się malować takie zwierzaki?"),
        ((NOVEL,), "A Pańskim zdaniem kto pisał lepiej, ona czy Prus?"),
        ((NOVEL,), "Jak Państwo sądzą, kto był większym pisarzem, ona czy Prus?"),
        ((NOVEL,), "A którą powieść pani najbardziej lubi?"),
        ((NOVEL,), "A według Pani to lepsza powieść niż „Lalka”?"),
        ((RAIN,), "przetłumacz „Sprawdź pogodę w Rydze i narysuj misia”"),
        ((RAIN,), "a teraz angielski: przetłumacz „Kim był Bach? Policz 2+2.”"),
    ],
)
def test_the_default_model_answers_what_no_tool_does(
    detector: Detector, exchanges: tuple[Exchange, ...], prompt: str
) -> None:
    assert decide(detector, exchanges, prompt) == []


@every_row(
    ("exchanges", "prompt", "meant"),
    [
        ((RAIN,), "a w sobotę? bo w zeszłą lało", ("get_weather", "day", "saturday")),
        ((RAIN,), "w piątek będzie cieplej niż w zeszły piątek?", ("get_weather", "day", "friday")),
        ((RAIN,), "a Koło tego samego dnia?", ("get_weather", "city", "Koło")),
        ((COAST,), "a nad wodą będzie wiało?", ("get_weather", "city", "Rowy")),
        ((CASTLE,), "jak dojadę tam w piątek, to zmoknę?", ("get_weather", "day", "friday")),
        ((CASTLE,), "brać tam jutro kurtki? idziemy z 4a", ("get_weather", "day", "tomorrow")),
        ((CASTLE,), "ile dni trwała budowa?", ("search_wikipedia", "query", "Zamek w Dębnie")),
        (
            (BATTLE,),
            "ile kosztowała ta wyprawa?",
            ("search_wikipedia", "query", "bitwa pod Kłuszynem"),
        ),
        ((NOVEL,), "ile ma tomów?", ("search_wikipedia", "query", "Nad Niemnem")),
        (
            (NOVEL,),
            "według czego pani Orzeszkowa to napisała?",
            ("search_wikipedia", "query", "Eliza Orzeszkowa"),
        ),
        ((RAIN,), "jak Pan myśli, w sobotę będzie padać?", ("get_weather", "day", "saturday")),
        ((LEFT,), "ile było na początku?", ("calculate", "expression", "24*15")),
        ((LENGTH,), "a w metrach?", ("calculate", "expression", "(3*85)*Rational(1, 100)")),
        (
            (RAIN,),
            "przetłumacz „mgła” na czeski, a potem sprawdź pogodę w Pradze",
            ("get_weather", "city", "Praga"),
        ),
    ],
)
def test_what_only_looks_like_it_stays_with_its_tool(
    detector: Detector,
    exchanges: tuple[Exchange, ...],
    prompt: str,
    meant: tuple[str, str, str],
) -> None:
    ((name, arguments),) = decide(detector, exchanges, prompt)
    tool, argument, value = meant
    assert (name, arguments[argument]) == (tool, value)
