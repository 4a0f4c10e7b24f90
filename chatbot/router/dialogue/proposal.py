"""Chooses the calculation that a prompt most likely asks for within its conversation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from chatbot.router.dialogue.proposal_signs import Signs, describe
from chatbot.router.dialogue.proposals import Proposal, propose
from chatbot.router.dialogue.rereading import is_same_value, plain_value
from chatbot.router.dialogue.scene import Scene
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "proposals.npz"

LIKELY = 0.4
"""How likely a value must be to be taken instead of what the rules found."""

LIKELY_ALONE = 0.2
"""How likely it must be where the rules found none, rather than to ask."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """The calculations for a prompt, what each comes to, and its signs."""

    proposals: tuple[Proposal, ...]
    values: tuple[float, ...]
    signs: tuple[Signs, ...]


class ProposalModel:
    """A conditional logit over the calculations for a prompt; immutable, deterministic."""

    def __init__(self, weights: Mapping[str, Mapping[str, float]]) -> None:
        """Take the weight of each sign of each part; others weigh nothing."""
        self._weights = weights

    @classmethod
    def load(cls, source: Traversable | None = None) -> "ProposalModel":
        """Read the packaged weights, or those of another file of the same form."""
        where = source or files("chatbot.router.dialogue") / WEIGHTS
        return cls.from_arrays(read_arrays(where))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "ProposalModel":
        """Build from the arrays that training writes."""
        names = read_lines(arrays, "names")
        weights: dict[str, dict[str, float]] = {}
        for name, weight in zip(names, arrays["weights"].astype(np.float64).tolist(), strict=True):
            part, _, sign = name.partition("\t")
            weights.setdefault(part, {})[sign] = weight
        return cls(weights)

    def best(self, choice: Choice) -> tuple[int, float]:
        """Return the place of the likeliest calculation of the likeliest value, and its share."""
        scores = np.array(self._scores(choice.signs))
        shares = np.exp(scores - scores.max(initial=0.0))
        shares /= shares.sum()
        sums: dict[str, float] = {}
        first: dict[str, int] = {}
        for at in np.argsort(-shares, kind="stable").tolist():
            name = f"{choice.values[at]:.9g}"
            sums[name] = sums.get(name, 0.0) + float(shares[at])
            first.setdefault(name, at)
        likeliest = max(sums, key=lambda name: sums[name])
        return first[likeliest], sums[likeliest]

    def _scores(self, signs: Sequence[Signs]) -> list[float]:
        """Sum up each calculation's weights, those of a part and shared signs once."""
        known: dict[tuple[str, int], float] = {}
        scores: list[float] = []
        for one in signs:
            score = 0.0
            for part, group in one:
                weights = self._weights.get(part)
                if weights is None:
                    continue
                key = (part, id(group))
                weight = known.get(key)
                if weight is None:
                    weight = known[key] = sum(weights.get(sign, 0.0) for sign in group)
                score += weight
            scores.append(score)
        return scores


def read_choice(
    scene: Scene, ruled: str | None, *, is_certain: bool, is_weighed: bool = True
) -> Choice:
    """Return what may be calculated, with what the rules found among it.

    Args:
        scene: The prompt and its conversation.
        ruled: The expression that the rules found, if it has a plain value.
        is_certain: Whether a rule was certain of it.
        is_weighed: Whether signs say which one it is; not where rules were made from the prompt.
    """
    proposals = propose(scene)
    values = [one.value for one in proposals]
    signs = describe(scene, proposals)
    value = plain_value(ruled) if ruled is not None and is_weighed else None
    if ruled is None or value is None:
        return Choice(proposals=tuple(proposals), values=tuple(values), signs=tuple(signs))
    sure = "ruled certain" if is_certain else "ruled"
    same = [at for at, one in enumerate(values) if is_same_value(one, value)]
    for at in same:
        signs[at] = (*signs[at], (sure, ("", proposals[at].form)), ("ruled", (proposals[at].form,)))
    if not same:
        proposals.append(Proposal(form="other", written=ruled, value=value, operands=()))
        values.append(value)
        signs.append((("other", ("", sure)),))
    return Choice(proposals=tuple(proposals), values=tuple(values), signs=tuple(signs))


def likeliest(scene: Scene, ruled: str | None, *, is_certain: bool) -> str | None:
    """Return the calculation that is meant; ``None``: what the rules say, or nothing, stays.

    Args:
        scene: The prompt and its conversation.
        ruled: The expression that the rules found; ``None`` where they found none.
        is_certain: Whether a rule was certain of it.
    """
    value = None if ruled is None else plain_value(ruled)
    if ruled is not None and value is None:
        return None
    choice = read_choice(scene, ruled, is_certain=is_certain)
    if not choice.values:
        return None
    at, share = proposal_model().best(choice)
    is_other = value is None or not is_same_value(choice.values[at], value)
    least = LIKELY if ruled is not None else LIKELY_ALONE
    return choice.proposals[at].expression if share >= least and is_other else None


@cache
def proposal_model() -> ProposalModel:
    """Return the packaged model, read once."""
    return ProposalModel.load()
