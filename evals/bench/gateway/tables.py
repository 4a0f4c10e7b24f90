"""The Markdown tables of a run: latency and speed, cost, and what is to be known of them."""

from collections.abc import Iterator, Sequence

from evals.bench.gateway.figures import CellFigures, Spread, sum_up
from evals.bench.gateway.record import Record, name_targets
from evals.bench.gateway.targets import PASS_THROUGH

_REFERENCES = {"nginx", "vllm-router", PASS_THROUGH}
_DASH = "–"
_BUSY = 0.8
_QUIET = 0.1


def report(record: Record) -> str:
    """All tables of a record, and what is to be known of them."""
    targets = record.header.targets
    references = [one.name for one in targets if one.name in _REFERENCES]
    figures = sum_up(record.rounds, targets, references=references)
    parts = (
        _about(record),
        _latencies(record, figures),
        _costs(figures, references),
        _standing(record),
        *_notes(record, figures),
    )
    return "\n\n".join(parts)


def _about(record: Record) -> str:
    header = record.header
    return (
        f"{header.at}, {header.client}: {name_targets(header.targets)}. Engine simulator: first "
        f"token after {header.first_ms:g} ms, the next ones {header.gap_ms:g} ms apart. "
        f"{header.rounds} interleaved rounds, streams of a round opened "
        f"{'together' if header.together else 'evenly over the length of an answer'}, "
        f"seed {header.seed}. Medians of rounds (lowest–highest round)."
    )


def _latencies(record: Record, figures: Sequence[CellFigures]) -> str:
    rows = [
        f"| {_say_cell(one)} | {one.requests} | {one.failed} | {_say_first(one)} "
        f"| {_say(one.added_p50, '+.2f')} | {_say(one.added_p95, '+.2f')} "
        f"| {_say(one.added_p99, '+.2f')} | {one.speed.median:,.0f} "
        f"| {_say(one.speed_ratio, '.3f')} | {_say_latency(one)} |"
        for one in figures
    ]
    return _table(
        "First token, speed, and whose the time is",
        "| streams | tokens | target | requests | failed | first token p50 / p95 / p99, ms "
        "| added p50, ms | added p95, ms | added p99, ms | tokens/s | ÷ direct "
        "| whole answer: gateway + engine, ms | gateway's share |",
        "|---:|---:|---|" + "---:|" * 10,
        rows,
    ) + "".join(
        f"\n\nAdded by {one.name!r}: without the router model's own {one.own_ms:g} ms."
        for one in record.header.targets
        if one.own_ms
    )


def _costs(figures: Sequence[CellFigures], references: Sequence[str]) -> str:
    heads = "".join(f" CPU ÷ {name} |" for name in references)
    rows = [
        f"| {_say_cell(one)} | {_say(one.token_us, '.1f')} | {_say(one.request_us, ',.0f')} | "
        + "".join(f"{_say(one.times.get(name), '.2f')} | " for name in references)
        + f"{_number(one.resident_mib, '.0f')} | {_number(one.gateway_share, '.0%')} "
        f"| {one.engine_share:.0%} | {one.load_share:.0%} | {one.other_share:.0%} |"
        for one in figures
    ]
    return _table(
        "Cost: the gateway's processor time, memory, and shares of one core",
        f"| streams | tokens | target | CPU µs/token | CPU µs/request |{heads} MiB "
        "| gateway's core | simulator | load generator | other work |",
        "|---:|---:|---|" + "---:|" * (7 + len(references)),
        rows,
    )


def _standing(record: Record) -> str:
    header = record.header
    rows = [
        f"| {one.name} | {one.version or _DASH} "
        f"| {_number(header.idle_shares.get(one.name), '.2%')} |"
        for one in header.targets
    ]
    return _table(
        "Standing side by side",
        "| target | version | of a core when idle |",
        "|---|---|---:|",
        rows,
    )


def _notes(record: Record, figures: Sequence[CellFigures]) -> Iterator[str]:
    header = record.header
    if header.cores[0] is None:
        yield "This machine has one core: nobody was bound to a core of their own."
    for one in figures:
        measuring = one.engine_share + one.load_share
        share = measuring if header.is_shared else max(one.engine_share, one.load_share)
        if share >= _BUSY:
            yield (
                f"{one.target} at {one.load.streams} streams: simulator and load generator took "
                f"{share:.0%} of their core: they measured themselves."
            )
    if any(one.other_share > _QUIET for one in figures):
        yield ("Other work ran on this machine (last column): figures of a quiet one are others.")
    failures = [
        f"{done.target} at {done.load.streams} streams, round {done.round + 1}: {count} × {reason}"
        for done in record.rounds
        for reason, count in done.failures.items()
    ]
    yield from (f"Failed: {line}." for line in failures[:12])


def _say_cell(figures: CellFigures) -> str:
    return f"{figures.load.streams} | {figures.load.tokens} | {figures.target}"


def _say_first(figures: CellFigures) -> str:
    first = figures.first
    return f"{first.p50:.1f} / {first.p95:.1f} / {first.p99:.1f}" if first else _DASH


def _say_latency(figures: CellFigures) -> str:
    split = figures.latency
    if split is None:
        return f"{_DASH} | {_DASH}"
    return f"{split.gateway_ms:.1f} + {split.engine_ms:.1f} | {split.gateway_share:.1%}"


def _say(spread: Spread | None, form: str) -> str:
    if spread is None:
        return _DASH
    if spread.low == spread.high:
        return f"{spread.median:{form}}"
    return f"{spread.median:{form}} ({spread.low:{form}}–{spread.high:{form}})"


def _number(value: float | None, form: str) -> str:
    return _DASH if value is None else f"{value:{form}}"


def _table(title: str, head: str, rule: str, rows: Sequence[str]) -> str:
    return "\n".join((f"**{title}**", "", head, rule, *rows))
