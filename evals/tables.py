"""The tables of a report, once for every form it is written in."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from chatbot.types import JsonValue
from evals.cases import Expected
from evals.error_patterns import PATTERNS
from evals.metrics import Calibration, Share, Spread
from evals.run import Log, Sample
from evals.solver import Solution
from evals.summary import DEFAULT, Figures, Grounded

DASH = "–"
_MEANINGS: Mapping[str, str] = {str(code): said for code, said in PATTERNS.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A titled table of texts; ``note`` stands below it. A matrix counts by row and column."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    is_matrix: bool = False


def title_of(log: Log) -> str:
    """What was run."""
    mode = f", mode {log.mode}" if log.mode else ""
    return f"Function detection: {log.cases}, engine {log.engine}, dialect {log.dialect}{mode}"


def tables_of(figures: Figures) -> Iterator[Table]:
    """Every table of figures that holds something."""
    yield _overview(figures)
    yield _grounding(figures)
    yield Table(
        title="Tools",
        head=("tool", "recall", "precision", "F1"),
        rows=tuple(
            (name, percent(found.recall), percent(found.precision), _score(found.f1))
            for name, found in figures.tools.items()
        ),
    )
    yield _confusion(figures)
    yield from _shares("Arguments", "argument", figures.by_argument)
    yield from _patterns(figures)
    yield from _shares("Tags", "tag", figures.by_tag)
    yield from _shares("Right tools by the verifier", "local detector", figures.by_verifier)
    yield from _calibration(figures.calibration)
    if figures.tokens.prompt is not None:
        yield _costs(figures)
    yield Table(
        title="Reasons",
        head=("reason", "cases"),
        rows=tuple((name, str(count)) for name, count in figures.reasons.items()),
    )


def percent(share: Share) -> str:
    """``91.2 % (114/125, 84.9–95.0)``; a dash of nothing."""
    if share.value is None or share.interval is None:
        return DASH
    low, high = (100 * end for end in share.interval)
    return f"{100 * share.value:.1f} % ({share.hits}/{share.total}, {low:.1f}–{high:.1f})"


def milliseconds(times: Spread | None) -> str:
    """``2.0 / 5.1``: median and 95th percentile; a dash of nothing."""
    return f"{times.p50:.1f} / {times.p95:.1f}" if times else DASH


def say_expected(expected: Expected) -> str:
    """A right decision in one line."""
    calls = [say_call(call.tool, call.arguments) for call in expected.calls]
    return say_decision(expected.tool, expected.ask, calls)


def say_decided(solution: Solution) -> str:
    """What was decided in one line."""
    calls = [say_call(call.tool, call.arguments) for call in solution.calls]
    return say_decision(solution.tool, solution.asked, calls)


def say_decision(tool: str | None, asked: str | None, calls: Iterable[str]) -> str:
    """A question, calls that are said already, or the default."""
    if asked is not None:
        return f"{tool}: {asked}?"
    return "; ".join(calls) or tool or DEFAULT


def say_call(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """``get_weather(city='Łódź')``."""
    return f"{tool}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def faults_of(samples: Iterable[Sample]) -> list[Sample]:
    """The cases in which tool or arguments are wrong."""
    return [sample for sample in samples if not sample.score.is_right]


def _overview(figures: Figures) -> Table:
    rows = [
        ("right tool or default", percent(figures.accuracy)),
        ("over-triggering: a tool instead of the default", percent(figures.over_triggering)),
        ("under-triggering: the default instead of a tool", percent(figures.under_triggering)),
        ("another tool than the right one", percent(figures.wrong_tool)),
        ("all arguments right, where the tool is", percent(figures.arguments)),
        ("whole decision right, Polish match", percent(figures.polish.after)),
        ("whole decision right, as BFCL matches", percent(figures.bfcl.after)),
        ("questions asked that had to be", percent(figures.questions.precision)),
        ("questions that had to be asked and were", percent(figures.questions.recall)),
        ("milliseconds to the verdict, p50 / p95", milliseconds(figures.verdict)),
        ("milliseconds to the decision, p50 / p95", milliseconds(figures.decision)),
        ("verdicts that the token ids contradict", str(figures.unconfirmed)),
    ]
    if figures.unanswered:
        rows.append(("cases that an engine left unanswered", str(figures.unanswered)))
    return Table(title="Overview", head=("figure", "value"), rows=tuple(rows))


def _grounding(figures: Figures) -> Table:
    arguments = Grounded(before=figures.raw_arguments, after=figures.arguments)
    rows = (
        ("all arguments right, where the tool is", arguments),
        ("whole decision right, Polish match", figures.polish),
        ("whole decision right, as BFCL matches", figures.bfcl),
        ("descriptions that keep every content word", figures.every_word),
    )
    return Table(
        title="Before and after grounding",
        head=("figure", "the model's own arguments", "grounded and validated"),
        rows=tuple((name, percent(one.before), percent(one.after)) for name, one in rows),
    )


def _confusion(figures: Figures) -> Table:
    columns = tuple(next(iter(figures.confusion.values()), {}))
    return Table(
        title="Confusion",
        head=("right ↓ decided →", *columns),
        rows=tuple(
            (right, *(str(count) for count in row.values()))
            for right, row in figures.confusion.items()
        ),
        note="By the first function of a decision.",
        is_matrix=True,
    )


def _shares(title: str, head: str, shares: Mapping[str, Share]) -> Iterator[Table]:
    if shares:
        rows = tuple((name, percent(share)) for name, share in shares.items())
        yield Table(title=title, head=(head, "right"), rows=rows)


def _patterns(figures: Figures) -> Iterator[Table]:
    names = sorted({*figures.raw_patterns, *figures.patterns}, key=_pattern_order)
    if not names:
        return
    yield Table(
        title="Error patterns (SpecTool/ToolScan)",
        head=("pattern", "meaning", "the model's own", "after grounding"),
        rows=tuple(
            (
                name,
                _say_pattern(name),
                str(figures.raw_patterns.get(name, 0)),
                str(figures.patterns.get(name, 0)),
            )
            for name in names
        ),
        note="Cases for a tool; one case may show several.",
    )


def _pattern_order(name: str) -> tuple[int, str]:
    return tuple(_MEANINGS).index(name.partition(".")[0]), name


def _say_pattern(name: str) -> str:
    code, _, kind = name.partition(".")
    return f"{_MEANINGS[code]}: {kind.replace('_', ' ')}" if kind else _MEANINGS[code]


def _calibration(calibration: Calibration | None) -> Iterator[Table]:
    if calibration is None:
        return
    yield Table(
        title="Calibration",
        head=("confidence", "mean", "right tool or default"),
        rows=tuple(
            (f"{one.low:.1f}–{one.high:.1f}", f"{one.mean_confidence:.3f}", percent(one.right))
            for one in calibration.bins
        ),
        note=f"Expected calibration error of ten bins: {calibration.error:.3f}.",
    )


def _costs(figures: Figures) -> Table:
    tokens = figures.tokens
    return Table(
        title="Tokens",
        head=("figure", "value"),
        rows=(
            ("read to decide, p50 / p95", milliseconds(tokens.prompt)),
            ("written to decide, p50 / p95", milliseconds(tokens.completion)),
            ("read, all cases", str(tokens.total_prompt)),
            ("written, all cases", str(tokens.total_completion)),
            ("of these for decisions that the default model answers", str(tokens.wasted)),
        ),
        note="Some engines told no usage; their tokens are estimated from bytes."
        if tokens.is_estimated
        else "",
    )


def _score(value: float | None) -> str:
    return DASH if value is None else f"{value:.3f}"
