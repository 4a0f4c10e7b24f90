"""What running tool calls tell the turn, over a bounded channel."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Self, TypeAlias

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from chatbot.errors import SensitiveContent
from chatbot.tools import ToolRun
from chatbot.types import Image, ToolCall

PENDING = 256


@dataclass(frozen=True, kw_only=True, slots=True)
class Begun:
    """A call begins. ``original`` are the arguments before their translation."""

    call: ToolCall
    original: ToolCall


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """A tool reports how far it is; ``fraction`` from 0 to 1."""

    call_id: str
    fraction: float | None
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """A picture is at step ``step`` of ``of``."""

    call_id: str
    step: int
    of: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Forbidden:
    """A rule forbids what a call gave; the turn ends with it."""

    error: SensitiveContent


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """The call at ``position`` ended; ``notices`` are the turn's own, beside its result's."""

    position: int
    run: ToolRun
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """Guarded words about the result of the call at ``position``, after it has ended."""

    position: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """All has been said of the call at ``position``; ``images`` are its stored pictures."""

    position: int
    run: ToolRun
    images: tuple[Image, ...] = ()
    notices: tuple[str, ...] = ()


Passing: TypeAlias = Begun | Progress | Step
"""News to be shown at once, and of no use later."""
Ordered: TypeAlias = Ended | Said | Told
"""News to be shown in the order in which the calls were asked."""
News: TypeAlias = Passing | Ordered | Forbidden


class Reporter:
    """The sending end of one call; its synchronous methods may be called from any thread.

    ``async with`` closes it; the channel ends when every call has closed its own.
    """

    def __init__(self, call_id: str, position: int, sending: MemoryObjectSendStream[News]) -> None:
        """Make it inside the running event loop; ``position`` is the call's, as asked."""
        self.position = position
        self._call_id = call_id
        self._sending = sending
        self._loop = asyncio.get_running_loop()

    async def __aenter__(self) -> Self:
        """The reporter itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nothing more will be told."""
        self._sending.close()

    async def say(self, text: str) -> None:
        """Tell words about the call's result."""
        await self.tell(Said(position=self.position, text=text))

    async def tell(self, news: News) -> None:
        """Wait until there is room; where the turn is over, nobody listens."""
        with suppress(anyio.BrokenResourceError):
            await self._sending.send(news)

    def progress(self, fraction: float | None, text: str = "") -> None:
        """Report without waiting."""
        self._drop_in(Progress(call_id=self._call_id, fraction=fraction, text=text))

    def image_step(self, step: int, of: int) -> None:
        """Report without waiting."""
        self._drop_in(Step(call_id=self._call_id, step=step, of=of))

    def _drop_in(self, news: Passing) -> None:
        with suppress(RuntimeError):  # the loop is closed: an abandoned thread still reports
            self._loop.call_soon_threadsafe(self._send_if_heard, news)

    def _send_if_heard(self, news: Passing) -> None:
        """Where nobody listens, or not fast enough, progress is left out."""
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.WouldBlock):
            self._sending.send_nowait(news)


def open_channel() -> tuple[MemoryObjectSendStream[News], MemoryObjectReceiveStream[News]]:
    """Both ends of the channel of one turn."""
    return anyio.create_memory_object_stream[News](PENDING)
