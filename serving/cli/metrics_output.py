"""Reports of the kept metrics as a table for people, as JSON, and as CSV."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Final, TypeAlias

from pydantic import TypeAdapter

from serving.cli.terminal import printable, printable_json
from serving.telemetry.history import FirstText, Report

_REPORTS: Final = TypeAdapter(list[Report])
_NONE: Final = "-"
_MEGABYTE: Final = 1_000_000
_MS: Final = 1000
_COLUMNS: Final = ("from", "to", "figure", "path", "engine", "kind", "code", "tool", "decision")
_TITLES: Final = (
    "FROM (UTC)",
    "REQUESTS",
    "PER S",
    "TOOL",
    "DEFAULT",
    "P50 MS",
    "P95 MS",
    "TOKENS IN",
    "OUT",
    "REFUSED",
    "TOOLS FAILED",
    "BREAKERS",
    "MEMORY MB",
)
Rows: TypeAlias = Sequence[Sequence[str]]


def as_json(reports: list[Report]) -> str:
    """Everything; times in ISO 8601, durations in seconds."""
    return printable_json(_REPORTS.dump_python(reports, mode="json"))


def as_csv(reports: Sequence[Report]) -> str:
    """A line for each figure: when, which, of what, and its value."""
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow((*_COLUMNS, "value"))
    for report in reports:
        times = {"from": report.begin.isoformat(), "to": report.end.isoformat()}
        for figure, value, labels in _figures(report):
            if value is not None:
                fields = {**times, "figure": figure, **labels}
                writer.writerow((*(fields.get(name, "") for name in _COLUMNS), value))
    return written.getvalue()


def _figures(report: Report) -> Iterator[tuple[str, float | None, dict[str, str]]]:
    yield "requests", report.requests, {}
    yield "requests_per_s", report.per_s, {}
    yield "memory_bytes", report.memory_bytes, {}
    for decision, count in report.turns.items():
        yield "turns", count, {"decision": decision}
    for text in (report.first_text, *report.first_texts):
        of = {"path": text.path, "engine": text.engine}
        yield "first_texts", text.count, of
        yield "first_text_p50_s", text.p50_s, of
        yield "first_text_p95_s", text.p95_s, of
    for engine, kinds in report.tokens.items():
        for kind, count in kinds.items():
            yield "tokens", count, {"engine": engine, "kind": kind}
    for code, count in report.refusals.items():
        yield "refusals", count, {"code": code}
    for use in report.tools:
        yield "tool_calls", use.calls, {"tool": use.tool}
        yield "tool_failures", use.failures, {"tool": use.tool}
    for engine, count in report.open_breakers.items():
        yield "open_breakers", count, {"engine": engine}


def as_table(reports: Sequence[Report]) -> str:
    """A row for each report; where there is one alone, what it is made of stands below."""
    rows = [
        _TITLES,
        *map(_row, reports),
    ]
    parts = [_align(rows)]
    if len(reports) == 1:
        parts += [_align(part) for part in _details(reports[0]) if len(part) > 1]
    return printable("\n\n".join(parts))


def _row(report: Report) -> tuple[str, ...]:
    text = report.first_text
    memory = report.memory_bytes
    return (
        f"{report.begin:%Y-%m-%d %H:%M:%S}",
        str(report.requests),
        f"{report.per_s:.2f}",
        str(report.turns.get("tool", 0)),
        str(report.turns.get("default", 0)),
        _ms(text.p50_s),
        _ms(text.p95_s),
        str(sum(kinds.get("prompt", 0) for kinds in report.tokens.values())),
        str(sum(kinds.get("completion", 0) for kinds in report.tokens.values())),
        str(sum(report.refusals.values())),
        str(sum(use.failures for use in report.tools)),
        str(sum(report.open_breakers.values())),
        _NONE if memory is None else f"{memory / _MEGABYTE:.0f}",
    )


def _details(report: Report) -> Iterator[Rows]:
    yield [("PATH", "ENGINE", "FIRST TEXTS", "P50 MS", "P95 MS"), *map(_text, report.first_texts)]
    yield [
        ("ENGINE", "TOKENS IN", "OUT"),
        *(
            (engine, str(kinds.get("prompt", 0)), str(kinds.get("completion", 0)))
            for engine, kinds in report.tokens.items()
        ),
    ]
    yield [
        ("TOOL", "CALLS", "FAILED"),
        *((use.tool, str(use.calls), str(use.failures)) for use in report.tools),
    ]
    yield [
        ("REFUSED WITH", "TURNS"),
        *((code, str(count)) for code, count in report.refusals.items()),
    ]
    yield [
        ("ENGINE", "OPEN BREAKERS"),
        *((engine, str(count)) for engine, count in report.open_breakers.items()),
    ]


def _text(text: FirstText) -> tuple[str, ...]:
    return (text.path, text.engine, str(text.count), _ms(text.p50_s), _ms(text.p95_s))


def _ms(seconds: float | None) -> str:
    return _NONE if seconds is None else f"{seconds * _MS:.0f}"


def _align(rows: Rows) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
