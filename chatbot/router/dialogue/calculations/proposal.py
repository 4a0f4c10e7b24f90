"""Chooses the calculation that a prompt most likely asks for within its conversation."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from chatbot.router.dialogue.calculations.proposal_signs import Signs, describe
from chatbot.router.dialogue.calculations.proposal_writing import Written, write
from chatbot.router.dialogue.calculations.proposals import Proposal, propose
from chatbot.router.dialogue.calculations.rereading import is_same_value, plain_value
from chatbot.router.dialogue.scene import Scene
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "proposals.npz"

LIKELY = 0.4
"""How likely a value must be to be taken instead of what the rules found."""

LIKELY_ALONE = 0.15
"""How likely it must be where the rules found none, rather than to ask."""


_OF_SIGNS, _OF_NETWORK = 1.0, 0.5
"""How much the logarithms of the shares count that the two find."""

_UNPROPOSED, _UNWRITTEN = 0.0001, -6.0
"""The share, and the logarithm of one, that stand for what one of the two does not have."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """The calculations for a prompt, what each comes to, and its signs."""

    proposals: tuple[Proposal, ...]
    values: tuple[float, ...]
    signs: tuple[Signs, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Meant:
    """A calculation, its value, and how likely that is, from 0 to 1."""

    expression: str
    value: float
    share: float


class ProposalModel:
    """A conditional logit over the calculations for a prompt; immutable, deterministic."""

    def __init__(self, weights: Mapping[str, Mapping[str, float]]) -> None:
        """Take the weight of each sign of each part; others weigh nothing."""
        self._weights = weights

    @classmethod
    def load(cls, source: Traversable | None = None) -> "ProposalModel":
        """Read the packaged weights, or those of another file of the same form."""
        where = source or files("chatbot.router.dialogue.calculations") / WEIGHTS
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

    def best(self, choice: Choice, written: Sequence[Written] = ()) -> Meant | None:
        """Return the likeliest value, of what is proposed and of what the network has written."""
        found = self._shares(choice)
        if not written:
            return max(found.values(), key=lambda one: one.share, default=None)
        likelihoods: dict[str, float] = {}
        for one in written:
            name = _name(one.value)
            likelihoods[name] = np.logaddexp(likelihoods.get(name, -math.inf), one.likelihood)
            unproposed = Meant(expression=one.expression, value=one.value, share=_UNPROPOSED)
            found.setdefault(name, unproposed)
        scores = np.array([
            _OF_SIGNS * math.log(max(one.share, _UNPROPOSED))
            + _OF_NETWORK * likelihoods.get(name, _UNWRITTEN)
            for name, one in found.items()
        ])
        at, share = _likeliest(scores)
        return replace([*found.values()][at], share=share)

    def _shares(self, choice: Choice) -> dict[str, Meant]:
        """What is proposed, that of one value together, by this value."""
        found: dict[str, Meant] = {}
        if not choice.values:
            return found
        scores = np.array(self._scores(choice.signs))
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        for at in np.argsort(-shares, kind="stable").tolist():
            name, share = _name(choice.values[at]), float(shares[at])
            known = found.get(name)
            found[name] = (
                Meant(
                    expression=choice.proposals[at].expression,
                    value=choice.values[at],
                    share=share,
                )
                if known is None
                else replace(known, share=known.share + share)
            )
        return found

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
    best = proposal_model().best(choice, write(scene.text, scene.state.turns))
    if best is None:
        return None
    is_other = value is None or not is_same_value(best.value, value)
    least = LIKELY if ruled is not None else LIKELY_ALONE
    return best.expression if best.share >= least and is_other else None


def _name(value: float) -> str:
    """What values that are the same but for rounding share."""
    return f"{value:.9g}"


def _likeliest(scores: NDArray[np.float64]) -> tuple[int, float]:
    """The place of the highest score, and its share."""
    shares = np.exp(scores - scores.max())
    at = int(np.argmax(shares))
    return at, float(shares[at] / shares.sum())


@cache
def proposal_model() -> ProposalModel:
    """Return the packaged model, read once."""
    return ProposalModel.load()
