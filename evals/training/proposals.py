"""Fit the model of calculations within conversations: ``python -m evals.training.proposals``."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import chatbot.router.dialogue.calculations.proposal as runtime
from chatbot.router.detector import Detector
from chatbot.router.dialogue import DialogueState, follow_up, recall
from chatbot.router.dialogue.calculations.fill_mathematics import fill
from chatbot.router.dialogue.calculations.proposal import Choice, ProposalModel, read_choice
from chatbot.router.dialogue.calculations.rereading import is_same_value, plain_value
from chatbot.router.dialogue.scene import FollowUp as Answer, Scene
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED
from chatbot.tools.image import generate_image
from chatbot.tools.mathematics import calculate
from chatbot.tools.weather import get_weather
from chatbot.tools.wikipedia import search_wikipedia
from evals.training.story_trees import value_of_expression
from evals.training.talks import FollowUp, read_follow_ups
from evals.training.weight_file import coarse, lines_of, out_option, write_weights

_TODAY = date(2026, 11, 18)
_BLIND = frozenset({
    "dialogues/articles_5", "dialogues/articles_6", "dialogues/calculations_5",
    "dialogues/calculations_9", "told/articles_1", "told/articles_2", "told/calculations_1",
    "told/calculations_2", "told/calculations_3", "told/mixed_1", "frames", "talks",
    "calculation_dialogues_2", "calculation_dialogues_3", "calculation_dialogues_4",
    "calculation_dialogues_5", "calculation_dialogues_6", "mathematics_10",
})  # fmt: skip
"""Files that no rule, or hardly one, was made from: how far rules are right is learnt there."""

_RARE = 3
_PENALTY = 2.0
_ITERATIONS, _AFTERWARDS = 150, 60
_KEPT = 20_000
_TOOLS = (get_weather, calculate, search_wikipedia, generate_image)

Vector = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowedUp:
    """What may be calculated for a prompt, and which of it is right.

    ``is_ruled`` says whether the rules' calculation is right, ``is_plain`` whether it has a value,
    ``is_found`` whether they found any.
    """

    choice: Choice
    right: Sequence[float]
    is_ruled: bool
    is_plain: bool
    is_found: bool

    def is_right(self, value: float) -> bool:
        """Whether a right expression has this value."""
        return any(is_same_value(value, one) for one in self.right)


def read_choices(*, kept: bool) -> Iterator[FollowedUp]:
    """Read the calculations of all follow-ups that may be learnt from, or of those kept."""
    detector = Detector.load()
    found = (_followed(one, detector) for one in read_follow_ups(kept=kept))
    return (one for one in found if one is not None)


def _followed(one: FollowUp, detector: Detector) -> FollowedUp | None:
    right = [value for each in one.right if (value := _value(each)) is not None]
    if not right:
        return None
    tools = [tool.spec for tool in _TOOLS]
    told = DialogueState(turns=one.turns)
    known = recall(told, tools, today=_TODAY, detector=detector)
    scene = Scene(one.prompt, known, tools, today=_TODAY, detector=detector)
    certain = _expression(follow_up(one.prompt, known, tools, today=_TODAY, detector=detector))
    ruled = certain or _expression(fill(scene))
    is_certain = certain is not None
    value = None if ruled is None else _value(ruled)
    return FollowedUp(
        choice=read_choice(scene, ruled, is_certain=is_certain, is_weighed=one.source in _BLIND),
        right=right,
        is_ruled=value is not None and any(is_same_value(value, one) for one in right),
        is_plain=ruled is None or plain_value(ruled) is not None,
        is_found=ruled is not None,
    )


def _value(expression: str) -> float | None:
    plain = plain_value(expression)
    return value_of_expression(expression) if plain is None else plain


def _expression(found: Answer | None) -> str | None:
    calls = found.calls if found is not None else ()
    named = [str(one.arguments[NEEDED[MATHEMATICS]]) for one in calls if one.name == MATHEMATICS]
    return named[0] if len(named) == 1 else None


def fit(follow_ups: Iterable[FollowedUp]) -> Mapping[str, NDArray[np.generic]]:
    """Return the arrays of the weight file: the signs that move most, fitted once more alone."""
    names, features, right, bounds = _matrix(
        one for one in follow_ups if any(map(one.is_right, one.choice.values))
    )
    counts = np.bincount(features.indices, minlength=len(names))
    said_of_right = np.bincount(features[right].indices, minlength=len(names)) > 0
    common = np.flatnonzero((counts >= _RARE) & said_of_right)
    weights = _train(features[:, common], right, bounds, _ITERATIONS)
    moved = np.abs(weights) * np.sqrt(counts[common])
    kept = common[np.sort(np.argsort(-moved, kind="stable")[:_KEPT])]
    final = _train(features[:, kept], right, bounds, _AFTERWARDS)
    order = sorted(range(len(kept)), key=lambda at: names[kept[at]])
    return {
        "names": lines_of(names[kept[at]] for at in order),
        "weights": coarse(final[order]),
    }


def _matrix(
    follow_ups: Iterable[FollowedUp],
) -> tuple[list[str], csr_matrix, NDArray[np.bool_], NDArray[np.int64]]:
    """Return the signs, a row for each calculation, which are right, each prompt's first row."""
    columns: dict[tuple[str, str], int] = {}
    starts, found = array("q", [0]), array("i")
    bounds, right = list[int](), list[bool]()
    for one in follow_ups:
        bounds.append(len(right))
        right += map(one.is_right, one.choice.values)
        for signs in one.choice.signs:
            for part, group in signs:
                found.extend(columns.setdefault((part, sign), len(columns)) for sign in group)
            starts.append(len(found))
    shape = (len(right), len(columns))
    features = csr_matrix((np.ones(len(found)), np.array(found), np.array(starts)), shape=shape)
    names = [f"{part}\t{sign}" for part, sign in columns]
    return names, features, np.array(right, bool), np.array(bounds)


def _train(
    features: csr_matrix, right: NDArray[np.bool_], bounds: NDArray[np.int64], most: int
) -> Vector:
    """Maximise the probability of all right calculations together, weights held small."""
    groups = np.repeat(np.arange(len(bounds)), np.diff([*bounds, features.shape[0]]))
    turned = features.T  # a view: the other way round it would be as large again

    def loss(weights: Vector) -> tuple[float, Vector]:
        scores = features @ weights
        likely = np.exp(scores - np.maximum.reduceat(scores, bounds)[groups])
        whole = np.add.reduceat(likely, bounds)
        good = np.maximum(np.add.reduceat(likely * right, bounds), np.finfo(float).tiny)
        error = likely / whole[groups] - likely * right / good[groups]
        value = -np.log(good / whole).sum() + _PENALTY / 2 * weights @ weights
        return float(value), turned @ error + _PENALTY * weights

    start = np.zeros(features.shape[1])
    options = {"maxiter": most}
    found: Vector = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    return found


def _report(model: ProposalModel, follow_ups: Iterable[FollowedUp]) -> None:
    """Say how many the rules are right about, the model's first choice, and both together."""
    count = ruled = first = both = among = 0
    for one in follow_ups:
        best = model.best(one.choice)
        is_right = best is not None and one.is_right(best.value)
        least = runtime.LIKELY if one.is_found else runtime.LIKELY_ALONE
        is_taken = best is not None and one.is_plain and best.share >= least
        count, ruled, first = count + 1, ruled + one.is_ruled, first + is_right
        both += is_right if is_taken else one.is_ruled
        among += any(map(one.is_right, one.choice.values))
    click.echo(
        f"{count} follow-ups kept: right by the rules {ruled}, the likeliest {first}, "
        f"both together {both}, proposed {among}"
    )


@click.command()
@out_option(runtime, runtime.WEIGHTS)
def train(out: Path) -> None:
    """Read the follow-ups, fit, write the weights, report the quality on what was kept."""
    arrays = fit(read_choices(kept=False))
    write_weights(out, arrays)
    _report(ProposalModel.from_arrays(arrays), read_choices(kept=True))


if __name__ == "__main__":
    train()
