"""Fit the model of what a follow-up asks about: ``python -m evals.training.references``."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice, pairwise
from pathlib import Path
from typing import TypeAlias

import click
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import chatbot.router.dialogue.articles.reference as runtime
from chatbot.router.detector import Detector
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue import DialogueState, follow_up, recall, state
from chatbot.router.dialogue.articles import fill_topics
from chatbot.router.dialogue.articles.candidates import Picked
from chatbot.router.dialogue.articles.reference import ReferenceModel
from chatbot.router.dialogue.articles.reference_signs import Signs, read_signs
from chatbot.router.dialogue.scene import FollowUp, Scene
from chatbot.router.dialogue.state import NEEDED, WIKIPEDIA
from chatbot.router.dialogue.turns import Turn
from chatbot.tools.image import generate_image
from chatbot.tools.mathematics import calculate
from chatbot.tools.weather import get_weather
from chatbot.tools.wikipedia import search_wikipedia
from chatbot.types import Message, ToolCall
from evals.cases import PRACTICE_PL, ZWROTNICA_PL, Case, read_cases, select
from evals.scorers import match_title
from evals.training.weight_file import coarse, lines_of, out_option, write_weights

_TODAY = date(2026, 11, 18)
_OWN = Path(__file__).with_name("references.tsv")
_DIALOGUES = Path(__file__).with_name("dialogues")
_BLIND = frozenset({
    "articles_4", "articles_5", "articles_6", "articles_7", "follow_ups_1", "follow_ups_2",
    "follow_ups_3", "follow_ups_4",
})  # fmt: skip
"""Dialogues that no rule was made from."""

_LEFT_OUT = frozenset({"talk_1"})
"""Dialogues that the model finds fewer articles with: of 434 unread ones 308 were right as a whole
when it had learnt from these as well, 312 when it had not."""

_PRACTICE = ("asking_a", "dialogues_alike_a", "wikipedia_8", "kept", "kept_articles")
"""Practice cases with follow-ups about articles."""

_RARE = 3
_PENALTY = 8.0
_ITERATIONS = 200
_FOLDS = 8
_NEIGHBOURS = 10  # dialogues written one after the other are alike
_TOOLS = (get_weather, calculate, search_wikipedia, generate_image)

Vector = NDArray[np.float64]
_Exchange: TypeAlias = tuple[Sequence[Message], str, Sequence[str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """The signs of each name that a prompt may be about, and which of them are right.

    ``is_picked`` says whether what the rules take is right; ``is_blind`` that no rule was made
    from this dialogue: only there the model learns how far to trust them.
    """

    signs: Sequence[Signs]
    right: Sequence[bool]
    is_picked: bool
    is_blind: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Dialogue:
    prompt: str
    said: DialogueState
    right: Sequence[str]
    is_blind: bool


def read_references(*, every: int = 1) -> tuple[Reference, ...]:
    """Read our own follow-ups, and those of dialogues for training, practice and the dev half."""
    detector = Detector.load()
    found = (*_own(), *_labelled(detector))
    return tuple(_reference(one, detector) for one in islice(found, 0, None, every))


def _own() -> Iterator[_Dialogue]:
    """One exchange and a prompt a line: question, call, reply, prompt, right names."""
    with _OWN.open(encoding="utf-8", newline="") as lines:
        for asked, called, reply, prompt, right in csv.reader(
            lines, delimiter="\t", quoting=csv.QUOTE_NONE
        ):
            tool, _, value = called.partition(":")
            calls = (DetectedCall(name=tool, arguments={NEEDED[tool]: value}),) if tool else ()
            open_slot = None if tool else (WIKIPEDIA, NEEDED[WIKIPEDIA])
            turn = Turn(prompt=asked, reply=reply, calls=calls, asked=open_slot)
            said = DialogueState(turns=(turn,), is_recalled=True)
            yield _Dialogue(prompt=prompt, said=said, right=right.split("; "), is_blind=True)


def _labelled(detector: Detector) -> Iterator[_Dialogue]:
    files = [
        (path.stem in _BLIND, read_cases(path))
        for path in sorted(_DIALOGUES.glob("*.jsonl"))
        if path.stem not in _LEFT_OUT
    ]
    files.append((False, select(read_cases(ZWROTNICA_PL), "dev")))
    files += [(True, read_cases(PRACTICE_PL / f"{name}.jsonl")) for name in _PRACTICE]
    tools = [tool.spec for tool in _TOOLS]
    seen = set[tuple[str, str]]()
    for is_blind, case in ((is_blind, case) for is_blind, one in files for case in one.cases):
        for history, prompt, right in (*_before(case), *_asked(case)):
            opened = history[0].text, prompt
            if opened not in seen:
                seen.add(opened)
                said = recall(state(history), tools, today=_TODAY, detector=detector)
                yield _Dialogue(prompt=prompt, said=said, right=right, is_blind=is_blind)


def _asked(case: Case) -> Iterator[_Exchange]:
    """What the case asks for, if it is one article."""
    calls = case.expected.calls
    if case.history and case.tool == WIKIPEDIA and len(calls) == 1:
        query = calls[0].arguments.get(NEEDED[WIKIPEDIA])
        if query is not None:
            accepted = calls[0].accept.get(NEEDED[WIKIPEDIA], ())
            yield case.history, case.prompt, (str(query), *map(str, accepted))


def _before(case: Case) -> Iterator[_Exchange]:
    """The prompts of the case's history that were answered by one article, with what it was."""
    for at, (message, answer) in enumerate(pairwise(case.history)):
        calls = [part for part in answer.parts if isinstance(part, ToolCall)]
        if at and message.role == "user" and [one.name for one in calls] == [WIKIPEDIA]:
            query = str(calls[0].arguments[NEEDED[WIKIPEDIA]])
            yield case.history[:at], message.text, (query,)


def _reference(one: _Dialogue, detector: Detector) -> Reference:
    tools = [tool.spec for tool in _TOOLS]
    scene = Scene(one.prompt, one.said, tools, today=_TODAY, detector=detector)
    ruled = follow_up(one.prompt, one.said, tools, today=_TODAY, detector=detector)
    query = _query(ruled) or _query(fill_topics.fill(scene))
    picked = Picked(name=query, is_certain=_query(ruled) is not None) if query else None
    candidates, signs = read_signs(scene, picked if one.is_blind else None)
    right = [_is_right(candidate.name, one.right) for candidate in candidates]
    return Reference(
        signs=signs,
        right=right,
        is_picked=query is not None and _is_right(query, one.right),
        is_blind=one.is_blind,
    )


def _query(found: FollowUp | None) -> str | None:
    calls = found.calls if found is not None else ()
    named = [one.arguments.get(NEEDED[WIKIPEDIA]) for one in calls if one.name == WIKIPEDIA]
    return str(named[0]) if len(named) == 1 and named[0] else None


def _is_right(name: str, right: Sequence[str]) -> bool:
    return any(match_title(one, name) for one in right)


def fit(references: Sequence[Reference]) -> Mapping[str, NDArray[np.generic]]:
    """Return the arrays of the weight file."""
    counts = Counter(name for one in references for signs in one.signs for name in set(signs))
    names = sorted(name for name, count in counts.items() if count >= _RARE)
    learnt = [one for one in references if any(one.right) and not all(one.right)]
    return {
        "names": lines_of(names),
        "weights": coarse(_train(names, learnt)),
    }


def _train(names: Sequence[str], references: Sequence[Reference]) -> Vector:
    """Maximise the probability of all right names together, weights held small."""
    features, bounds = _matrix(names, references)
    right = np.array([is_right for one in references for is_right in one.right], dtype=float)
    groups = np.repeat(np.arange(len(references)), np.diff([*bounds, features.shape[0]]))

    def loss(weights: Vector) -> tuple[float, Vector]:
        scores = features @ weights
        likely = np.exp(scores - np.maximum.reduceat(scores, bounds)[groups])
        whole = np.add.reduceat(likely, bounds)
        good = np.add.reduceat(likely * right, bounds)
        error = likely / whole[groups] - likely * right / good[groups]
        value = -np.log(good / whole).sum() + _PENALTY / 2 * weights @ weights
        return float(value), features.T @ error + _PENALTY * weights

    start = np.zeros(len(names))
    options = {"maxiter": _ITERATIONS}
    found: Vector = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    return found


def _matrix(
    names: Sequence[str], references: Sequence[Reference]
) -> tuple[csr_matrix, NDArray[np.int64]]:
    """Return one row for each name, and the first row of each prompt."""
    columns = {name: column for column, name in enumerate(names)}
    starts, found, bounds = [0], list[int](), list[int]()
    for one in references:
        bounds.append(len(starts) - 1)
        for signs in one.signs:
            found += sorted(columns[name] for name in set(signs) if name in columns)
            starts.append(len(found))
    shape = (len(starts) - 1, len(names))
    return csr_matrix((np.ones(len(found)), found, starts), shape=shape), np.array(bounds)


def held_out(references: Sequence[Reference]) -> tuple[float, float]:
    """Return the share that a model finds that saw no neighbour: of the own prompts, of all."""
    folds = [at // _NEIGHBOURS % _FOLDS for at in range(len(references))]
    right = [False] * len(references)
    for fold in range(_FOLDS):
        seen = [one for one, own in zip(references, folds, strict=True) if own != fold]
        model = ReferenceModel.from_arrays(fit(seen))
        for at, one in enumerate(references):
            if folds[at] == fold and one.signs:
                right[at] = one.right[int(model.probabilities(one.signs).argmax())]
    own = [found for found, one in zip(right, references, strict=True) if one.is_blind]
    return sum(own) / len(own), sum(right) / len(right)


@click.command()
@out_option(runtime, runtime.WEIGHTS)
@click.option("--held-out/--no-held-out", "is_measured", default=True, help="Measure first.")
def train(out: Path, *, is_measured: bool) -> None:
    """Read the follow-ups, fit, report the quality on what was held out, write the weights."""
    references = read_references()
    blind = [one for one in references if one.is_blind]
    by_rules = sum(one.is_picked for one in blind) / len(blind)
    click.echo(f"{len(references)} follow-ups, {len(blind)} own; the rules' pick {by_rules:.1%}")
    if is_measured:
        own, everything = held_out(references)
        click.echo(f"held out: own {own:.1%}, all {everything:.1%}")
    write_weights(out, fit(references))


if __name__ == "__main__":
    train()
