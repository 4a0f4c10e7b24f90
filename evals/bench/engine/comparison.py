"""Compares two runs, or two engines of one run: ratios with bootstrap confidence intervals.

The interval is the percentile bootstrap (Efron 1979) over pairs: the same prompt at the same place
of the same round. Throughput, which only a whole round has, is drawn by rounds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import click
import numpy as np
from numpy.typing import NDArray

from evals.bench.engine.figures import list_cells
from evals.bench.engine.record import Record
from evals.bench.engine.samples import Cell, Round, Sample

DRAWS = 2_000
_SEED = 1
_LEAST_PAIRS = 3
Numbers: TypeAlias = NDArray[np.float64]
Key: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One engine of a record."""

    label: str
    record: Record
    target: str

    def samples(self, cell: Cell) -> dict[Key, Sample]:
        """The whole answers under the load of ``cell``."""
        found = (one for one in self.record.samples if _fits(one.cell, cell, self.target))
        return {(one.round, one.place, one.prompt): one for one in found if one.error is None}

    def rounds(self, cell: Cell) -> dict[int, Round]:
        """The rounds under the load of ``cell``."""
        return {one.round: one for one in self.record.rounds if _fits(one.cell, cell, self.target)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Ratio:
    """``second`` by ``first``, with its 95 % interval; ``None`` of fewer than three pairs."""

    load: str
    replies: str
    figure: str
    first: float
    second: float
    interval: tuple[float, float] | None

    @property
    def value(self) -> float:
        """How many times the first the second is."""
        return self.second / self.first


def choose_side(record: Record, target: str | None) -> Side:
    """The engine named ``target``, or the only one.

    Raises:
        click.ClickException: there is no such engine, or several and none is named.
    """
    names = [server.name for server in record.header.servers]
    chosen = target or (names[0] if len(names) == 1 else None)
    if chosen not in names:
        raise click.ClickException(
            f"the record {record.label!r} has the engines {', '.join(names)}; name one of them as "
            f"FILE:{names[0]}"
        )
    return Side(label=f"{record.label}:{chosen}", record=record, target=chosen)


def compare(first: Side, second: Side) -> Iterator[Ratio]:
    """The ratios under every load that both were measured under.

    Raises:
        click.ClickException: there is none, or the prompts were not the same.
    """
    if first.record.header.prompts != second.record.header.prompts:
        raise click.ClickException("the two runs asked different prompts: repeat one of them")
    cells = (cell for cell in list_cells(first.record.rounds) if cell.target == first.target)
    common = [cell for cell in cells if second.rounds(cell)]
    if not common:
        raise click.ClickException("the two have no load in common: run both with the same ones")
    for cell in common:
        yield from _compare(cell, first, second)


def _compare(cell: Cell, first: Side, second: Side) -> Iterator[Ratio]:
    one, other = first.rounds(cell), second.rounds(cell)
    drawn = sorted(one.keys() & other.keys())
    pairs = [(one[number], other[number]) for number in drawn]
    if pairs and all(left.tokens and right.tokens for left, right in pairs):
        yield _ratio(cell, "throughput, tokens/s", _totals(pairs), _share)
    mine, theirs = first.samples(cell), second.samples(cell)
    answers = [(mine[key], theirs[key]) for key in sorted(mine.keys() & theirs.keys())]
    for figure, value in _FIGURES:
        values = [(value(left), value(right)) for left, right in answers]
        whole = [[left, right] for left, right in values if left and right]  # 0 has no ratio
        if whole:
            yield _ratio(cell, figure, np.array(whole).T[:, None, :], _median)


_FIGURES: tuple[tuple[str, Callable[[Sample], float | None]], ...] = (
    ("speed of an answer, tokens/s, median", lambda one: one.speed),
    ("first token, ms, median", lambda one: one.first_ms),
    ("time per token, ms, median", lambda one: one.per_token_ms),
    ("whole answer, ms, median", lambda one: one.ended_ms),
)


def _ratio(cell: Cell, figure: str, values: Numbers, reduce: Callable[[Numbers], Numbers]) -> Ratio:
    """``values``: sides × quantities × pairs; ``reduce`` makes one figure of the last two axes."""
    first, second = (float(reduce(side)) for side in values)
    return Ratio(
        load=cell.load,
        replies=cell.replies,
        figure=figure,
        first=first,
        second=second,
        interval=_interval(values, reduce),
    )


def _interval(values: Numbers, reduce: Callable[[Numbers], Numbers]) -> tuple[float, float] | None:
    pairs = values.shape[-1]
    if pairs < _LEAST_PAIRS:
        return None
    drawn = np.random.default_rng(_SEED).integers(pairs, size=(DRAWS, pairs))
    first, second = (reduce(side[:, drawn]) for side in values)
    low, high = np.quantile(second / first, [0.025, 0.975])
    return float(low), float(high)


def _totals(pairs: Sequence[tuple[Round, Round]]) -> Numbers:
    sides = zip(*pairs, strict=True)
    return np.array([
        [[float(one.tokens) for one in side], [one.seconds for one in side]] for side in sides
    ])


def _share(side: Numbers) -> Numbers:
    tokens, seconds = side.sum(axis=-1)
    return np.asarray(tokens / seconds)


def _median(side: Numbers) -> Numbers:
    return np.asarray(np.median(side[0], axis=-1))


def _fits(cell: Cell, wanted: Cell, target: str) -> bool:
    return (cell.target, cell.load, cell.replies) == (target, wanted.load, wanted.replies)


def comparison_table(first: Side, second: Side, ratios: Sequence[Ratio]) -> str:
    """The ratios as a Markdown table."""
    lines = [
        f"| load | replies | figure | {first.label} | {second.label} | second / first (95 %) |",
        "|---|---|---|---:|---:|---:|",
    ]
    lines += [
        f"| {one.load} | {one.replies} | {one.figure} | {one.first:.1f} | {one.second:.1f} "
        f"| {one.value:.2f} ({_say(one.interval)}) |"
        for one in ratios
    ]
    return "\n".join(lines)


def _say(interval: tuple[float, float] | None) -> str:
    return f"{interval[0]:.2f}–{interval[1]:.2f}" if interval else "too few rounds"
