"""Stand-ins for what surrounds the domain: clock, workers, store of pictures."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import ParamSpec, TypeVar

from chatbot.types import Artifact, Image

P = ParamSpec("P")
T = TypeVar("T")

START = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)


@dataclass(kw_only=True)
class ManualClock:
    """A `Clock` that stands still until `advance` moves it."""

    time: datetime = START
    ticks: float = 0.0

    def now(self) -> datetime:
        """The time it was set to, aware UTC."""
        return self.time

    def monotonic(self) -> float:
        """Seconds advanced so far."""
        return self.ticks

    def advance(self, seconds: float) -> None:
        """Move both readings on."""
        self.time += timedelta(seconds=seconds)
        self.ticks += seconds


@dataclass(kw_only=True)
class InlineWorkers:
    """`Workers` that run the function at once in the calling thread, without a limit."""

    calls: int = 0

    def call(self, timeout_s: float, function: Callable[P, T], *args: P.args, **kw: P.kwargs) -> T:
        """Run ``function`` here and now."""
        self.calls += 1
        if timeout_s <= 0:
            raise TimeoutError(timeout_s)
        return function(*args, **kw)


@dataclass(kw_only=True)
class MemoryImageStore:
    """An `ImageStore` that keeps pictures in a list and links to nowhere."""

    clock: ManualClock = field(default_factory=ManualClock)
    artifacts: list[Artifact] = field(default_factory=list)

    async def save(self, artifact: Artifact, *, account: str) -> Image:
        """Keep the artifact; the link counts up and names its owner."""
        self.artifacts.append(artifact)
        number = len(self.artifacts)
        return Image(
            image_id=f"img-{number}",
            url=f"/images/{account}-{number}",
            expires_at=self.clock.now() + timedelta(hours=1),
            alt=artifact.alt,
            width=artifact.width,
            height=artifact.height,
        )
