"""The figures of a run: each taken in every round, then the median of the rounds."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from evals.bench.engine.figures import Percentiles, percentiles
from evals.bench.gateway.rounds import Load, Round
from evals.bench.gateway.targets import DIRECT, Target


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """The median of the rounds, and the lowest and the highest round."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Latency:
    """ScaleLLM's split of a whole answer's mean time: what the gateway adds, the engine's own."""

    gateway_ms: float
    engine_ms: float

    @property
    def gateway_share(self) -> float:
        """The gateway's part of the whole."""
        return self.gateway_ms / (self.gateway_ms + self.engine_ms)


@dataclass(frozen=True, kw_only=True, slots=True)
class CellFigures:
    """One target under one load; ``None`` where no answer was whole or no process is known.

    ``first`` are times to the first token of all rounds' requests. ``added`` percentiles are those
    of a round less those of the direct calls in the same round, and less what the engine itself
    needs beyond a direct answer (`Target.own_ms`). ``speed`` is tokens a second, ``speed_ratio`` by
    direct. ``token_us`` and ``request_us`` are the gateway's processor time; ``times`` is it by
    that of other targets, in the same rounds. Shares are of one core.
    """

    target: str
    load: Load
    requests: int
    failed: int
    first: Percentiles | None
    added_p50: Spread | None
    added_p95: Spread | None
    added_p99: Spread | None
    speed: Spread
    speed_ratio: Spread | None
    token_us: Spread | None
    request_us: Spread | None
    times: dict[str, Spread]
    latency: Latency | None
    resident_mib: float | None
    gateway_share: float | None
    engine_share: float
    load_share: float
    other_share: float


def sum_up(
    rounds: Sequence[Round], targets: Sequence[Target], *, references: Sequence[str] = ()
) -> tuple[CellFigures, ...]:
    """The figures of every cell, by load, then in the order of ``targets``.

    ``references`` are the targets whose processor time the others' is divided by.
    """
    loads = sorted({one.load for one in rounds}, key=lambda load: (-load.tokens, load.streams))
    return tuple(
        _Cell(target=target, load=load, rounds=rounds).sum_up(references)
        for load in loads
        for target in targets
        if any(one.target == target.name and one.load == load for one in rounds)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Cell:
    """The rounds of one target under one load, beside those of others under the same."""

    target: Target
    load: Load
    rounds: Sequence[Round]

    def sum_up(self, references: Sequence[str]) -> CellFigures:
        own = self._of(self.target.name)
        seconds = sum(one.seconds for one in own)
        gateway = [one.gateway_cpu_s for one in own if one.gateway_cpu_s is not None]
        return CellFigures(
            target=self.target.name,
            load=self.load,
            requests=sum(one.requests for one in own),
            failed=sum(one.failed for one in own),
            first=percentiles([value for one in own for value in one.first_ms]),
            added_p50=self._compare(DIRECT, lambda one, base: self._added(one, base, "p50")),
            added_p95=self._compare(DIRECT, lambda one, base: self._added(one, base, "p95")),
            added_p99=self._compare(DIRECT, lambda one, base: self._added(one, base, "p99")),
            speed=_known(one.speed for one in own),
            speed_ratio=self._compare(DIRECT, lambda one, base: _by(one.speed, base.speed)),
            token_us=_spread(_by(one.gateway_cpu_s, one.tokens, 1e6) for one in own),
            request_us=_spread(_by(one.gateway_cpu_s, one.requests, 1e6) for one in own),
            times={
                name: found
                for name in references
                if (found := self._compare(name, _times)) is not None
            },
            latency=self._split(),
            resident_mib=max((one.resident_mib for one in own if one.resident_mib), default=None),
            gateway_share=sum(gateway) / seconds if gateway else None,
            engine_share=sum(one.engine_cpu_s for one in own) / seconds,
            load_share=sum(one.load_cpu_s for one in own) / seconds,
            other_share=sum(one.other_cpu_s for one in own) / seconds,
        )

    def _of(self, name: str) -> list[Round]:
        return [one for one in self.rounds if one.target == name and one.load == self.load]

    def _compare(self, name: str, measure: Callable[[Round, Round], float | None]) -> Spread | None:
        """``measure`` of each own round and the other target's round of the same number."""
        others = {one.round: one for one in self._of(name)}
        pairs = ((one, others.get(one.round)) for one in self._of(self.target.name))
        return _spread(measure(one, base) for one, base in pairs if base is not None)

    def _added(self, one: Round, base: Round, name: str) -> float | None:
        ours, direct = percentiles(one.first_ms), percentiles(base.first_ms)
        if ours is None or direct is None:
            return None
        return float(getattr(ours, name) - getattr(direct, name)) - self.target.own_ms

    def _split(self) -> Latency | None:
        ours = [value for one in self._of(self.target.name) for value in one.total_ms]
        direct = [value for one in self._of(DIRECT) for value in one.total_ms]
        if not ours or not direct:
            return None
        engine_ms = fmean(direct) + self.target.own_ms
        return Latency(gateway_ms=max(0.0, fmean(ours) - engine_ms), engine_ms=engine_ms)


def _times(one: Round, base: Round) -> float | None:
    return _by(_by(one.gateway_cpu_s, one.tokens), _by(base.gateway_cpu_s, base.tokens))


def _by(value: float | None, count: float | None, scale: float = 1.0) -> float | None:
    return value / count * scale if value is not None and count else None


def _spread(values: Iterable[float | None]) -> Spread | None:
    known = [value for value in values if value is not None]
    return _known(known) if known else None


def _known(values: Iterable[float]) -> Spread:
    known = list(values)
    return Spread(median=median(known), low=min(known), high=max(known))
