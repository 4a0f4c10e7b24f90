"""What is kept of each round: one target under one load, every request and what it cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import groupby

from evals.bench.native import Sample


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """So many streams at a time, of so many tokens each; ``requests`` in a round."""

    streams: int
    tokens: int
    requests: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """One round; times in milliseconds, processor time in seconds.

    ``first_ms`` and ``total_ms`` are those of whole answers, from the sending of each request.
    ``speed`` is tokens a second of all streams, each counted from its first request to its last
    answer. ``gateway_cpu_s`` and ``resident_mib`` are ``None`` where the process is not known;
    ``other_cpu_s`` is what anything else on the machine took meanwhile.
    """

    target: str
    load: Load
    round: int
    requests: int
    tokens: int
    seconds: float
    speed: float
    first_ms: tuple[float, ...]
    total_ms: tuple[float, ...]
    failures: dict[str, int]
    gateway_cpu_s: float | None
    engine_cpu_s: float
    load_cpu_s: float
    other_cpu_s: float
    resident_mib: float | None

    @property
    def failed(self) -> int:
        """Requests without a whole answer."""
        return sum(self.failures.values())


def is_whole(sample: Sample, tokens: int) -> bool:
    """Whether the answer came to its end with every token once."""
    is_ok = sample.status == HTTPStatus.OK and sample.is_done
    return is_ok and sample.tokens == tokens and sample.first_ms is not None


def describe_failure(sample: Sample, tokens: int) -> str:
    """What is wrong with an answer that is not whole."""
    if sample.status != HTTPStatus.OK:
        return f"HTTP {sample.status}" if sample.status else "no HTTP answer"
    if not sample.is_done:
        return "cut off"
    return f"{'more' if sample.tokens > tokens else 'fewer'} tokens than were sent"


def rate(samples: Sequence[Sample]) -> float:
    """Tokens a second of all connections, each from its first request to its last answer."""
    ordered = sorted(samples, key=lambda one: (one.connection, one.sent_ms))
    return sum(
        _rate_connection(list(ofone))
        for _, ofone in groupby(ordered, key=lambda one: one.connection)
    )


def _rate_connection(samples: Sequence[Sample]) -> float:
    seconds = (samples[-1].ended_ms - samples[0].sent_ms) / 1e3
    return sum(one.tokens for one in samples) / seconds if seconds > 0 else 0.0


def first_times(samples: Sequence[Sample]) -> Iterator[float]:
    """Milliseconds from the sending of each request to its first token, where one came."""
    for one in samples:
        if one.first_ms is not None:
            yield round(one.first_ms - one.sent_ms, 3)
