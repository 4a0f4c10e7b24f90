"""Fit what kind of thing a question asks about: ``python -m evals.training.question_kinds``."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

import chatbot.router.dialogue.articles.question_kinds as runtime
from chatbot.router.detector.phrases import align
from chatbot.router.detector.spans import split_words
from chatbot.router.detector.topic import plain_question
from chatbot.router.dialogue.articles.name_kinds import NAME_KINDS, name_kind
from chatbot.router.dialogue.articles.question_kinds import QuestionKinds, read_words
from evals.training.topic_trees import read_practice_rows
from evals.training.topics import read_rows
from evals.training.weight_file import coarse, lines_of, out_option, write_weights

_RARE = 5
_PENALTY = 4.0
_FOLDS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The words of a question without those of its topic, and the kind of the topic."""

    words: frozenset[str]
    kind: str


def read_asked() -> tuple[Asked, ...]:
    """Read the questions of the model of topics, then those of the practice cases."""
    own = (_asked(prompt, (phrase,), names) for prompt, phrase, *names in read_rows())
    practice = (_asked(prompt, names, names) for prompt, *names in read_practice_rows())
    return tuple(one for one in (*own, *practice) if one is not None)


def _asked(prompt: str, phrases: Sequence[str], names: Sequence[str]) -> Asked | None:
    words = split_words(plain_question(prompt))
    places = (align(words, phrase) for phrase in phrases if phrase)
    place = next((one for one in places if one is not None), None)
    if place is None or not names:
        return None
    rest = (*words[: place[0]], *words[place[1] :])
    return Asked(words=read_words(rest), kind=name_kind(names[0]))


def fit(questions: Sequence[Asked]) -> Mapping[str, NDArray[np.generic]]:
    """Return the arrays of the weight file."""
    counts = Counter(name for one in questions for name in one.words)
    names = sorted(name for name, count in counts.items() if count >= _RARE)
    columns = {name: column for column, name in enumerate(names)}
    starts, found = [0], list[int]()
    for one in questions:
        found += sorted(columns[name] for name in one.words if name in columns)
        starts.append(len(found))
    features = csr_matrix((np.ones(len(found)), found, starts), (len(questions), len(names)))
    kinds = np.array([NAME_KINDS.index(one.kind) for one in questions])
    model = LogisticRegression(C=1 / _PENALTY, max_iter=300).fit(features, kinds)
    usual = np.bincount(kinds, minlength=len(NAME_KINDS)) / len(kinds)
    return {
        "names": lines_of(names),
        "weights": coarse(model.coef_.T),
        "bias": model.intercept_.astype(np.float32),
        "usual": np.log(usual).astype(np.float32),
    }


def held_out(questions: Sequence[Asked]) -> float:
    """Return how much likelier, on average, questions of four folds make the right kind (log)."""
    found = list[float]()
    for fold in range(_FOLDS):
        seen = [one for at, one in enumerate(questions) if at % _FOLDS != fold]
        model = QuestionKinds.from_arrays(fit(seen))
        found += [model.fits(one.words)[one.kind] for one in questions[fold::_FOLDS]]
    return float(np.mean(found))


@click.command()
@out_option(runtime, runtime.WEIGHTS)
def train(out: Path) -> None:
    """Read the questions, fit, report the quality on what was held out, write the weights."""
    questions = read_asked()
    click.echo(
        f"{len(questions)} questions; held out, the right kind gains {held_out(questions):.3f}"
    )
    write_weights(out, fit(questions))


if __name__ == "__main__":
    train()
