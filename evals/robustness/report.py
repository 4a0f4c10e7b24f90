"""Writes what each kind of perturbation does, as JSON and Markdown."""

from collections.abc import Iterator, Sequence

from evals.report import write_markdown
from evals.robustness.comparison import KindFigures, Pair, Paired, is_tool, is_whole
from evals.run import Log, Sample
from evals.tables import Table, percent, say_decided, say_expected
from evals.writing import Json, numbers, plain

_MOST_LOST = 5


def as_json(log: Log, found: Sequence[KindFigures]) -> dict[str, Json]:
    """The figures of each kind, and every case that changed sides."""
    return {
        "cases": log.cases,
        "fingerprint": log.fingerprint,
        "engine": log.engine,
        "dialect": log.dialect,
        "kinds": {
            one.kind: {
                "tool": _paired(one.tool),
                "whole": _paired(one.whole),
                "changed": [_changed(pair) for pair in one.pairs if _differs(pair)],
            }
            for one in found
        },
    }


def as_markdown(log: Log, found: Sequence[KindFigures]) -> str:
    """A report for people: the kinds, the most harmful first, then examples of what was lost."""
    originals = sum("~" not in sample.case.id for sample in log.samples)
    intro = (
        f"{originals} prompts, {len(log.samples) - originals} times written otherwise; in brackets "
        "the count and the 95 % interval (Wilson). Before: the same prompts as they were. "
        "p: McNemar's test, two-sided, not corrected for the number of kinds."
    )
    title = f"Robustness: {log.cases}, engine {log.engine}, dialect {log.dialect}"
    return write_markdown(title, intro, _tables(found))


def _tables(found: Sequence[KindFigures]) -> Iterator[Table]:
    head = ("kind", "before", "after", "drop, points", "lost", "won", "p")
    for title, rows in (
        ("Right tool or default", [(one.kind, one.tool) for one in found]),
        ("Tool and arguments right", [(one.kind, one.whole) for one in found]),
    ):
        yield Table(title=title, head=head, rows=tuple((kind, *_row(one)) for kind, one in rows))
    for one in found:
        lost = [pair for pair in one.pairs if is_whole(pair.original) and not _is_kept(pair)]
        if lost:
            yield Table(
                title=f"Lost by {one.kind} ({len(lost)})",
                head=("id", "prompt", "right", "decided"),
                rows=tuple(map(_example, lost[:_MOST_LOST])),
            )


def _row(paired: Paired) -> tuple[str, ...]:
    return (
        percent(paired.before),
        percent(paired.after),
        f"{paired.drop:.1f}",
        str(paired.lost),
        str(paired.won),
        f"{paired.p:.3g}",
    )


def _is_kept(pair: Pair) -> bool:
    return is_whole(pair.perturbed)


def _example(pair: Pair) -> tuple[str, ...]:
    case = pair.perturbed.case
    return (
        pair.original.case.id,
        case.prompt,
        say_expected(case.expected),
        say_decided(pair.perturbed.solution),
    )


def _paired(paired: Paired) -> Json:
    return {
        "before": numbers(paired.before),
        "after": numbers(paired.after),
        "drop": round(paired.drop, 2),
        "lost": paired.lost,
        "won": paired.won,
        "p": paired.p,
    }


def _differs(pair: Pair) -> bool:
    before, after = pair.original, pair.perturbed
    return is_tool(before) != is_tool(after) or is_whole(before) != is_whole(after)


def _changed(pair: Pair) -> Json:
    return {
        "id": pair.original.case.id,
        "prompt": pair.original.case.prompt,
        "perturbed": pair.perturbed.case.prompt,
        "right": say_expected(pair.original.case.expected),
        "before": _outcome(pair.original),
        "after": _outcome(pair.perturbed),
    }


def _outcome(sample: Sample) -> Json:
    solution = sample.solution
    return {
        "tool": solution.tool,
        "reason": solution.reason,
        "asked": solution.asked,
        "calls": [
            {"tool": call.tool, "arguments": plain(call.arguments)} for call in solution.calls
        ],
        "tool_right": sample.score.tool_right,
        "arguments_right": sample.score.arguments_right,
    }
