"""Compares a run with the committed baseline: no figure may become worse."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from chatbot.errors import ZwrotnicaError
from evals.cases import EVERYDAY, ZWROTNICA_PL
from evals.run import Log
from evals.scorers import Score

_BASELINES = Path(__file__).parent / "baselines"

GATES: Mapping[Path, Path] = {
    EVERYDAY: _BASELINES / "everyday_pl.embedded.json",
    ZWROTNICA_PL: _BASELINES / "zwrotnica_pl.embedded.json",
}
"""The baseline of each set of cases that CI runs."""

TODAY = date(2026, 11, 18)
"""The date of a gate: "on Saturday" must not mean today, whenever it is run."""

Verdict: TypeAlias = Literal["right", "tool", "arguments", "wrong"]
"""All right; the tool, and no arguments are expected; the tool alone; not even that."""


class BaselineError(ZwrotnicaError):
    """There is no usable baseline, or it is one of other cases."""


class Outcome(BaseModel):
    """How one case came out."""

    model_config = ConfigDict(frozen=True)

    tool_right: bool
    arguments_right: bool | None = None

    @property
    def is_right(self) -> bool:
        """Whether the tool and all arguments are right."""
        return self.tool_right and self.arguments_right is not False

    @model_validator(mode="before")
    @classmethod
    def _read_verdict(cls, given: object) -> object:
        """A baseline has one word for each case, a report of a run says more."""
        return _READ.get(given, given) if isinstance(given, str) else given


_READ: Mapping[str, Mapping[str, bool | None]] = {
    "right": {"tool_right": True, "arguments_right": True},
    "tool": {"tool_right": True, "arguments_right": None},
    "arguments": {"tool_right": True, "arguments_right": False},
    "wrong": {"tool_right": False, "arguments_right": None},
}


def verdict_of(score: Score) -> Verdict:
    """A case's outcome in one word."""
    if not score.tool_right:
        return "wrong"
    if score.arguments_right is None:
        return "tool"
    return "right" if score.arguments_right else "arguments"


class Baseline(BaseModel):
    """What a gate needs of an earlier JSON report."""

    model_config = ConfigDict(frozen=True)

    fingerprint: str
    outcomes: Mapping[str, Outcome]


def read_baseline(path: Path) -> Baseline:
    """Read a JSON report of an earlier run.

    Raises:
        BaselineError: the file is missing or is no such report.
    """
    try:
        return Baseline.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise BaselineError(
            f"cannot read the baseline {str(path)!r}; make it with `zwrotnica eval gate --renew`"
        ) from error


def find_regressions(baseline: Baseline, log: Log) -> tuple[str, ...]:
    """Why ``log`` is worse than the baseline, in lines for people; empty where it is not.

    Single cases may change; the number of right tools, of right arguments, and of default cases
    left alone may not fall. The lines then name the cases that were right before, by their ids:
    half of the prompts are not to be read.

    Raises:
        BaselineError: the baseline is one of other cases.
    """
    if baseline.fingerprint != log.fingerprint:
        raise BaselineError(
            "the cases have changed since the baseline was made; run `zwrotnica eval gate "
            "--renew` and commit it with the figures in the message"
        )
    falls = tuple(_falls(baseline, log))
    return (*falls, *_lost(baseline, log)) if falls else ()


def _falls(baseline: Baseline, log: Log) -> Iterator[str]:
    before = baseline.outcomes
    default_ids = {sample.case.id for sample in log.samples if sample.case.tool is None}
    pairs = (
        (
            "right tools",
            sum(outcome.tool_right for outcome in before.values()),
            sum(sample.score.tool_right for sample in log.samples),
        ),
        (
            "default cases left alone",
            sum(before[key].tool_right for key in default_ids if key in before),
            sum(s.score.tool_right for s in log.samples if s.case.id in default_ids),
        ),
        (
            "right arguments",
            sum(outcome.arguments_right is True for outcome in before.values()),
            sum(sample.score.arguments_right is True for sample in log.samples),
        ),
    )
    for name, was, now in pairs:
        if now < was:
            yield f"{name}: {now}, the baseline has {was}"


def _lost(baseline: Baseline, log: Log) -> Iterator[str]:
    for sample in log.samples:
        before = baseline.outcomes.get(sample.case.id)
        if before is not None and before.is_right and not sample.score.is_right:
            yield f"  {sample.case.id}: {sample.solution.tool or 'default'}"
