"""Writes a log and its figures as JSON, to keep and compare, and as Markdown, to read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from chatbot.types import JsonValue
from evals.metrics import Share, Spread
from evals.run import Log, Sample
from evals.summary import DEFAULT, Figures

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

_MOST_FAULTS = 60


def as_json(log: Log, figures: Figures) -> dict[str, Json]:
    """The whole run; ``outcomes`` holds every case by its id."""
    return {
        "cases": log.cases,
        "fingerprint": log.fingerprint,
        "engine": log.engine,
        "dialect": log.dialect,
        "figures": _figures(figures),
        "outcomes": {sample.case.id: _outcome(sample) for sample in log.samples},
    }


def as_markdown(log: Log, figures: Figures) -> str:
    """A report for people: figures first, then the cases that went wrong."""
    return "\n".join((*_overview(log, figures), *_tables(figures), *_faults(log.samples))) + "\n"


def percent(share: Share) -> str:
    """``91.2 % (114/125, 84.9–95.0)``; a dash of nothing."""
    if share.value is None or share.interval is None:
        return "–"
    low, high = (100 * end for end in share.interval)
    return f"{100 * share.value:.1f} % ({share.hits}/{share.total}, {low:.1f}–{high:.1f})"


def _figures(figures: Figures) -> dict[str, Json]:
    return {
        "accuracy": _share(figures.accuracy),
        "over_triggering": _share(figures.over_triggering),
        "under_triggering": _share(figures.under_triggering),
        "wrong_tool": _share(figures.wrong_tool),
        "arguments": _share(figures.arguments),
        "tools": {
            name: {
                "recall": _share(found.recall),
                "precision": _share(found.precision),
                "f1": _rounded(found.f1),
            }
            for name, found in figures.tools.items()
        },
        "by_argument": {name: _share(share) for name, share in figures.by_argument.items()},
        "by_tag": {name: _share(share) for name, share in figures.by_tag.items()},
        "reasons": dict(figures.reasons),
        "unconfirmed": figures.unconfirmed,
        "verdict_ms": _spread(figures.verdict),
        "decision_ms": _spread(figures.decision),
    }


def _outcome(sample: Sample) -> dict[str, Json]:
    return {
        "tool": sample.solution.tool,
        "reason": sample.solution.reason,
        "tool_right": sample.score.tool_right,
        "arguments_right": sample.score.arguments_right,
        "wrong_arguments": list(sample.score.wrong_arguments),
        "asked": sample.solution.asked,
        "calls": [
            {"tool": call.tool, "arguments": _plain(call.arguments)}
            for call in sample.solution.calls
        ],
    }


def _share(share: Share) -> Json:
    interval = share.interval
    return {
        "hits": share.hits,
        "total": share.total,
        "value": _rounded(share.value),
        "interval": [_rounded(end) for end in interval] if interval else None,
    }


def _spread(times: Spread | None) -> Json:
    return {"p50": round(times.p50, 2), "p95": round(times.p95, 2)} if times else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _plain(value: JsonValue) -> Json:
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return value


def _overview(log: Log, figures: Figures) -> Iterator[str]:
    yield f"# Function detection: {log.cases}, engine `{log.engine}`, dialect `{log.dialect}`"
    yield ""
    yield f"{len(log.samples)} prompts; in brackets the count and the 95 % interval (Wilson)."
    yield ""
    yield from _table(
        ("figure", "value"),
        [
            ("right tool or default", percent(figures.accuracy)),
            ("over-triggering: a tool instead of the default", percent(figures.over_triggering)),
            ("under-triggering: the default instead of a tool", percent(figures.under_triggering)),
            ("another tool than the right one", percent(figures.wrong_tool)),
            ("all arguments right, where the tool is", percent(figures.arguments)),
            ("milliseconds to the verdict, p50 / p95", _milliseconds(figures.verdict)),
            ("milliseconds to the decision, p50 / p95", _milliseconds(figures.decision)),
            ("verdicts that the token ids contradict", str(figures.unconfirmed)),
        ],
    )


def _tables(figures: Figures) -> Iterator[str]:
    yield from ("", "## Tools", "")
    yield from _table(
        ("tool", "accuracy (recall)", "precision", "F1"),
        (
            (name, percent(found.recall), percent(found.precision), _score(found.f1))
            for name, found in figures.tools.items()
        ),
    )
    for title, shares in (("Arguments", figures.by_argument), ("Tags", figures.by_tag)):
        if shares:
            yield from ("", f"## {title}", "")
            rows = ((name, percent(share)) for name, share in shares.items())
            yield from _table((title.lower(), "right"), rows)
    yield from ("", "## Reasons", "")
    yield from _table(("reason", "cases"), ((n, str(c)) for n, c in figures.reasons.items()))


def _faults(samples: Iterable[Sample]) -> Iterator[str]:
    faults = [
        sample
        for sample in samples
        if not sample.score.tool_right or sample.score.arguments_right is False
    ]
    if not faults:
        return
    yield from ("", f"## What went wrong ({len(faults)})", "")
    yield from _table(
        ("id", "prompt", "right", "decided", "reason"), map(_fault, faults[:_MOST_FAULTS])
    )
    if len(faults) > _MOST_FAULTS:
        yield from ("", f"… and {len(faults) - _MOST_FAULTS} more, in the JSON report.")


def _fault(sample: Sample) -> tuple[str, ...]:
    case, solution = sample.case, sample.solution
    expected = [_say_call(call.tool, call.arguments) for call in case.expected.calls]
    decided = [_say_call(call.tool, call.arguments) for call in solution.calls]
    return (
        case.id,
        case.prompt,
        _say_decision(case.tool, case.expected.ask, expected),
        _say_decision(solution.tool, solution.asked, decided),
        solution.reason,
    )


def _say_decision(tool: str | None, asked: str | None, calls: Sequence[str]) -> str:
    if asked is not None:
        return f"{tool}: {asked}?"
    return "; ".join(calls) or tool or DEFAULT


def _say_call(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    return f"{tool}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield _row(head)
    yield "|" + "---|" * len(head)
    yield from map(_row, rows)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"


def _milliseconds(times: Spread | None) -> str:
    return f"{times.p50:.1f} / {times.p95:.1f}" if times else "–"


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
