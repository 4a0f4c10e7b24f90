"""Writes a log and its figures as JSON, to keep and compare, and as Markdown, to read."""

from collections.abc import Iterable, Iterator

from evals.cases import Expected
from evals.gate import verdict_of
from evals.metrics import Calibration, Detection, Spread
from evals.run import Log, Sample
from evals.scorers import Score
from evals.solver import DecidedCall, Solution
from evals.summary import Figures, Grounded, Tokens
from evals.tables import Table, faults_of, say_decided, say_expected, tables_of, title_of
from evals.writing import Json, numbers, plain

_MOST_FAULTS = 60


def as_json(log: Log, figures: Figures) -> dict[str, Json]:
    """The whole run; ``outcomes`` holds every case by its id."""
    return {
        "cases": log.cases,
        "fingerprint": log.fingerprint,
        "engine": log.engine,
        "dialect": log.dialect,
        "mode": log.mode,
        "figures": _figures(figures),
        "outcomes": {sample.case.id: _outcome(sample) for sample in log.samples},
    }


def as_baseline(log: Log, figures: Figures) -> dict[str, Json]:
    """What a gate compares with: figures, and by each case's id what was right, without prompts."""
    return {
        "cases": log.cases,
        "fingerprint": log.fingerprint,
        "engine": log.engine,
        "figures": {
            "accuracy": numbers(figures.accuracy),
            "over_triggering": numbers(figures.over_triggering),
            "arguments": numbers(figures.arguments),
            "polish": numbers(figures.polish.after),
        },
        "outcomes": {sample.case.id: verdict_of(sample.score) for sample in log.samples},
    }


def as_markdown(log: Log, figures: Figures, *, shows_faults: bool = True) -> str:
    """A report for people: figures first, then the cases that went wrong, if they may be read."""
    intro = f"{len(log.samples)} prompts; in brackets the count and the 95 % interval (Wilson)."
    tables = (*tables_of(figures), *(_faults(log.samples) if shows_faults else ()))
    return write_markdown(title_of(log), intro, tables)


def write_markdown(title: str, intro: str, tables: Iterable[Table]) -> str:
    """A document of tables."""
    sections = [line for table in tables for line in _section(table, f"## {table.title}")]
    return "\n".join((f"# {title}", "", intro, *sections)) + "\n"


def write_tables(tables: Iterable[Table]) -> str:
    """Tables under plain titles, for a document that has headings of its own."""
    lines = [line for table in tables for line in _section(table, f"**{table.title}**")]
    return "\n".join(lines) + "\n"


def _figures(figures: Figures) -> dict[str, Json]:
    return {
        "accuracy": numbers(figures.accuracy),
        "over_triggering": numbers(figures.over_triggering),
        "under_triggering": numbers(figures.under_triggering),
        "wrong_tool": numbers(figures.wrong_tool),
        "arguments": numbers(figures.arguments),
        "raw_arguments": numbers(figures.raw_arguments),
        "polish": _grounded(figures.polish),
        "bfcl": _grounded(figures.bfcl),
        "every_word": _grounded(figures.every_word),
        "questions": _detection(figures.questions),
        "tools": {name: _detection(found) for name, found in figures.tools.items()},
        "confusion": {right: dict(row) for right, row in figures.confusion.items()},
        "by_argument": {name: numbers(share) for name, share in figures.by_argument.items()},
        "by_tag": {name: numbers(share) for name, share in figures.by_tag.items()},
        "patterns": dict(figures.patterns),
        "raw_patterns": dict(figures.raw_patterns),
        "by_verifier": {name: numbers(share) for name, share in figures.by_verifier.items()},
        "reasons": dict(figures.reasons),
        "unconfirmed": figures.unconfirmed,
        "unanswered": figures.unanswered,
        "calibration": _calibration(figures.calibration),
        "verdict_ms": _spread(figures.verdict),
        "decision_ms": _spread(figures.decision),
        "tokens": _tokens(figures.tokens),
    }


def _outcome(sample: Sample) -> dict[str, Json]:
    case = sample.case
    return {
        "prompt": case.prompt,
        "history": [{"role": said.role, "text": said.text} for said in case.history],
        "tags": list(case.tags),
        "right": [_right(one) for one in (case.expected, *case.also)],
        **_score(sample.score),
        **_solution(sample.solution),
    }


def _right(expected: Expected) -> Json:
    return {
        "tool": expected.tool,
        "ask": expected.ask,
        "calls": [
            {"tool": call.tool, "arguments": plain(call.arguments), "accept": plain(call.accept)}
            for call in expected.calls
        ],
    }


def _score(score: Score) -> dict[str, Json]:
    return {
        "tool_right": score.tool_right,
        "arguments_right": score.arguments_right,
        "raw_right": score.raw_right,
        "wrong_arguments": list(score.wrong_arguments),
        "polish": score.polish,
        "raw_polish": score.raw_polish,
        "bfcl": score.bfcl,
        "raw_bfcl": score.raw_bfcl,
        "patterns": [str(pattern) for pattern in score.patterns],
        "raw_patterns": [str(pattern) for pattern in score.raw_patterns],
    }


def _solution(solution: Solution) -> dict[str, Json]:
    return {
        "tool": solution.tool,
        "reason": solution.reason,
        "verified": solution.verified,
        "rewritten": solution.rewritten,
        "asked": solution.asked,
        "calls": [_call(call) for call in solution.calls],
        "confidence": _rounded(solution.confidence),
        "verdict_ms": solution.verdict_ms,
        "decision_ms": round(solution.decision_ms, 2),
        "prompt_tokens": solution.prompt_tokens,
        "completion_tokens": solution.completion_tokens,
    }


def _call(call: DecidedCall) -> Json:
    return {
        "tool": call.tool,
        "arguments": plain(call.arguments),
        "raw_arguments": plain(call.raw.arguments),
    }


def _grounded(both: Grounded) -> Json:
    return {"before": numbers(both.before), "after": numbers(both.after)}


def _detection(found: Detection) -> Json:
    return {
        "recall": numbers(found.recall),
        "precision": numbers(found.precision),
        "f1": _rounded(found.f1),
    }


def _calibration(calibration: Calibration | None) -> Json:
    if calibration is None:
        return None
    return {
        "error": _rounded(calibration.error),
        "bins": [
            {
                "low": one.low,
                "high": one.high,
                "mean_confidence": _rounded(one.mean_confidence),
                "right": numbers(one.right),
            }
            for one in calibration.bins
        ],
    }


def _tokens(tokens: Tokens) -> Json:
    return {
        "prompt": _spread(tokens.prompt),
        "completion": _spread(tokens.completion),
        "total_prompt": tokens.total_prompt,
        "total_completion": tokens.total_completion,
        "wasted": tokens.wasted,
        "is_estimated": tokens.is_estimated,
    }


def _spread(times: Spread | None) -> Json:
    return {"p50": round(times.p50, 2), "p95": round(times.p95, 2)} if times else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _faults(samples: Iterable[Sample]) -> Iterator[Table]:
    faults = faults_of(samples)
    if not faults:
        return
    more = len(faults) - _MOST_FAULTS
    yield Table(
        title=f"What went wrong ({len(faults)})",
        head=("id", "prompt", "right", "decided", "reason"),
        rows=tuple(map(_fault, faults[:_MOST_FAULTS])),
        note=f"… and {more} more, in the JSON report." if more > 0 else "",
    )


def _fault(sample: Sample) -> tuple[str, ...]:
    case, solution = sample.case, sample.solution
    return (
        case.id,
        case.prompt,
        say_expected(case.expected),
        say_decided(solution),
        solution.reason,
    )


def _section(table: Table, title: str) -> Iterator[str]:
    yield from ("", title, "", _row(table.head), "|" + "---|" * len(table.head))
    yield from map(_row, table.rows)
    if table.note:
        yield from ("", table.note)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"
