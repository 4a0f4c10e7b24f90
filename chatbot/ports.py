"""What the domain needs from outside, as Protocols; `chatbot.testing` ships working fakes."""

from abc import abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from datetime import datetime
from typing import ParamSpec, Protocol, TypeAlias, TypeVar

from chatbot.types import Artifact, ChatRequest, Delta, Image, ImageRequest

Fact: TypeAlias = str | bool | int | tuple[str, ...] | None
"""What a step may tell: names, codes and figures, never anybody's words; ``None`` tells nothing."""
P = ParamSpec("P")
T = TypeVar("T")

DeltaSink: TypeAlias = Callable[[Delta], bool]
"""Takes a delta the moment it is read, neither waiting nor raising; false: it wants no more."""


class ChatEngine(Protocol):
    """A chat model behind some server."""

    @property
    def name(self) -> str:
        """The engine's configured name, as usage, events and errors show it."""
        ...

    def stream(self, request: ChatRequest) -> AbstractAsyncContextManager[AsyncIterator[Delta]]:
        """Open one generation; the iterator gives a `Delta` for what each read held.

        Leaving the context aborts the generation at once (the server sees the connection close).
        The iterator ends only after the engine said that it had finished.

        Raises:
            EngineUnavailable: nothing was generated (on entering).
            EngineTimeout: no first or no next token within the engine's limits.
            EngineLost: the stream broke after it had begun.
            EngineBusy: the engine asks to come back later than we wait.
            InvalidRequest: the engine refuses the request itself (context length).
        """
        ...


class PouringDeltas(AsyncIterator[Delta]):
    """What `ChatEngine.stream` may give: an iterator that can hand on deltas with no task between.

    One task that wakes for each token costs more than all that is done with the token.
    """

    @abstractmethod
    async def pour(self, sink: DeltaSink) -> None:
        """Hand further deltas to ``sink`` as they come; return when iteration has to go on.

        That is when ``sink`` says so, and when more comes than text and token ids: a call, the end,
        a failure.
        """


class ImageEngine(Protocol):
    """A model that draws pictures; synchronous, because tools use it from their thread."""

    @property
    def name(self) -> str:
        """The engine's configured name."""
        ...

    def generate(
        self,
        request: ImageRequest,
        *,
        deadline_s: float,
        on_step: Callable[[int, int], None] | None = None,
    ) -> Artifact:
        """Draw one picture within ``deadline_s`` seconds; ``on_step(step, of)`` reports progress.

        Raises:
            EngineError: unavailable, too slow, or an answer that is no picture.
        """
        ...


class ImageStore(Protocol):
    """Keeps the bytes of pictures and hands out signed links to them."""

    async def save(self, artifact: Artifact, *, account: str) -> Image:
        """Store the bytes and return the picture with a fresh link.

        Raises:
            ToolError: it cannot be kept; the words are for the user.
        """
        ...


class Workers(Protocol):
    """A pool of processes that are killed at their time limit; safe from any thread."""

    def call(self, timeout_s: float, function: Callable[P, T], *args: P.args, **kw: P.kwargs) -> T:
        """Run an importable ``function`` in a worker and wait for its result.

        Raises:
            WorkerBusy: no worker became free in time.
            WorkerTimeout: it was killed after ``timeout_s`` seconds.
            WorkerLost: the process died.
            Exception: whatever the function itself raised.
        """
        ...


class Cache(Protocol):
    """A bounded cache with a time to live for each entry; safe from any thread."""

    def get(self, key: str) -> object | None:
        """The value, or ``None`` where there is none or it has expired."""
        ...

    def put(self, key: str, value: object, *, ttl_s: float) -> None:
        """Keep ``value`` for ``ttl_s`` seconds."""
        ...


class Clock(Protocol):
    """Time, handed in so that tests can move it."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for durations and deadlines."""
        ...


class Step(Protocol):
    """One step of a turn, for those who follow it from outside."""

    def tell(self, **facts: Fact) -> None:
        """Facts about it, known by now."""
        ...

    def fail(self, code: str) -> None:
        """It fails; ``code`` is a fixed word."""
        ...


class Tracer(Protocol):
    """Follows the steps of turns; safe from any thread."""

    def step(self, name: str, /, **facts: Fact) -> AbstractContextManager[Step]:
        """A step that lasts as long as the block; an exception that leaves it is its failure."""
        ...


class Untraced:
    """A `Tracer` and its `Step` where nobody follows."""

    def step(self, name: str, /, **facts: Fact) -> AbstractContextManager[Step]:  # noqa: ARG002
        """Nothing is kept."""
        return nullcontext(self)

    def tell(self, **facts: Fact) -> None:
        """Nothing is kept."""

    def fail(self, code: str) -> None:
        """Nothing is kept."""
