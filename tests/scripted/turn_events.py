"""What tests of whole turns script for the router, and how they read a turn's events."""

from collections.abc import Sequence
from typing import TypeVar

from chatbot.events import Event, TextEvent
from chatbot.testing import ScriptedEngine

E = TypeVar("E", bound=Event)


def calls(*bodies: str) -> ScriptedEngine:
    return ScriptedEngine(script=["<|python_tag|>", "; ".join(bodies)], name="router")


def call(name: str, arguments: str) -> str:
    return f'{{"name": "{name}", "parameters": {arguments}}}'


def names(events: Sequence[Event]) -> list[str]:
    return [event.name for event in events]


def text(events: Sequence[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextEvent))


def only(events: Sequence[Event], kind: type[E]) -> E:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found
