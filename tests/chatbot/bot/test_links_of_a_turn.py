"""A model's links lead only where the user, a tool of the turn or the operator has pointed."""

from collections.abc import Awaitable, Callable
from dataclasses import fields

import pytest

from chatbot.bot import Chatbot
from chatbot.bot.equipment import Equipment
from chatbot.events import Event, TextEvent
from chatbot.testing import ScriptedEngine
from chatbot.types import TurnRequest

Build = Callable[..., Chatbot]
Play = Callable[[Chatbot, TurnRequest], Awaitable[list[Event]]]
Ask = Callable[..., TurnRequest]

LINK = "[opis](https://obce.example/a)"
DEFAULT = '{"name": "default_function", "parameters": {}}'


def with_equipment(chatbot: Chatbot, **changes: object) -> Chatbot:
    given = {one.name: getattr(chatbot, one.name) for one in fields(Equipment)}
    return Chatbot(**(given | changes))


Show = Callable[..., Awaitable[str]]


@pytest.fixture
def show(build: Build, play: Play, request_turn: Ask) -> Show:
    async def text_of(question: str, **changes: object) -> str:
        router = ScriptedEngine(script=["<|python_tag|>", DEFAULT], name="router")
        model = ScriptedEngine(script=["Tu: [opis](htt", "ps://obce.example/a)."], name="bielik")
        chatbot = with_equipment(build(router, model), **changes)
        events = await play(chatbot, request_turn(question))
        return "".join(event.text for event in events if isinstance(event, TextEvent))

    return text_of


async def test_a_link_to_a_host_that_nobody_named_is_plain_text(show: Show) -> None:
    text = await show("Gdzie to opisano?")

    assert LINK not in text
    assert text.replace(" ", "") == f"Tu:{LINK}."


@pytest.mark.parametrize(
    ("question", "changes"),
    [
        ("Czy obce.example to opisuje?", {}),
        ("Gdzie to opisano?", {"trusted_hosts": ("obce.example",)}),
        ("Gdzie to opisano?", {"plain_links": False}),
    ],
)
async def test_a_link_to_a_known_host_stays_a_link(
    show: Show, question: str, changes: dict[str, object]
) -> None:
    assert await show(question, **changes) == f"Tu: {LINK}."
