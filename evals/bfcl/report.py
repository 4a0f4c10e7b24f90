"""Sums up BFCL results by category, and writes them as JSON and Markdown."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from chatbot.types import Decision
from evals.bfcl.checker import Fault
from evals.bfcl.run import Result
from evals.metrics import Share
from evals.report import write_markdown
from evals.tables import DASH, Table, percent, say_call
from evals.writing import Json, numbers, plain

_MOST_FAULTS = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class CategoryFigures:
    """How many entries of one category are right, and what is wrong with the others."""

    category: str
    right: Share
    faults: dict[Fault, int]
    reasons: dict[str, int]


def sum_up(results: Sequence[Result]) -> tuple[CategoryFigures, ...]:
    """The figures of each category, in the order of the results."""
    categories = dict.fromkeys(result.entry.category for result in results)
    return tuple(_category(category, results) for category in categories)


def as_json(engine: str, dialect: str, results: Sequence[Result]) -> dict[str, Json]:
    """The whole run; ``outcomes`` holds every entry by its id."""
    return {
        "benchmark": "BFCL v4",
        "engine": engine,
        "dialect": dialect,
        "categories": {
            one.category: {
                "right": numbers(one.right),
                "faults": dict(one.faults.items()),
                "reasons": dict(one.reasons),
            }
            for one in sum_up(results)
        },
        "outcomes": {result.entry.id: _outcome(result) for result in results},
    }


def as_markdown(engine: str, dialect: str, results: Sequence[Result]) -> str:
    """A report for people: figures first, then the entries that went wrong."""
    intro = f"{len(results)} questions; in brackets the count and the 95 % interval (Wilson)."
    title = f"BFCL v4, engine {engine}, dialect {dialect}"
    return write_markdown(title, intro, (_figures(results), *_wrong(results)))


def _category(category: str, results: Sequence[Result]) -> CategoryFigures:
    own = [result for result in results if result.entry.category == category]
    found = Counter(result.fault for result in own)
    reasons = Counter(str(result.decision.reason) for result in own)
    return CategoryFigures(
        category=category,
        right=Share(hits=found[None], total=len(own)),
        faults={fault: found[fault] for fault in get_args(Fault) if found[fault]},
        reasons=dict(sorted(reasons.items())),
    )


def _outcome(result: Result) -> dict[str, Json]:
    return {
        "category": result.entry.category,
        "reason": result.decision.reason,
        "right": result.fault is None,
        "fault": result.fault,
        "calls": [
            {"tool": call.name, "arguments": plain(call.arguments)}
            for call in result.decision.calls
        ],
    }


def _figures(results: Sequence[Result]) -> Table:
    rows = ((one.category, percent(one.right), _say(one.faults)) for one in sum_up(results))
    return Table(title="Categories", head=("category", "right", "what is wrong"), rows=tuple(rows))


def _say(faults: dict[Fault, int]) -> str:
    return ", ".join(f"{fault} {count}" for fault, count in faults.items()) or DASH


def _wrong(results: Sequence[Result]) -> Iterator[Table]:
    wrong = [result for result in results if result.fault is not None]
    if not wrong:
        return
    more = len(wrong) - _MOST_FAULTS
    yield Table(
        title=f"What went wrong ({len(wrong)})",
        head=("id", "prompt", "fault", "called"),
        rows=tuple(
            (one.entry.id, one.entry.prompt, one.fault or "", _say_calls(one.decision))
            for one in wrong[:_MOST_FAULTS]
        ),
        note=f"… and {more} more, in the JSON report." if more > 0 else "",
    )


def _say_calls(decision: Decision) -> str:
    calls = (say_call(call.name, call.arguments) for call in decision.calls)
    return "; ".join(calls) or decision.reason
