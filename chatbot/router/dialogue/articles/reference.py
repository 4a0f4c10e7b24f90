"""Says which of all names in a conversation a question to the encyclopaedia is about."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from chatbot.router.dialogue.articles.candidates import Candidate, Picked
from chatbot.router.dialogue.articles.reference_signs import Signs, has_pronoun, read_signs
from chatbot.router.dialogue.naming import known_gender
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.subjects import lacks_subject
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "references.npz"

LIKELY = 0.4
"""How likely a name must be to be taken instead of what the rules found."""

OVERRULES = 0.5
"""How likely it must be where a rule was certain."""

_PERSONAL = frozenset({"on", "ona"})


class ReferenceModel:
    """A conditional logit over the names of a conversation; immutable, deterministic."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        """Take the weight of each sign; others weigh nothing."""
        self._weights = weights

    @classmethod
    def load(cls, source: Traversable | None = None) -> "ReferenceModel":
        """Read the packaged weights, or those of another file of the same form."""
        where = source or files("chatbot.router.dialogue.articles") / WEIGHTS
        return cls.from_arrays(read_arrays(where))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "ReferenceModel":
        """Build from the arrays that training writes."""
        names = read_lines(arrays, "names")
        weights = arrays["weights"].astype(np.float64).tolist()
        return cls(dict(zip(names, weights, strict=True)))

    def probabilities(self, signs: Sequence[Signs]) -> NDArray[np.float64]:
        """Return the probability of each name, shape (names,); they sum to 1."""
        scores = np.array([sum(self._weights.get(name, 0.0) for name in set(one)) for one in signs])
        shares: NDArray[np.float64] = np.exp(scores - scores.max(initial=0.0))
        shares /= shares.sum()
        return shares


def likeliest(scene: Scene, picked: Picked | None) -> str | None:
    """Return the name that the prompt is about most likely; ``None``: none is.

    Args:
        scene: The prompt and its conversation.
        picked: What the rules take for it, if they do.
    """
    candidates, signs = read_signs(scene, picked)
    if not candidates:
        return None
    shares = reference_model().probabilities(signs)
    is_told = any({"certain", "verb_agrees"} <= set(one) for one in signs)
    if is_told and lacks_subject(scene.text) and not has_pronoun(scene):
        shares[[*map(_is_denied, candidates, signs)]] = 0.0  # "ile miała lat?" is no man's
    if any(word.folded in _PERSONAL for word in scene.words):
        shares[_clashing(candidates, signs)] = 0.0  # "ona" is no man
    best = int(shares.argmax())
    least = OVERRULES if picked is not None and picked.is_certain else LIKELY
    return candidates[best].name if shares[best] >= least else None


def _clashing(candidates: Sequence[Candidate], signs: Sequence[Signs]) -> list[bool]:
    """Which persons a pronoun excludes, where another one agrees with it."""
    is_one = any({"kind=person", "agrees"} <= set(one) for one in signs)
    pairs = zip(candidates, signs, strict=True)
    return [
        is_one
        and {"kind=person", "clashes"} <= set(sign)
        and (one.gender or known_gender(one.name)) is not None
        for one, sign in pairs
    ]


def _is_denied(one: Candidate, signs: Signs) -> bool:
    """Whether somebody whose gender is known is none of whom the verb can be said."""
    is_clash = {"kind=person", "verb_clashes"} <= set(signs)
    return is_clash and (one.gender or known_gender(one.name)) is not None


@cache
def reference_model() -> ReferenceModel:
    """Return the packaged model, read once."""
    return ReferenceModel.load()
