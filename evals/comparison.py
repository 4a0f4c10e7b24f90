"""Compares runs of the same cases: figures side by side, and McNemar's exact test."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from evals.metrics import mcnemar
from evals.saved import ReportError, SavedFigures, SavedOutcome, SavedRun, SavedSpread
from evals.tables import DASH, Table, milliseconds, percent

Figure = tuple[str, Callable[[SavedFigures], str]]

_FIGURES: tuple[Figure, ...] = (
    ("right tool or default", lambda one: percent(one.accuracy.share)),
    ("over-triggering", lambda one: percent(one.over_triggering.share)),
    ("under-triggering", lambda one: percent(one.under_triggering.share)),
    ("all arguments right, where the tool is", lambda one: percent(one.arguments.share)),
    ("… of the model's own", lambda one: percent(one.raw_arguments.share)),
    ("whole decision right, Polish match", lambda one: percent(one.polish.after.share)),
    ("… before grounding", lambda one: percent(one.polish.before.share)),
    ("whole decision right, as BFCL matches", lambda one: percent(one.bfcl.after.share)),
    ("questions asked that had to be", lambda one: percent(one.questions.precision.share)),
    ("questions that had to be asked and were", lambda one: percent(one.questions.recall.share)),
    ("ms to the verdict, p50 / p95", lambda one: _say(one.verdict_ms)),
    ("ms to the decision, p50 / p95", lambda one: _say(one.decision_ms)),
    ("tokens read, all cases", lambda one: str(one.tokens.total_prompt)),
    ("tokens written, all cases", lambda one: str(one.tokens.total_completion)),
    ("… for decisions that the default model answers", lambda one: str(one.tokens.wasted)),
)


def compare(runs: Sequence[SavedRun]) -> tuple[Table, ...]:
    """The tables of a comparison.

    Raises:
        ReportError: the runs are not of the same cases, or two have the same label.
    """
    _check(runs)
    labels = tuple(run.label for run in runs)
    figures = Table(
        title="Figures",
        head=("figure", *labels),
        rows=tuple((name, *(say(run.figures) for run in runs)) for name, say in _FIGURES),
    )
    return (figures, _tools(runs), *_tests(runs))


def _check(runs: Sequence[SavedRun]) -> None:
    first, *others = runs
    for run in others:
        if run.fingerprint != first.fingerprint or run.outcomes.keys() != first.outcomes.keys():
            raise ReportError(
                f"{first.label!r} and {run.label!r} are runs of different cases; compare runs "
                "with the same --cases, --split and --limit"
            )
    if len({run.label for run in runs}) < len(runs):
        raise ReportError("two of the reports have the same name; rename one of the files")


def _tools(runs: Sequence[SavedRun]) -> Table:
    names = sorted({name for run in runs for name in run.figures.tools})
    return Table(
        title="Recall by tool",
        head=("tool", *(run.label for run in runs)),
        rows=tuple((name, *(_recall(run.figures, name) for run in runs)) for name in names),
    )


def _recall(figures: SavedFigures, name: str) -> str:
    found = figures.tools.get(name)
    return percent(found.recall.share) if found else DASH


def _tests(runs: Sequence[SavedRun]) -> Iterator[Table]:
    if len(runs) > 1:
        yield _test("right tool or default", runs, lambda outcome: outcome.tool_right)
        yield _test("whole decision, Polish match", runs, lambda outcome: outcome.polish)


def _test(title: str, runs: Sequence[SavedRun], is_hit: Callable[[SavedOutcome], bool]) -> Table:
    return Table(
        title=f"McNemar's exact test: {title}",
        head=("systems", "both", "only the first", "only the second", "neither", "p"),
        rows=tuple(_pair(one, other, is_hit) for one, other in combinations(runs, 2)),
        note="Two-sided, by the binomial distribution; not corrected for several comparisons.",
    )


def _pair(
    one: SavedRun, other: SavedRun, is_hit: Callable[[SavedOutcome], bool]
) -> tuple[str, ...]:
    pairs = [(is_hit(one.outcomes[key]), is_hit(other.outcomes[key])) for key in one.outcomes]
    lost, won = pairs.count((True, False)), pairs.count((False, True))
    counts = (pairs.count((True, True)), lost, won, pairs.count((False, False)))
    return (f"{one.label} / {other.label}", *map(str, counts), say_p(mcnemar(lost, won)))


def _say(times: SavedSpread | None) -> str:
    return milliseconds(times.spread if times else None)


def say_p(value: float) -> str:
    """A p-value as papers print it."""
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"  # noqa: PLR2004 - as papers print it
