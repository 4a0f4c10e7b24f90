"""Fit the model of topics and write its weights: ``python -m evals.training.topics``."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import click
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import chatbot.router.detector.topic_model as runtime
from chatbot.router.detector.phrases import MARKS, Phrases, align, find_phrases
from chatbot.router.detector.topic import pick_topic, plain_question
from chatbot.router.detector.topic_model import (
    AFTER,
    BEFORE,
    FIRST,
    INSIDE,
    LAST,
    ROLES,
    Scores,
    TopicModel,
)
from evals.cases import ZWROTNICA_PL, read_cases, select
from evals.training.prompts import SEED
from evals.training.weight_file import coarse, lines_of, out_option, write_weights

_QUESTIONS = Path(__file__).with_name("topics.tsv")
_RARE = 2
_PENALTY = 2.0
_ITERATIONS = 120
_FOLDS = 4
_LEAST = 1e-300


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """The phrases of a question, the rows of those that name its topic, and whether rules do.

    The first of ``right`` is learnt; the others are right as well.
    """

    phrases: Phrases
    right: tuple[int, ...]
    is_picked: bool


def read_questions(*, every: int = 1) -> tuple[Question, ...]:
    """Read our own questions with their topics, and those of the dev half of the test set.

    Finding their phrases takes seconds; ``every=40`` does it for a fortieth, evenly spread.
    """
    chosen = islice((*read_rows(), *_dev_half()), 0, None, every)
    found = (read_question(prompt, topics) for prompt, *topics in chosen)
    return tuple(one for one in found if one.right)


def read_prompts() -> set[str]:
    """Return the prompts that `read_questions` reads."""
    return {prompt for prompt, *_ in (*read_rows(), *_dev_half())}


def read_rows() -> Iterator[list[str]]:
    """Read our own questions: the prompt, its topic as it stands there, right base forms."""
    with _QUESTIONS.open(encoding="utf-8", newline="") as lines:
        for line in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield [one.replace("\\n", "\n") for one in line]


def _dev_half() -> Iterator[list[str]]:
    for case in select(read_cases(ZWROTNICA_PL), "dev").cases:
        calls = case.expected.calls
        if case.history or case.tool != "search_wikipedia" or len(calls) > 1:
            continue
        if query := calls[0].arguments.get("query"):
            yield [case.prompt, *map(str, (query, *calls[0].accept.get("query", ())))]


def read_question(prompt: str, topics: Sequence[str]) -> Question:
    """Find the phrases of a question, and which of them name one of its topics."""
    text = plain_question(prompt)
    picked = pick_topic(prompt)
    phrases = find_phrases(text, picked)
    pairs = zip(phrases.starts.tolist(), phrases.ends.tolist(), strict=True)
    rows = {pair: row for row, pair in enumerate(pairs)}
    places = [place for topic in topics if (place := align(phrases.words, topic)) in rows]
    right = tuple(dict.fromkeys(rows[place] for place in places))
    return Question(phrases=phrases, right=right, is_picked=picked in places)


class _Problem:
    """The loss of weights on questions, and its slope.

    The words of all questions stand one after the other, an empty row behind those of each, so
    that what is before the first word and after the last has no features.
    """

    def __init__(self, questions: Sequence[Question], names: Sequence[str]) -> None:
        rows = {name: row for row, name in enumerate(names)}
        columns: list[int] = []
        bounds, offsets = [0], [0]
        for question in questions:
            for features in (*question.phrases.features, ()):
                columns += [rows[name] for name in features if name in rows]
                bounds.append(len(columns))
            offsets.append(len(bounds) - 1)
        shape = (len(bounds) - 1, len(names))
        self._words = csr_matrix((np.ones(len(columns)), columns, bounds), shape=shape)
        phrases = [one.phrases for one in questions]
        moved = list(zip(phrases, offsets, strict=False))
        self._starts = np.concatenate([one.starts + offset for one, offset in moved])
        self._ends = np.concatenate([one.ends + offset for one, offset in moved])
        self._marks = csr_matrix(np.concatenate([one.marks for one in phrases]))
        sizes = np.array([len(one.starts) for one in phrases])
        self._groups = np.concatenate([[0], sizes.cumsum()[:-1]])
        self._group_of = np.repeat(np.arange(len(sizes)), sizes)
        self._right = self._groups + np.array([one.right[0] for one in questions])
        self._size = len(names)

    def loss(self, flat: Scores) -> tuple[float, Scores]:
        """Return the negative log-likelihood with its penalty, and the gradient."""
        weights = flat[: self._size * ROLES].reshape(self._size, ROLES)
        scores = self._score(self._words @ weights)
        scores += self._marks @ flat[self._size * ROLES :]
        scores -= np.maximum.reduceat(scores, self._groups)[self._group_of]
        shares = np.exp(scores)
        shares /= np.add.reduceat(shares, self._groups)[self._group_of]
        total = -float(np.log(np.maximum(shares[self._right], _LEAST)).sum())
        shares[self._right] -= 1.0
        slopes = (self._words.T @ self._spread(shares)).ravel()
        gradient = np.concatenate([slopes, self._marks.T @ shares])
        return total + 0.5 * _PENALTY * float(flat @ flat), gradient + _PENALTY * flat

    def _score(self, roles: Scores) -> Scores:
        """As `TopicModel.score`, of all questions."""
        starts, ends = self._starts, self._ends
        inside = np.concatenate([[0.0], roles[:, INSIDE].cumsum()])
        around = roles[starts - 1, BEFORE] + roles[starts, FIRST]
        around += roles[ends - 1, LAST] + roles[ends, AFTER]
        scores: Scores = inside[ends] - inside[starts] + around
        return scores

    def _spread(self, slope: Scores) -> Scores:
        """Add the slope of each span to its words and neighbours in their roles."""
        count = self._words.shape[0]
        opened = np.bincount(self._starts, slope, minlength=count)
        closed = np.bincount(self._ends, slope, minlength=count)
        slopes = np.zeros((count, ROLES))
        slopes[:, FIRST] = opened
        slopes[:, BEFORE] = np.roll(opened, -1)
        slopes[:, LAST] = np.roll(closed, -1)
        slopes[:, AFTER] = closed
        slopes[:, INSIDE] = np.cumsum(opened - closed)
        return slopes


def fit(questions: Sequence[Question]) -> Mapping[str, NDArray[np.generic]]:
    """Return the arrays of the weight file."""
    counts = Counter(
        name for one in questions for features in one.phrases.features for name in features
    )
    names = tuple(sorted(name for name, count in counts.items() if count >= _RARE))
    problem = _Problem(questions, names)
    start = np.zeros(len(names) * ROLES + len(MARKS))
    options = {"maxiter": _ITERATIONS}
    found = minimize(problem.loss, start, jac=True, method="L-BFGS-B", options=options).x
    end = len(names) * ROLES
    return {
        "names": lines_of(names),
        "weights": coarse(found[:end].reshape(len(names), ROLES)),
        "marks": found[end:].astype(np.float32),
    }


def _held_out(questions: Sequence[Question]) -> float:
    """Return the share of questions whose topic is found by a model that did not see them."""
    order = list(range(len(questions)))
    Random(SEED).shuffle(order)  # noqa: S311 - folds, no secret
    right = 0
    for fold in range(_FOLDS):
        model = TopicModel.from_arrays(
            fit([questions[n] for at, n in enumerate(order) if at % _FOLDS != fold])
        )
        unseen = [questions[n] for n in order[fold::_FOLDS]]
        right += sum(int(model.score(one.phrases).argmax()) in one.right for one in unseen)
    return right / len(questions)


@click.command()
@out_option(runtime, runtime.WEIGHTS)
@click.option("--held-out/--no-held-out", default=True, help="Measure on four folds first.")
def train(out: Path, *, held_out: bool) -> None:
    """Read the questions, fit, report the quality on what was held out, write the weights."""
    questions = read_questions()
    by_rules = sum(one.is_picked for one in questions) / len(questions)
    click.echo(f"{len(questions)} questions; the rules' own pick is the topic of {by_rules:.1%}")
    if held_out:
        click.echo(f"held out: the model's is of {_held_out(questions):.1%}")
    write_weights(out, fit(questions))


if __name__ == "__main__":
    train()
