from collections.abc import AsyncIterator, Callable
from itertools import count
from typing import Annotated

import anyio
import pytest
from pydantic import Field

from chatbot.bot import Chatbot, TurnLimits
from chatbot.events import Event
from chatbot.ports import ChatEngine
from chatbot.router import DIALECTS, Router, RouterLimits
from chatbot.testing import InlineWorkers, ManualClock, MemoryImageStore, ScriptedEngine
from chatbot.tools import Registry, ToolContext, tool
from chatbot.types import Artifact, Attribution, Message, Role, Text, ToolResult, TurnRequest


@tool(title="Kurs", examples=["ile kosztuje euro?"])
async def rate(currency: Annotated[str, Field(description="ISO code, e.g. EUR")]) -> ToolResult:
    """Average exchange rate of a currency. Not for history or advice."""
    return ToolResult(
        content=f"**{currency}**: 4,26 zł",
        plain=f"{currency}: 4,26 zł",
        attribution=(Attribution(source="NBP", url="https://nbp.example"),),
    )


@tool(title="Zegar", examples=["która godzina?"])
async def wait(seconds: Annotated[float, Field(description="Seconds to wait", ge=0)]) -> str:
    """Wait some seconds."""
    await anyio.sleep(seconds)
    return f"minęło {seconds:g} s"


@tool(title="Rysunek", examples=["narysuj kropkę"])
async def draw(description: Annotated[str, Field(description="What to draw")]) -> ToolResult:
    """Draw a dot."""
    dot = Artifact(media_type="image/png", data=b"png", alt=description, width=1, height=1)
    source = Attribution(source="Malarz", title="⟦źródło⟧ ![x](//e.example) <b>")
    return ToolResult(content="Gotowe ![x](//e.example)", artifacts=(dot,), attribution=(source,))


@tool(title="Gaduła", examples=["mów dużo"])
async def chatter(ctx: ToolContext) -> str:
    """Report progress far more often than anybody reads."""
    for number in range(10_000):
        ctx.progress(None, f"krok\n{number}")
    await anyio.sleep(0.01)
    return "dość"


@tool(title="Usterka", examples=["zepsuj coś"])
def broken(ctx: ToolContext) -> str:
    """Fail in an unforeseen way."""
    raise ZeroDivisionError(ctx.account)


def asked(text: str) -> Message:
    return message("user", text)


def message(role: Role, text: str) -> Message:
    return Message(role=role, parts=(Text(text=text),))


Play = Callable[..., TurnRequest]


@pytest.fixture
def request_turn() -> Play:
    def build(text: str = "ile kosztuje euro?", **fields: object) -> TurnRequest:
        given: dict[str, object] = {
            "messages": (asked(text),),
            "message_id": "m1",
            "request_id": "r1",
        }
        return TurnRequest(**(given | fields))  # type: ignore[arg-type] # a test's own fields

    return build


Build = Callable[..., Chatbot]


@pytest.fixture
async def registry() -> AsyncIterator[Registry]:
    tools = Registry(
        tools=[rate, wait, draw, chatter, broken], workers=InlineWorkers(), clock=ManualClock()
    )
    async with tools:
        yield tools


@pytest.fixture
def build(registry: Registry) -> Build:
    numbers = count(1)

    def make(
        router: ChatEngine | None,
        engine: ChatEngine | None = None,
        limits: TurnLimits | None = None,
        verdict_s: float = 3.0,
    ) -> Chatbot:
        clock = ManualClock()
        return Chatbot(
            router=Router(
                engine=router,
                dialect=DIALECTS["llama3.1"],
                clock=clock,
                limits=RouterLimits(verdict_s=verdict_s),
            ),
            engine=engine or ScriptedEngine(script=["Dzień ", "dobry"], name="answers"),
            tools=registry,
            images=MemoryImageStore(),
            clock=clock,
            new_id=lambda: f"call-{next(numbers)}",
            limits=limits or TurnLimits(),
        )

    return make


@pytest.fixture
def play() -> Callable[..., object]:
    async def events(chatbot: Chatbot, request: TurnRequest) -> list[Event]:
        async with chatbot.turn(request) as turn:
            return [event async for event in turn]

    return events
