"""Fit the model of stories: candidates' scores by their signs, most of which are then dropped."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from chatbot.router.detector.formulas.stories.layout import Layout, lay_out, pairs_of
from chatbot.router.detector.formulas.stories.model import MOST, places_of_kinds
from chatbot.router.detector.formulas.stories.templates import (
    JOINS,
    LETTERS,
    ROLES,
    Template,
    parse,
)
from chatbot.router.detector.formulas.stories.weighing import MARKS, SCALES, mark
from evals.training.story_examples import Example
from evals.training.story_trees import orders_of
from evals.training.weight_file import lines_of, stepped

_RARE = (4, 3, 4)
_PENALTY = 1.5
_ITERATIONS = 60
_AFTERWARDS = 20
_KEPT = 120_000
_LEXICAL = 0.5
"""Signs that are words themselves count half, so that what many words share is learnt first."""

_WORDS = frozenset({
    "q", "w", "b", "a", "b1", "b2", "b3", "a1", "a2", "a3", "a4", "x", "us", "i", "j", "e", "t",
    "m", "u", "v",
})  # fmt: skip
_TIMES = 3
_TIMES_OF_THREE = 6
_TIMES_OF_FOUR = 12
_MOST_ORDERS = 12
_IMPOSSIBLE = -1e9
_LEAST = 1e-300
Scores = NDArray[np.float64]
Arrays = Mapping[str, NDArray[np.generic]]


def choose_templates(examples: Iterable[Example]) -> tuple[Template, ...]:
    """Return the templates that are needed twice, frequent ones in all orders of a story."""
    counts = Counter(one.calculation.template for one in examples if one.calculation is not None)
    orders = {code: tuple(sorted(orders_of(code))) for code in counts}
    often: Counter[tuple[str, ...]] = Counter()
    for code, count in counts.items():
        often[orders[code]] += count
    kept = {code for code, count in counts.items() if count >= _TIMES}
    for codes, count in often.items():
        slots = len(set(codes[0].split()) & set(LETTERS))
        least = {1: _TIMES, 2: _TIMES, 3: _TIMES_OF_THREE, 4: _TIMES_OF_FOUR}.get(slots)
        if least is not None and count >= least and (slots < 4 or len(codes) <= _MOST_ORDERS):  # noqa: PLR2004
            kept |= set(codes)
    return tuple(map(parse, sorted(kept)))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Block:
    """The examples of one number of quantities: their signs, candidates, and which are right."""

    count: int
    size: int
    signs: tuple[csr_matrix, csr_matrix, csr_matrix]
    cells: csr_matrix
    turned: csr_matrix
    marks: NDArray[np.intp]
    right: NDArray[np.bool_]
    is_possible: NDArray[np.bool_]


class _Problem:
    """The loss of weights on examples, and its slope."""

    def __init__(
        self, examples: Sequence[Example], templates: Sequence[Template],
        names: Sequence[Mapping[str, int]],
    ) -> None:  # fmt: skip
        self._kinds = _kinds_of(templates)
        shapes = [
            (len(names[0]), self._kinds.shape[1] + 1),
            (len(names[1]), len(ROLES)),
            (len(names[2]), len(JOINS)),
            (len(templates),),
            (MARKS,),
        ]
        self._shapes = shapes
        self._ends = np.cumsum([int(np.prod(shape)) for shape in shapes]).tolist()
        self.size = self._ends[-1]
        groups: dict[int, list[Example]] = defaultdict(list)
        for one in examples:
            groups[len(one.told.numbers)].append(one)
        self.blocks = [
            _block(groups[count], templates, names, lay_out(templates, count))
            for count in range(1, MOST + 1)
            if groups[count]
        ]

    def parts(self, flat: Scores) -> list[Scores]:
        """The weights of stories, quantities, pairs, templates and marks."""
        starts = [0, *self._ends]
        edges = zip(starts, self._ends, self._shapes, strict=False)
        return [flat[start:end].reshape(shape) for start, end, shape in edges]

    def loss(self, flat: Scores) -> tuple[float, Scores]:
        """Return the negative log-likelihood with its penalty, and the gradient."""
        weights = self.parts(flat)
        slopes = [np.zeros(shape) for shape in self._shapes]
        total = sum(self._block_loss(block, weights, slopes) for block in self.blocks)
        gradient = np.concatenate([slope.ravel() for slope in slopes])
        return total + 0.5 * _PENALTY * float(flat @ flat), gradient + _PENALTY * flat

    def _block_loss(
        self, block: _Block, weights: Sequence[Scores], slopes: Sequence[Scores]
    ) -> float:
        scores = self._scores(block, weights)
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = raised / raised.sum(axis=1, keepdims=True)
        likely = np.maximum((shares * block.right).sum(axis=1, keepdims=True), _LEAST)
        slope = shares - shares * block.right / likely
        table = (block.turned @ slope[:, :-1].T).T
        first = block.count * len(ROLES)
        second = first + len(pairs_of(block.count)) * len(JOINS)
        of_templates = table[:, second:]
        of_stories = np.hstack([of_templates @ self._kinds, slope[:, -1:]])
        slopes[0][...] += block.signs[0].T @ of_stories
        slopes[1][...] += block.signs[1].T @ table[:, :first].reshape(-1, len(ROLES))
        slopes[2][...] += block.signs[2].T @ table[:, first:second].reshape(-1, len(JOINS))
        slopes[3][...] += of_templates.sum(axis=0)
        for which in range(block.marks.shape[2]):
            marks = block.marks[:, :, which].ravel()
            slopes[4][...] += np.bincount(marks, slope[:, :-1].ravel(), MARKS)
        return -float(np.log(likely).sum())

    def _scores(self, block: _Block, weights: Sequence[Scores]) -> Scores:
        """Scores of all candidates, and of none of them, shape (examples, candidates + 1)."""
        story, quantity, pair, template, marks = weights
        kinds = block.signs[0] @ story
        table = np.hstack([
            (block.signs[1] @ quantity).reshape(block.size, -1),
            (block.signs[2] @ pair).reshape(block.size, -1),
            kinds[:, :-1] @ self._kinds.T + template,
        ])
        scores = (block.cells @ table.T).T
        for which in range(block.marks.shape[2]):
            scores += marks[block.marks[:, :, which]]
        scores = np.where(block.is_possible, scores, _IMPOSSIBLE)
        return np.hstack([scores, kinds[:, -1:]])

    def importance(self, flat: Scores) -> Scores:
        """How much each weight moves scores over all examples; templates and marks are kept."""
        found = []
        for at, weights in enumerate(self.parts(flat)[:3]):
            counts = sum(np.asarray(abs(block.signs[at]).sum(axis=0)).ravel()
                         for block in self.blocks)  # fmt: skip
            found.append((np.abs(weights) * np.sqrt(counts)[:, None]).ravel())
        rest = self.size - sum(map(len, found))
        return np.concatenate([*found, np.full(rest, np.inf)])


def _block(
    examples: Sequence[Example], templates: Sequence[Template],
    names: Sequence[Mapping[str, int]], layout: Layout,
) -> _Block:  # fmt: skip
    signs = (
        [one.story.whole for one in examples],
        [signs for one in examples for signs in one.story.quantities],
        [signs for one in examples for signs in one.story.pairs],
    )
    shape = (len(layout.template), layout.size)
    starts = np.append(layout.starts, layout.cells.size)
    cells = csr_matrix((np.ones(layout.cells.size), layout.cells, starts), shape=shape)
    values, marks = _weigh_all(examples, templates, layout)
    right = [[one.is_right(value) for value in row.tolist()]
             for one, row in zip(examples, values, strict=True)]  # fmt: skip
    is_right = np.array(right) & np.isfinite(values)
    return _Block(
        count=len(examples[0].told.numbers),
        size=len(examples),
        signs=tuple(_rows(each, known) for each, known in zip(signs, names, strict=True)),
        cells=cells,
        turned=cells.T.tocsr(),
        marks=marks,
        right=np.hstack([is_right, ~is_right.any(axis=1, keepdims=True)]),
        is_possible=np.isfinite(values),
    )


def _weigh_all(
    examples: Sequence[Example], templates: Sequence[Template], layout: Layout
) -> tuple[Scores, NDArray[np.intp]]:
    """The values of all candidates of all examples, and their marks."""
    numbers = np.array([one.told.numbers for one in examples])
    measures = np.array([one.told.measures for one in examples])
    shape = (len(examples), len(layout.template))
    values, results, clashes = np.zeros(shape), np.zeros((*shape, 3)), np.zeros((*shape, 3))
    with np.errstate(all="ignore"):
        for number in np.unique(layout.template).tolist():
            own = np.flatnonzero(layout.template == number)
            chosen = np.array([layout.chosen[at] for at in own], dtype=np.intp)
            columns = [chosen[:, slot] for slot in range(chosen.shape[1])]
            values[:, own] = templates[number].value([numbers[:, each] for each in columns])
            for which in range(measures.shape[2]):
                codes = [measures[:, each, which] for each in columns]
                found = templates[number].measure(codes, scales=which == SCALES)
                results[:, own, which], clashes[:, own, which] = found
    marks = [mark(*each) for each in zip(values, results, clashes, (one.told for one in examples),
                                         strict=True)]  # fmt: skip
    return values, np.array(marks)


def _kinds_of(templates: Sequence[Template]) -> Scores:
    """Which template is of which kind, shape (templates, kinds)."""
    places = places_of_kinds(templates)
    kinds = np.zeros((len(templates), len({kind for one in templates for kind in one.kinds}) + 1))
    np.put_along_axis(kinds, places, 1.0, axis=1)
    return kinds[:, :-1]


def _rows(signs: Sequence[Sequence[str]], names: Mapping[str, int]) -> csr_matrix:
    weights = np.array([_LEXICAL if name.split()[0] in _WORDS else 1.0 for name in names])
    columns: list[int] = []
    starts = [0]
    for each in signs:
        columns += [names[name] for name in each if name in names]
        starts.append(len(columns))
    shape = (len(signs), len(names))
    return csr_matrix((weights[columns] if columns else [], columns, starts), shape=shape)


def _names(signs: Iterable[Sequence[str]], least: int) -> dict[str, int]:
    counts = Counter(name for each in signs for name in set(each))
    kept = sorted(name for name, count in counts.items() if count >= least)
    return {name: row for row, name in enumerate(kept)}


def fit(examples: Sequence[Example]) -> Arrays:
    """Return the arrays of the weight file."""
    templates = choose_templates(examples)
    names = (
        _names((one.story.whole for one in examples), _RARE[0]),
        _names((signs for one in examples for signs in one.story.quantities), _RARE[1]),
        _names((signs for one in examples for signs in one.story.pairs), _RARE[2]),
    )
    problem = _Problem(examples, templates, names)
    found = _minimise(problem, np.zeros(problem.size), np.ones(problem.size), _ITERATIONS)
    moved = problem.importance(found)
    kept = (moved >= np.partition(moved, -min(_KEPT, len(moved)))[-min(_KEPT, len(moved))]) * 1.0
    found = _minimise(problem, found * kept, kept, _AFTERWARDS)
    return _arrays(problem.parts(found), templates, names)


def _minimise(problem: _Problem, start: Scores, kept: Scores, most: int) -> Scores:
    def loss(flat: Scores) -> tuple[float, Scores]:
        total, slope = problem.loss(flat * kept)
        return total, slope * kept

    options = {"maxiter": most}
    result = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    weights: Scores = result.x * kept
    return weights


def _arrays(
    weights: Sequence[Scores], templates: Sequence[Template], names: Sequence[Mapping[str, int]]
) -> Arrays:
    arrays: dict[str, NDArray[np.generic]] = {
        "templates": lines_of(one.code for one in templates),
        "template": weights[3].astype(np.float16),
        "marks": weights[4].astype(np.float16),
    }
    for title, known, each in zip(("story", "quantity", "pair"), names, weights, strict=False):
        scales = np.array([_LEXICAL if name.split()[0] in _WORDS else 1.0 for name in known])
        rounded = stepped(each * scales[:, None])
        is_kept: NDArray[np.bool_] = np.asarray(rounded.any(axis=1))
        arrays[f"{title}_names"] = lines_of(
            name for name, kept in zip(known, is_kept, strict=True) if kept
        )
        arrays[title] = rounded[is_kept]
    return arrays
