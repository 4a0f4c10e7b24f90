"""Fit the trees that decide between rival topics: ``python -m evals.training.topic_trees``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

import chatbot.router.detector.topic_model as runtime
from chatbot.router.detector.phrases import Phrases
from chatbot.router.detector.rivals import describe_rivals, likeliest, stems_of
from chatbot.router.detector.topic_model import Scores, TopicModel
from chatbot.router.detector.trees import BoostedTrees
from chatbot.router.detector.trimming import trimmed
from evals.cases import PRACTICE_PL, read_cases
from evals.training.prompts import SEED
from evals.training.topics import Question, fit, read_prompts, read_question, read_questions
from evals.training.weight_file import coarse, out_option, write_weights

_FILES = (
    "everything_else", "everything_else_2", "everything_else_4", "images", "images_2",
    "mathematics", "mathematics_4", "weather", "weather_2",
    "wikipedia", "wikipedia_2", "wikipedia_3", "wikipedia_4", "wikipedia_5", "wikipedia_6",
)  # fmt: skip
"""Practice cases that are learnt from besides the questions of the log-linear model."""

_FOLDS = 4
_TREES = 150
_LEAVES = 15
_LEVELS = 6
_RATE = 0.1
_BINS = 64
_LEAST = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Rivals:
    """The likeliest phrases of a question as trees see them, and which of them are right."""

    described: Scores
    is_right: NDArray[np.bool_]


def fit_trees(rivals: Sequence[Rivals]) -> Mapping[str, NDArray[np.generic]]:
    """Return the arrays of the file of trees."""
    boosting = HistGradientBoostingClassifier(
        max_iter=_TREES,
        learning_rate=_RATE,
        max_leaf_nodes=_LEAVES,
        max_depth=_LEVELS,
        min_samples_leaf=_LEAST,
        l2_regularization=1.0,
        max_bins=_BINS,
        early_stopping=False,
        random_state=SEED,
    )
    described = np.vstack([one.described for one in rivals])
    boosting.fit(described, np.concatenate([one.is_right for one in rivals]))
    trees = [one[0].nodes for one in boosting._predictors]  # noqa: SLF001 - has no public form
    shape = len(trees), max(map(len, trees))
    features = np.full(shape, -1, dtype=np.int16)
    thresholds, leaves = np.zeros(shape, dtype=np.float32), np.zeros(shape)
    children = np.zeros((*shape, 2), dtype=np.uint8)
    for tree, nodes in enumerate(trees):
        for at, node in enumerate(nodes):
            if node["is_leaf"]:
                children[tree, at] = at
                leaves[tree, at] = node["value"]
            else:
                features[tree, at] = node["feature_idx"]
                thresholds[tree, at] = node["num_threshold"]
                children[tree, at] = node["left"], node["right"]
    depth = max(int(nodes["depth"].max()) for nodes in trees)
    return {
        "features": features,
        "thresholds": thresholds,
        "children": children,
        "leaves": coarse(leaves),
        "levels": np.array(depth, dtype=np.int16),
    }


def read_rivals(questions: Sequence[Question]) -> tuple[Rivals, ...]:
    """Describe questions by models that did not see them, by four folds."""
    order = list(range(len(questions)))
    Random(SEED).shuffle(order)  # noqa: S311 - folds, no secret
    found: list[Rivals] = []
    for fold in range(_FOLDS):
        seen = [questions[n] for at, n in enumerate(order) if at % _FOLDS != fold]
        model = TopicModel.from_arrays(fit(seen))
        found += [describe(model, questions[n]) for n in order[fold::_FOLDS]]
    return tuple(found)


def read_practice() -> Iterator[Question]:
    """Give the practice questions with one topic that stands in them, each once."""
    found = (read_question(prompt, topics) for prompt, *topics in read_practice_rows())
    yield from (one for one in found if one.right)


def read_practice_rows() -> Iterator[tuple[str, ...]]:
    """Give each practice question of one topic once, with the right base forms."""
    seen = read_prompts()
    for name in _FILES:
        for case in read_cases(PRACTICE_PL / f"{name}.jsonl").cases:
            calls = case.expected.calls
            is_one = case.tool == "search_wikipedia" and len(calls) == 1 and not case.history
            if not is_one or case.prompt in seen:
                continue
            seen.add(case.prompt)
            if query := calls[0].arguments.get("query"):
                yield case.prompt, *map(str, (query, *calls[0].accept.get("query", ())))


def describe(model: TopicModel, question: Question) -> Rivals:
    """Describe the likeliest phrases of a question; right is what names the topic once trimmed."""
    phrases = question.phrases
    parts = model.parts(phrases)
    rows = likeliest(parts.sum(axis=1))
    right = {_place(phrases, row) for row in question.right}
    same = {stems_of(phrases.words[slice(*one)]) for one in right}
    places = [trimmed(phrases.words, _place(phrases, int(row))) for row in rows]
    return Rivals(
        described=describe_rivals(phrases, parts, rows),
        is_right=np.array([
            one in right or stems_of(phrases.words[slice(*one)]) in same for one in places
        ]),
    )


def _place(phrases: Phrases, row: int) -> tuple[int, int]:
    return int(phrases.starts[row]), int(phrases.ends[row])


def _held_out(rivals: Sequence[Rivals]) -> tuple[float, float]:
    """Return how often the log-linear model and the trees name the topic of unseen questions."""
    order = list(range(len(rivals)))
    Random(SEED).shuffle(order)  # noqa: S311 - folds, no secret
    right = 0
    for fold in range(_FOLDS):
        trees = BoostedTrees.from_arrays(
            fit_trees([rivals[n] for at, n in enumerate(order) if at % _FOLDS != fold])
        )
        unseen = [rivals[n] for n in order[fold::_FOLDS]]
        right += sum(bool(one.is_right[trees.score(one.described).argmax()]) for one in unseen)
    return sum(bool(one.is_right[0]) for one in rivals) / len(rivals), right / len(rivals)


@click.command()
@out_option(runtime, runtime.TREES, "trees")
@click.option("--held-out/--no-held-out", default=True, help="Measure on four folds first.")
def train(out: Path, *, held_out: bool) -> None:
    """Describe the questions, fit, report the quality on what was held out, write the trees."""
    rivals = read_rivals((*read_questions(), *read_practice()))
    click.echo(f"{len(rivals)} questions")
    if held_out:
        first, then = _held_out(rivals)
        click.echo(f"held out: the first model names the topic of {first:.1%}, trees of {then:.1%}")
    write_weights(out, fit_trees(rivals))


if __name__ == "__main__":
    train()
