"""Sums up a log: detection, triggering, arguments, whole calls, errors, questions, costs."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evals.error_patterns import Pattern
from evals.metrics import Calibration, Detection, Share, Spread, calibrate, spread
from evals.run import Log, Sample
from evals.scorers import Score
from evals.solver import Solution

DEFAULT = "default"
"""How reports name the default model among the tools."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Grounded:
    """One share before and after the arguments were grounded and validated."""

    before: Share
    after: Share


@dataclass(frozen=True, kw_only=True, slots=True)
class Tokens:
    """What deciding cost; ``wasted`` were written for decisions that the default model answers.

    ``is_estimated`` where some engine did not tell and bytes were counted instead.
    """

    prompt: Spread | None
    completion: Spread | None
    total_prompt: int
    total_completion: int
    wasted: int
    is_estimated: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """The metrics of one run.

    ``over_triggering``: cases for the default model in which a tool was called;
    ``under_triggering``: cases for a tool that went to the default model; ``wrong_tool``: cases
    for a tool in which another one was called. ``arguments``: cases with the right tool in which
    every call and argument is right, or the right one is asked for; ``raw_arguments`` the same of
    the model's own. ``bfcl`` and ``polish``: cases that are right as a whole, see
    `evals.full_call`. ``every_word``: descriptions that keep all content words. ``questions``:
    those asked rightly, of those asked and of those to be asked. ``patterns`` count error patterns
    (``IAV.inflection``). ``confusion`` counts decided tools by the right one. ``by_verifier``:
    right tools where the local detector agreed with the model, and where it did not.
    ``unanswered`` counts cases that no engine answered and that went to the default model
    therefore. Times in milliseconds.
    """

    accuracy: Share
    over_triggering: Share
    under_triggering: Share
    wrong_tool: Share
    arguments: Share
    raw_arguments: Share
    bfcl: Grounded
    polish: Grounded
    every_word: Grounded
    questions: Detection
    tools: dict[str, Detection]
    confusion: dict[str, dict[str, int]]
    by_argument: dict[str, Share]
    by_tag: dict[str, Share]
    patterns: dict[str, int]
    raw_patterns: dict[str, int]
    by_verifier: dict[str, Share]
    reasons: dict[str, int]
    unconfirmed: int
    unanswered: int
    calibration: Calibration | None
    verdict: Spread | None
    decision: Spread | None
    tokens: Tokens


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
        raw_arguments=_share(with_arguments, lambda sample: sample.score.raw_right is True),
        bfcl=_grounded(samples, lambda score: (score.raw_bfcl, score.bfcl)),
        polish=_grounded(samples, lambda score: (score.raw_polish, score.polish)),
        every_word=_grounded(samples, lambda score: (score.raw_every_word, score.every_word)),
        questions=_questions(samples),
        tools=_by_tool(samples),
        confusion=_confusion(samples),
        by_argument=_by_argument(with_arguments),
        by_tag=_by_tag(samples),
        patterns=_count(_name_pattern(p) for s in samples for p in s.score.patterns),
        raw_patterns=_count(_name_pattern(p) for s in samples for p in s.score.raw_patterns),
        by_verifier=_by_verifier(samples),
        reasons=_count(str(sample.solution.reason) for sample in samples),
        unconfirmed=sum(sample.solution.confirmed is False for sample in samples),
        unanswered=sum(not sample.solution.is_answered for sample in samples),
        calibration=calibrate([
            (sample.solution.confidence, _is_right(sample))
            for sample in samples
            if sample.solution.confidence is not None
        ]),
        verdict=spread([float(sample.solution.verdict_ms) for sample in samples]),
        decision=spread([sample.solution.decision_ms for sample in samples]),
        tokens=_tokens([sample.solution for sample in samples]),
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


def _grounded(
    samples: Sequence[Sample], both: Callable[[Score], tuple[bool | None, bool | None]]
) -> Grounded:
    pairs = [both(sample.score) for sample in samples]
    before, after = ([pair[side] for pair in pairs if pair[side] is not None] for side in (0, 1))
    return Grounded(
        before=Share(hits=sum(map(bool, before)), total=len(before)),
        after=Share(hits=sum(map(bool, after)), total=len(after)),
    )


def _questions(samples: Sequence[Sample]) -> Detection:
    asked = [
        sample
        for sample in samples
        if sample.solution.asked is not None and not sample.case.expected.is_open
    ]
    wanted = [sample for sample in samples if sample.case.expected.ask is not None]
    return Detection(
        precision=_share(asked, _is_asked_rightly), recall=_share(wanted, _is_asked_rightly)
    )


def _is_asked_rightly(sample: Sample) -> bool:
    solution = sample.solution
    return any(
        one.ask is not None and (one.tool, one.ask) == (solution.tool, solution.asked)
        for one in (sample.case.expected, *sample.case.also)
    )


def _confusion(samples: Iterable[Sample]) -> dict[str, dict[str, int]]:
    pairs = Counter((_name(s.case.tool), _name(s.solution.tool)) for s in samples)
    rows = sorted({right for right, _ in pairs})
    columns = sorted({name for pair in pairs for name in pair})
    return {right: {decided: pairs[right, decided] for decided in columns} for right in rows}


def _by_argument(samples: Iterable[Sample]) -> dict[str, Share]:
    judged = [one for sample in samples for one in sample.score.arguments]
    total = Counter(one.key for one in judged)
    right = Counter(one.key for one in judged if one.is_right)
    return {key: Share(hits=right[key], total=total[key]) for key in sorted(total)}


def _by_verifier(samples: Iterable[Sample]) -> dict[str, Share]:
    kept = tuple(samples)
    found = (
        (name, _share((s for s in kept if s.solution.verified is answer), _is_right))
        for name, answer in (("agrees", True), ("disagrees", False))
    )
    return {name: share for name, share in found if share.total}


def _by_tag(samples: Iterable[Sample]) -> dict[str, Share]:
    kept = tuple(samples)
    tags = sorted({tag for sample in kept for tag in sample.case.tags})
    return {tag: _share((s for s in kept if tag in s.case.tags), _is_right) for tag in tags}


def _name(tool: str | None) -> str:
    return tool if tool is not None else DEFAULT


def _name_pattern(pattern: Pattern) -> str:
    return pattern.code if pattern.kind is None else f"{pattern.code}.{pattern.kind}"


def _count(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _tokens(solutions: Sequence[Solution]) -> Tokens:
    asked = [one for one in solutions if one.legs]
    return Tokens(
        prompt=spread([float(one.prompt_tokens) for one in asked]),
        completion=spread([float(one.completion_tokens) for one in asked]),
        total_prompt=sum(one.prompt_tokens for one in asked),
        total_completion=sum(one.completion_tokens for one in asked),
        wasted=sum(one.completion_tokens for one in asked if one.tool is None),
        is_estimated=any(leg.source == "estimate" for one in asked for leg in one.legs),
    )
