"""Fit the model of calculations within conversations: ``python -m evals.training.proposals``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import chatbot.router.dialogue.proposal as runtime
from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, recall, state
from chatbot.router.dialogue.fill_mathematics import fill
from chatbot.router.dialogue.proposal import Choice, ProposalModel, read_choice
from chatbot.router.dialogue.rereading import is_same_value, plain_value
from chatbot.router.dialogue.scene import FollowUp, Scene
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED
from chatbot.tools.image import generate_image
from chatbot.tools.mathematics import calculate
from chatbot.tools.weather import get_weather
from chatbot.tools.wikipedia import search_wikipedia
from evals.cases import PRACTICE_PL, ZWROTNICA_PL, Case, read_cases, select
from evals.training.follow_up_frames import FRAMES, frame_cases
from evals.training.story_trees import value_of_expression
from evals.training.weight_file import coarse, lines_of, out_option, write_weights

_TODAY = date(2026, 11, 18)
_DIALOGUES = Path(__file__).with_name("dialogues")
_PRACTICE = (
    "calculation_dialogues", "calculation_dialogues_2", "calculation_dialogues_3",
    "calculation_dialogues_4", "calculation_dialogues_5", "calculation_dialogues_6",
    "mathematics_10",
)  # fmt: skip
_BLIND = frozenset({
    "articles_5", "articles_6", "calculations_5", "calculations_9",
    "calculation_dialogues_2", "calculation_dialogues_3", "calculation_dialogues_4",
    "calculation_dialogues_5", "calculation_dialogues_6", "mathematics_10",
})  # fmt: skip
"""Files that no rule, or hardly one, was made from: how far rules are right is learnt there."""

SEED = 20261118
_RARE = 3
_PENALTY = 2.0
_ITERATIONS, _AFTERWARDS = 150, 60
_KEPT = 6_000
_FOLDS = 6
_NEIGHBOURS = 10  # follow-ups of one conversation stand together
_TOOLS = (get_weather, calculate, search_wikipedia, generate_image)

Vector = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowedUp:
    """What may be calculated for a prompt, and which of it is right.

    ``choice`` is what is learnt from, ``asked`` what the model is asked at run time, which differs
    where rules were made from the prompt. ``is_ruled`` says whether the rules' calculation is
    right, ``is_plain`` whether it has a value, ``is_found`` whether they found any.
    """

    choice: Choice
    asked: Choice
    right: Sequence[float]
    is_ruled: bool
    is_plain: bool
    is_found: bool
    is_blind: bool

    def is_right(self, value: float) -> bool:
        """Whether a right expression has this value."""
        return any(is_same_value(value, one) for one in self.right)


def read_follow_ups(*, every: int = 1) -> tuple[FollowedUp, ...]:
    """Read the calculations of all dialogues that may be learnt from."""
    detector = Detector.load()
    found = (
        _followed(case, detector, is_blind=blind)
        for blind, case in islice(_cases(), 0, None, every)
    )
    return tuple(one for one in found if one is not None)


def _cases() -> Iterator[tuple[bool, Case]]:
    files = [
        *sorted(_DIALOGUES.glob("*.jsonl")),
        *(PRACTICE_PL / f"{one}.jsonl" for one in _PRACTICE),
    ]
    sets = [(path.stem in _BLIND, read_cases(path)) for path in files]
    sets.append((False, select(read_cases(ZWROTNICA_PL), "dev")))
    for is_blind, one in sets:
        yield from ((is_blind, case) for case in one.cases)
    yield from ((True, case) for case in frame_cases(FRAMES, seed=SEED))


def _followed(case: Case, detector: Detector, *, is_blind: bool) -> FollowedUp | None:
    calls = case.expected.calls
    if not case.history or case.tool != MATHEMATICS or len(calls) != 1:
        return None
    name = NEEDED[MATHEMATICS]
    said = (calls[0].arguments.get(name), *calls[0].accept.get(name, ()))
    right = [value for one in said if one is not None and (value := _value(str(one))) is not None]
    if not right:
        return None
    tools = [tool.spec for tool in _TOOLS]
    known = recall(state(case.history), tools, today=_TODAY, detector=detector)
    scene = Scene(case.prompt, known, tools, today=_TODAY, detector=detector)
    certain = _expression(follow_up(case.prompt, known, tools, today=_TODAY, detector=detector))
    ruled = certain or _expression(fill(scene))
    is_certain = certain is not None
    value = None if ruled is None else _value(ruled)
    return FollowedUp(
        choice=read_choice(scene, ruled, is_certain=is_certain, is_weighed=is_blind),
        asked=read_choice(scene, ruled, is_certain=is_certain),
        right=right,
        is_ruled=value is not None and any(is_same_value(value, one) for one in right),
        is_plain=ruled is None or plain_value(ruled) is not None,
        is_found=ruled is not None,
        is_blind=is_blind,
    )


def _value(expression: str) -> float | None:
    plain = plain_value(expression)
    return value_of_expression(expression) if plain is None else plain


def _expression(found: FollowUp | None) -> str | None:
    calls = found.calls if found is not None else ()
    named = [str(one.arguments[NEEDED[MATHEMATICS]]) for one in calls if one.name == MATHEMATICS]
    return named[0] if len(named) == 1 else None


def fit(follow_ups: Sequence[FollowedUp]) -> Mapping[str, NDArray[np.generic]]:
    """Return the arrays of the weight file: the signs that move most, fitted once more alone."""
    learnt = [one for one in follow_ups if any(map(one.is_right, one.choice.values))]
    names, features, right, bounds = _matrix(learnt)
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
    follow_ups: Sequence[FollowedUp],
) -> tuple[list[str], csr_matrix, NDArray[np.bool_], NDArray[np.int64]]:
    """Return the signs, a row for each calculation, which are right, each prompt's first row."""
    columns: dict[tuple[str, str], int] = {}
    starts, found, bounds = [0], list[int](), list[int]()
    for one in follow_ups:
        bounds.append(len(starts) - 1)
        for signs in one.choice.signs:
            for part, group in signs:
                found += [columns.setdefault((part, sign), len(columns)) for sign in group]
            starts.append(len(found))
    shape = (len(starts) - 1, len(columns))
    right = [one.is_right(value) for one in follow_ups for value in one.choice.values]
    features = csr_matrix((np.ones(len(found)), np.array(found), starts), shape=shape)
    names = [f"{part}\t{sign}" for part, sign in columns]
    return names, features, np.array(right, bool), np.array(bounds)


def _train(
    features: csr_matrix, right: NDArray[np.bool_], bounds: NDArray[np.int64], most: int
) -> Vector:
    """Maximise the probability of all right calculations together, weights held small."""
    groups = np.repeat(np.arange(len(bounds)), np.diff([*bounds, features.shape[0]]))
    turned = features.T.tocsr()

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


def held_out(follow_ups: Sequence[FollowedUp]) -> list[bool]:
    """Return where a model that saw no neighbour comes to a right result, with the rules."""
    folds = [at // _NEIGHBOURS % _FOLDS for at in range(len(follow_ups))]
    right = [one.is_ruled for one in follow_ups]
    for fold in range(_FOLDS):
        seen = [one for one, own in zip(follow_ups, folds, strict=True) if own != fold]
        model = ProposalModel.from_arrays(fit(seen))
        for at, one in enumerate(follow_ups):
            if folds[at] == fold and one.asked.values and one.is_plain:
                best, share = model.best(one.asked)
                if share >= (runtime.LIKELY if one.is_found else runtime.LIKELY_ALONE):
                    right[at] = one.is_right(one.asked.values[best])
    return right


@click.command()
@out_option(runtime, runtime.WEIGHTS)
@click.option("--held-out/--no-held-out", "is_measured", default=True, help="Measure first.")
def train(out: Path, *, is_measured: bool) -> None:
    """Read the follow-ups, fit, report the quality on what was held out, write the weights."""
    follow_ups = read_follow_ups()
    right = held_out(follow_ups) if is_measured else []
    for title, is_blind in (("blind", True), ("others", False)):
        own = [at for at, one in enumerate(follow_ups) if one.is_blind == is_blind]
        ruled = sum(follow_ups[at].is_ruled for at in own)
        held = f", held out with the model {sum(right[at] for at in own)}" if right else ""
        click.echo(f"{title}: {len(own)} follow-ups, right by rules {ruled}{held}")
    write_weights(out, fit(follow_ups))


if __name__ == "__main__":
    train()
