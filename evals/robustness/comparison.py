"""Compares each case with itself written otherwise."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from evals.cases import Case, CaseSet
from evals.metrics import Share, mcnemar
from evals.robustness.kinds import perturb
from evals.run import Log, Sample

IsRight: TypeAlias = Callable[[Sample], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A case as it is and as it was written otherwise."""

    original: Sample
    perturbed: Sample


@dataclass(frozen=True, kw_only=True, slots=True)
class Paired:
    """The same cases before and after; ``lost`` were right before alone, ``won`` after alone.

    ``p`` is the two-sided p-value of McNemar's test, not corrected for the number of kinds.
    """

    before: Share
    after: Share
    lost: int
    won: int
    p: float

    @property
    def drop(self) -> float:
        """How many points of a hundred are lost; negative where it becomes better."""
        return 100 * (self.before.hits - self.after.hits) / max(self.before.total, 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class KindFigures:
    """One kind: the pairs that it made, the right tool, and tool and arguments right."""

    kind: str
    pairs: tuple[Pair, ...]
    tool: Paired
    whole: Paired


def spread_out(case_set: CaseSet, kinds: Sequence[str]) -> CaseSet:
    """The cases, and behind each its perturbed ones."""
    cases: list[Case] = []
    for case in case_set.cases:
        perturbed = (perturb(case, kind) for kind in kinds)
        cases += [case, *(one for one in perturbed if one is not None)]
    return replace(case_set, cases=tuple(cases))


def compare(log: Log, kinds: Sequence[str]) -> tuple[KindFigures, ...]:
    """The figures of each kind, the most harmful first, from a run of `spread_out` cases."""
    samples = {sample.case.id: sample for sample in log.samples}
    found = (_figures(kind, _pairs(samples.values(), samples, kind)) for kind in kinds)
    return tuple(sorted(found, key=lambda one: (-one.tool.drop, -one.whole.drop)))


def is_whole(sample: Sample) -> bool:
    """Whether tool and arguments are right."""
    return sample.score.is_right


def is_tool(sample: Sample) -> bool:
    """Whether the tool is right."""
    return sample.score.tool_right


def _pairs(originals: Iterable[Sample], samples: dict[str, Sample], kind: str) -> tuple[Pair, ...]:
    found = ((one, samples.get(f"{one.case.id}~{kind}")) for one in originals)
    return tuple(Pair(original=one, perturbed=other) for one, other in found if other)


def _figures(kind: str, pairs: tuple[Pair, ...]) -> KindFigures:
    return KindFigures(
        kind=kind, pairs=pairs, tool=_paired(pairs, is_tool), whole=_paired(pairs, is_whole)
    )


def _paired(pairs: Sequence[Pair], is_right: IsRight) -> Paired:
    both = [(is_right(pair.original), is_right(pair.perturbed)) for pair in pairs]
    lost, won = both.count((True, False)), both.count((False, True))
    return Paired(
        before=Share(hits=sum(before for before, _ in both), total=len(both)),
        after=Share(hits=sum(after for _, after in both), total=len(both)),
        lost=lost,
        won=won,
        p=mcnemar(lost, won),
    )
