"""The Markdown tables of a run: speed by answer length, throughput by batch, latency by load."""

from collections.abc import Iterator, Sequence

from evals.bench.engine.comparison import Side, compare, comparison_table
from evals.bench.engine.figures import INTERVALS, CellFigures, Percentiles, Speed, sum_up
from evals.bench.engine.published import (
    DASH,
    has_times,
    latency_row,
    name_source,
    speed_row,
    throughput_row,
)
from evals.bench.engine.record import Record, Server
from evals.bench.engine.reference import Published

_BUSY = 0.5
_LATE_MS = 10.0


def report(record: Record, published: Sequence[Published] = ()) -> str:
    """All tables of a record with ``published`` figures beside, and what is to be known of them."""
    figures = sum_up(record.samples, record.rounds, record.header.reader)
    parts = (
        _about(record),
        _speeds(figures, published),
        _throughputs(figures, published),
        _latencies(record, figures, published),
        *_warnings(record, figures),
        *map(name_source, published),
    )
    return "\n\n".join(parts)


def report_comparison(first: Side, second: Side) -> str:
    """The ratios of two engines, and what is to be known of either's figures."""
    table = comparison_table(first, second, list(compare(first, second)))
    notes = (f"{side.label}: {doubt}" for side in (first, second) for doubt in _doubts_of(side))
    return "\n\n".join((table, *notes))


def _doubts_of(side: Side) -> Iterator[str]:
    record = side.record
    figures = sum_up(record.samples, record.rounds, record.header.reader)
    return _doubts([one for one in figures if one.cell.target == side.target])


def _about(record: Record) -> str:
    header = record.header
    servers = ", ".join(f"{one.name} ({one.model})" for one in header.servers)
    length = "to their limit" if header.ignore_eos else "as long as the model makes them"
    return (
        f"{header.at}, {servers}; hardware: {header.hardware}. {header.rounds} interleaved rounds "
        f"of {header.requests} requests or more, seed {header.seed}, answers {length}, "
        f"temperature {header.temperature:g}."
    )


def _speeds(figures: Sequence[CellFigures], published: Sequence[Published]) -> str:
    names = [f"{low}–{high} tokens" if high else f"over {low - 1}" for low, high in INTERVALS]
    heads = " | ".join(f"{name}: tokens/s | total s (answers)" for name in names)
    rows = [
        f"| {_say_cell(one)} | {' | '.join(_say_speed(speed) for speed in one.intervals)} |"
        for one in figures
    ]
    rows += [speed_row(one) for one in published if one.speeds]
    return _table(
        "Speed by length of the answer, total processing time with queueing",
        f"| engine | load | replies | {heads} |",
        "|---|---|---|" + "---:|---:|" * len(INTERVALS),
        rows,
    )


def _say_speed(speed: Speed | None) -> str:
    if speed is None:
        return f"{DASH} | {DASH}"
    return f"{speed.speed:.1f} | {speed.total_s:.1f} ({speed.answers})"


def _throughputs(figures: Sequence[CellFigures], published: Sequence[Published]) -> str:
    names = [one.cell.load for one in figures]
    names += [load.load for one in published for load in one.loads]
    loads = sorted(dict.fromkeys(names), key=_order)
    found = {(one.cell.target, one.cell.replies, one.cell.load): one for one in figures}
    rows = [
        f"| {target} | {replies} | "
        + " | ".join(_say_throughput(found.get((target, replies, load))) for load in loads)
        + " |"
        for target, replies in sorted({(one.cell.target, one.cell.replies) for one in figures})
    ]
    rows += [throughput_row(one, loads) for one in published if one.loads]
    return _table(
        "Throughput by batch or rate, tokens/s: of all rounds (lowest–highest round)",
        f"| engine | replies | {' | '.join(loads)} |",
        "|---|---|" + "---:|" * len(loads),
        rows,
    )


def _order(load: str) -> tuple[bool, int]:
    """Batches by their size, before rates as they were run."""
    return (False, int(load)) if load.isdecimal() else (True, 0)


def _say_throughput(figures: CellFigures | None) -> str:
    if figures is None:
        return DASH
    low, high = min(figures.throughputs), max(figures.throughputs)
    return f"{figures.throughput:.1f} ({low:.1f}–{high:.1f})"


def _latencies(
    record: Record, figures: Sequence[CellFigures], published: Sequence[Published]
) -> str:
    reader = record.header.reader
    rows = [
        f"| {_say_cell(one)} | {one.requests} | {one.failed} | {_say(one.first)} "
        f"| {_say(one.per_token)} | {_say(one.between)} | {_say(one.latency)} | {one.late:.1%} "
        f"| {DASH if one.experience is None else f'{one.experience:.3f}'} "
        f"| {one.client_share:.0%} |"
        for one in figures
    ]
    rows += [latency_row(one, load) for one in published for load in one.loads if has_times(load)]
    return _table(
        "Latency by load, ms: p50 / p95 / p99",
        "| engine | load | replies | requests | failed | first token | time per token "
        "| between tokens | whole answer | over 60 s "
        f"| experience ({reader.first_s:g} s, {reader.speed:g} tokens/s) "
        "| client's share of a core |",
        "|---|---|---|" + "---:|" * 9,
        rows,
    )


def _say_cell(figures: CellFigures) -> str:
    cell = figures.cell
    return f"{cell.target} | {cell.load} | {cell.replies}"


def _say(times: Percentiles | None) -> str:
    return f"{times.p50:.1f} / {times.p95:.1f} / {times.p99:.1f}" if times else DASH


def _table(title: str, head: str, rule: str, rows: Sequence[str]) -> str:
    return "\n".join((f"**{title}**", "", head, rule, *rows))


def _warnings(record: Record, figures: Sequence[CellFigures]) -> Iterator[str]:
    yield from (_say_tokens(server) for server in record.header.servers)
    if uncounted := sum(one.uncounted for one in figures):
        yield f"{uncounted} streams had no usage: their pieces were counted in place of tokens."
    yield from _doubts(figures)
    errors = {one.error for one in record.samples if one.error}
    yield from (f"Failed: {error}" for error in sorted(errors)[:5])


def _doubts(figures: Sequence[CellFigures]) -> Iterator[str]:
    """Where this program, or the machine under it, may have been slower than the servers."""
    busy = {one.cell.load for one in figures if one.client_share > _BUSY}
    if busy:
        yield (
            f"At load {', '.join(sorted(busy))} this program itself used more than half a core: "
            "the servers may be faster than these figures."
        )
    if late := [one for one in figures if one.client_late_ms > _LATE_MS]:
        loads = ", ".join(sorted({one.cell.load for one in late}))
        worst = max(one.client_late_ms for one in late)
        yield (
            f"At load {loads} this program itself came up to {worst:.0f} ms late to what it read: "
            "the machine was busy, and the servers may be faster than these figures. Measure from "
            "a machine that does nothing else."
        )


def _say_tokens(server: Server) -> str:
    name = f"{server.name} {server.version}" if server.version else server.name
    told = f"{name}: {server.reported} tokens reported in {server.answers} trial answers"
    if server.retokenized is None:
        return f"{told}; the server has no /tokenize to check them with."
    verdict = "they agree" if server.is_trusted else "do not trust its usage"
    return f"{told}, {server.retokenized} by its tokenizer without special ones: {verdict}."
