"""Sums up a log: accuracy, detection of each tool, triggering, arguments, times."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evals.metrics import Detection, Share, Spread, spread
from evals.run import Log, Sample

DEFAULT = "default"
"""How reports name the default model among the tools."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """The metrics of one run.

    ``over_triggering``: cases for the default model in which a tool was called;
    ``under_triggering``: cases for a tool that went to the default model; ``wrong_tool``: cases
    for a tool in which another one was called. ``arguments``: cases with the right tool in which
    every call and argument is right, or the right one is asked for. Times in milliseconds.
    """

    accuracy: Share
    over_triggering: Share
    under_triggering: Share
    wrong_tool: Share
    arguments: Share
    tools: dict[str, Detection]
    by_argument: dict[str, Share]
    by_tag: dict[str, Share]
    reasons: dict[str, int]
    unconfirmed: int
    verdict: Spread | None
    decision: Spread | None


def sum_up(log: Log) -> Figures:
    """All figures of ``log``."""
    samples = log.samples
    for_tool = [sample for sample in samples if sample.case.tool is not None]
    for_default = [sample for sample in samples if sample.case.tool is None]
    with_arguments = [sample for sample in samples if sample.score.arguments_right is not None]
    return Figures(
        accuracy=_share(samples, _is_right),
        over_triggering=_share(for_default, lambda sample: not _is_right(sample)),
        under_triggering=_share(
            for_tool, lambda sample: sample.solution.tool is None and not _is_right(sample)
        ),
        wrong_tool=_share(
            for_tool, lambda sample: sample.solution.tool is not None and not _is_right(sample)
        ),
        arguments=_share(with_arguments, lambda sample: sample.score.arguments_right is True),
        tools=_by_tool(samples),
        by_argument=_by_argument(with_arguments),
        by_tag=_by_tag(samples),
        reasons=dict(sorted(Counter(str(sample.solution.reason) for sample in samples).items())),
        unconfirmed=sum(sample.solution.confirmed is False for sample in samples),
        verdict=spread([float(sample.solution.verdict_ms) for sample in samples]),
        decision=spread([sample.solution.decision_ms for sample in samples]),
    )


def _is_right(sample: Sample) -> bool:
    return sample.score.tool_right


def _share(samples: Iterable[Sample], is_hit: Callable[[Sample], bool]) -> Share:
    hits = [is_hit(sample) for sample in samples]
    return Share(hits=sum(hits), total=len(hits))


def _by_tool(samples: Iterable[Sample]) -> dict[str, Detection]:
    kept = tuple(samples)
    names = {_name(sample.case.tool) for sample in kept}
    names |= {_name(sample.solution.tool) for sample in kept}
    return {
        name: Detection(
            precision=_share((s for s in kept if _name(s.solution.tool) == name), _is_right),
            recall=_share((s for s in kept if _name(s.case.tool) == name), _is_right),
        )
        for name in sorted(names)
    }


def _by_argument(samples: Iterable[Sample]) -> dict[str, Share]:
    total: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for sample in samples:
        tool = sample.case.tool
        total.update(f"{tool}.{name}" for name in sample.case.names)
        wrong.update(f"{tool}.{name}" for name in sample.score.wrong_arguments)
    right = total - wrong
    return {key: Share(hits=right[key], total=total[key]) for key in sorted(total)}


def _by_tag(samples: Iterable[Sample]) -> dict[str, Share]:
    kept = tuple(samples)
    tags = sorted({tag for sample in kept for tag in sample.case.tags})
    return {tag: _share((s for s in kept if tag in s.case.tags), _is_right) for tag in tags}


def _name(tool: str | None) -> str:
    return tool if tool is not None else DEFAULT
