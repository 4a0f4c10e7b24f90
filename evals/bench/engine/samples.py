"""What is kept of each request, and of each round of requests."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Replies: TypeAlias = Literal["stream", "whole"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """What was measured at a time: one target under one load, with one kind of replies."""

    target: str
    load: str
    replies: Replies


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One request; times in milliseconds since it was due, so waiting in a queue counts.

    ``pieces_ms`` are when a stream gave text. ``tokens`` are those of the answer by the server's
    usage, or the pieces counted where ``is_counted`` is false. ``place`` is its number in the
    round, which has the same prompt for every target.
    """

    cell: Cell
    round: int
    place: int
    prompt: str
    due_s: float
    pieces_ms: tuple[float, ...] = ()
    ended_ms: float
    prompt_tokens: int | None = None
    tokens: int = 0
    is_counted: bool = True
    finish: str | None = None
    error: str | None = None

    @property
    def speed(self) -> float:
        """Tokens a second, from the moment it was due to its end."""
        return self.tokens / self.ended_ms * 1e3

    @property
    def first_ms(self) -> float | None:
        """When the first piece came; ``None`` where the answer was not streamed, or empty."""
        return self.pieces_ms[0] if self.pieces_ms else None

    @property
    def per_token_ms(self) -> float | None:
        """Mean time of each token after the first: the field's time per output token (TPOT)."""
        if not self.pieces_ms or self.tokens < 2:  # noqa: PLR2004 (a gap needs two)
            return None
        return (self.pieces_ms[-1] - self.pieces_ms[0]) / (self.tokens - 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """All requests of one cell in one round: how long they took, and this program's own CPU.

    ``client_late_ms`` is by how much this program came late to what it had to do, of 20 times 19
    by less: a piece that waited for it was not late of the server.
    """

    cell: Cell
    round: int
    seconds: float
    client_cpu_s: float
    client_late_ms: float = 0.0
    tokens: int
    failed: int

    @property
    def throughput(self) -> float:
        """Tokens of all answers a second."""
        return self.tokens / self.seconds
