"""Text that is heard where it is read is what would have been yielded."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from scripted.rules import PESEL, rules
from scripted.turn_events import calls

from chatbot.bot import Chatbot, TurnLimits
from chatbot.errors import EngineLost
from chatbot.events import ErrorEvent, Event, TextEvent
from chatbot.testing import ManualClock, Pause, ScriptedEngine
from chatbot.types import Delta, TurnRequest, Usage

Build = Callable[..., Chatbot]
Play = Callable[[Chatbot, TurnRequest], Awaitable[list[Event]]]
Ask = Callable[..., TurnRequest]
Script = list[str | Delta | Pause | Exception]

DEFAULT = '{"name": "default_function", "parameters": {}}'
END = Delta(finish="stop", usage=Usage(prompt_tokens=3, completion_tokens=5))
SCRIPTS: dict[str, Script] = {
    "words": ["Dzień ", "dobry", "!"],
    "thoughts first": [Delta(reasoning="Hm, "), Delta(reasoning="a."), "Dzień ", "dobry", END],
    "held back": ["Zob. ", "[stronę](ht", "tps://obca.example/a", ") i ", "wróć", END],
    "open code": ["```\n", "x = 1\n", "y", END],
    "a pause": ["Dzień ", Pause(seconds=0), "dobry", END],
    "both at once": ["Dzień ", Delta(text="dobry", reasoning="hm"), "!", END],
    "lost": ["Dzień ", "dobry", EngineLost("cut", engine="answers")],
    "lost in code": ["```\n", "x", EngineLost("cut", engine="answers")],
    "nothing": [END],
    "secret": ["Podaję ", "numer: ", PESEL, " i ", "tyle", END],
}


class Listener:
    """Takes events of text, or refuses every so many-th of them."""

    def __init__(self, refused: int = 0) -> None:
        self.heard: list[Event] = []
        self._refused = refused
        self._asked = 0

    def take(self, event: TextEvent) -> bool:
        self._asked += 1
        if self._refused and self._asked % self._refused == 0:
            return False
        self.heard.append(event)
        return True


async def listen(chatbot: Chatbot, request: TurnRequest, listener: Listener) -> list[Event]:
    """What the turn yields; in between, ``listener`` hears."""
    async with chatbot.turn(request, listen=listener.take) as turn:
        return [event async for event in turn]


def in_order(events: list[Event]) -> list[Event]:
    return sorted(events, key=lambda event: event.seq)


@pytest.mark.parametrize("said", SCRIPTS)
@pytest.mark.parametrize(
    ("refused", "refuses"), [(0, False), (1, False), (2, True), (3, True), (0, True)]
)
async def test_what_is_heard_and_yielded_is_the_same_turn(
    *, build: Build, play: Play, request_turn: Ask, said: str, refused: int, refuses: bool
) -> None:
    def chatbot() -> Chatbot:
        engine = ScriptedEngine(script=SCRIPTS[said], name="answers")
        plain = build(calls(DEFAULT), engine=engine)
        return replace(plain, safety=rules("refuse" if refuses else "mask"))

    listener = Listener(refused)
    yielded = await listen(chatbot(), request_turn(), listener)

    assert in_order(yielded + listener.heard) == await play(chatbot(), request_turn())
    assert [event.seq for event in yielded] == sorted(event.seq for event in yielded)


async def test_all_text_but_the_first_is_heard_where_it_is_read(
    build: Build, request_turn: Ask
) -> None:
    engine = ScriptedEngine(script=["Dzień ", "dobry", "!"], name="answers")
    listener = Listener()
    yielded = await listen(build(calls(DEFAULT), engine=engine), request_turn(), listener)

    assert [event.name for event in yielded] == ["route", "text", "usage", "done"]
    assert [event.text for event in listener.heard if isinstance(event, TextEvent)] == [
        "dobry",
        "!",
    ]


async def test_a_turn_over_its_limit_is_cut_in_the_midst_of_what_is_heard(
    build: Build, request_turn: Ask
) -> None:
    clock = ManualClock()
    engine = ScriptedEngine(script=["Dzień ", "dobry", " i ", "dalej"], name="answers")
    limited = build(calls(DEFAULT), engine=engine, limits=TurnLimits(turn_s=10.0))
    chatbot = replace(limited, clock=clock)
    heard: list[str] = []

    def take(event: TextEvent) -> bool:
        heard.append(event.text)
        clock.advance(11.0)
        return True

    async with chatbot.turn(request_turn(), listen=take) as turn:
        yielded = [event async for event in turn]

    assert heard == ["dobry"]
    assert [event.name for event in yielded] == ["route", "text", "text", "usage", "error"]
    assert isinstance(yielded[-1], ErrorEvent)
