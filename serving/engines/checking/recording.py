"""One answer of an engine, kept delta by delta, so that it can be read in several ways."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import anyio

from chatbot.errors import EngineTimeout, ZwrotnicaError
from chatbot.ports import ChatEngine
from chatbot.types import ChatRequest, Delta

_MOST_CHARS: Final = 65_536


@dataclass(frozen=True, kw_only=True, slots=True)
class Recording:
    """What an engine answered to ``request``: ``deltas``, and the ``error`` that ended them."""

    engine: str
    request: ChatRequest
    deltas: tuple[Delta, ...] = ()
    error: ZwrotnicaError | None = None

    @property
    def name(self) -> str:
        """The name of the engine that answered."""
        return self.engine

    @property
    def text(self) -> str:
        """All that the model wrote: reasoning, text, and the calls that its server parsed."""
        calls = [call for delta in self.deltas for call in delta.calls]
        return "".join((
            *(delta.reasoning for delta in self.deltas),
            *(delta.text for delta in self.deltas),
            *(f"{call.name or ''}{call.arguments}" for call in calls),
        ))

    @property
    def prompt_tokens(self) -> int | None:
        """How long the prompt was for the model; ``None`` where the engine does not tell."""
        told = [delta.usage.prompt_tokens for delta in self.deltas if delta.usage is not None]
        return (told[-1] or None) if told else None

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[AsyncIterator[Delta]]:
        """The same answer once more, whatever is asked: see `chatbot.ports.ChatEngine`."""
        del request
        async with aclosing(_play(self.deltas, self.error)) as deltas:
            yield deltas


async def record(engine: ChatEngine, request: ChatRequest, *, within_s: float) -> Recording:
    """Ask ``engine`` and read its whole answer, bounded in time and size.

    What goes wrong is recorded, never raised.
    """
    deltas: list[Delta] = []
    error: ZwrotnicaError | None = None
    size = 0
    with anyio.move_on_after(within_s) as limit:
        try:
            async with engine.stream(request) as stream:
                async for delta in stream:
                    deltas.append(delta)
                    size += len(delta.text) + len(delta.reasoning)
                    size += sum(len(call.arguments) for call in delta.calls)
                    if size > _MOST_CHARS:
                        break
        except ZwrotnicaError as caught:
            error = caught
    if limit.cancelled_caught:
        message = f"engine {engine.name!r} did not end its answer within {within_s:g} s"
        error = EngineTimeout(message, engine=engine.name)
    return Recording(engine=engine.name, request=request, deltas=tuple(deltas), error=error)


async def _play(
    deltas: Sequence[Delta], error: ZwrotnicaError | None
) -> AsyncGenerator[Delta, None]:
    for delta in deltas:
        yield delta
    if error is not None:
        raise error
