"""Choose the calculation that a story asks for: a log-linear model over all its candidates."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.formulas.problems.statement import Quantity, Statement
from chatbot.router.detector.formulas.stories.layout import Layout, lay_out
from chatbot.router.detector.formulas.stories.measures import measure
from chatbot.router.detector.formulas.stories.quantities import LARGEST, value_of
from chatbot.router.detector.formulas.stories.signs import Story, describe
from chatbot.router.detector.formulas.stories.templates import Template, parse
from chatbot.router.detector.formulas.stories.weighing import Marks, Told, is_measured, weigh
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "stories.npz"

MOST = 6
"""Stories with more quantities are not read."""

_WEIGHED = 48
Scores = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Guess:
    """The likeliest calculation, its value, and how likely it is, from 0 to 1.

    ``is_measured`` is true if its dimensions are known to be those that the answer should have.
    """

    expression: str
    value: float
    share: float
    is_measured: bool


class StoryModel:
    """Scores of calculations for a story; immutable, deterministic, safe in threads."""

    def __init__(
        self, templates: Sequence[Template], names: Sequence[Sequence[str]],
        weights: Sequence[Scores], marks: Scores,
    ) -> None:  # fmt: skip
        """Take the templates, and the weights of signs.

        Args:
            templates: What candidates are made from.
            names: Signs of a whole story, of a quantity, of a pair, in the order of the rows.
            weights: Shapes (signs, kinds of templates + 1 for none), (signs, roles),
                (signs, joins), and (templates,).
            marks: Shape (marks,): what the values of candidates say.
        """
        self.templates = tuple(templates)
        self._kinds = places_of_kinds(templates)
        self._rows = [{name: row for row, name in enumerate(each)} for each in names]
        self._story, self._quantity, self._pair, self._template = weights
        self._marks = marks
        self._layouts = [lay_out(templates, count) for count in range(1, MOST + 1)]

    @classmethod
    def load(cls, source: Traversable | None = None) -> "StoryModel":
        """Read the packaged weights, or those of another file of the same form."""
        where = source or files("chatbot.router.detector.formulas.stories") / WEIGHTS
        return cls.from_arrays(read_arrays(where))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "StoryModel":
        """Build from the arrays that training writes."""
        lists = {
            name: read_lines(arrays, name)
            for name in ("templates", "story_names", "quantity_names", "pair_names")
        }
        weights = [arrays[name].astype(np.float64)
                   for name in ("story", "quantity", "pair", "template", "marks")]  # fmt: skip
        return cls(
            [parse(code) for code in lists.pop("templates")],
            list(lists.values()),
            weights[:-1],
            weights[-1],
        )

    def guess(
        self, statement: Statement, *, reader: str = "", read: float = math.nan
    ) -> Guess | None:
        """Return the likeliest calculation; ``None`` if the story is not `is_readable`.

        Args:
            statement: The story.
            reader: Which reader of the rules has read it, if one has.
            read: The value of what that read, NaN if it is not known.
        """
        if not is_readable(statement):
            return None
        quantities = statement.quantities
        story = describe(statement, reader)
        layout = self._layouts[len(quantities) - 1]
        scores, none = self._scores(story, layout)
        top = np.argsort(-scores, kind="stable")[:_WEIGHED]
        told = Told(
            numbers=np.array([value_of(one) for one in quantities]),
            measures=measure(statement),
            asked=story.asked,
            reader=reader,
            read=read,
        )
        tried = [(self.templates[layout.template[at]], layout.chosen[at]) for at in top]
        values, marks = weigh(told, tried)
        final = scores[top] + self._marks[marks].sum(axis=1)
        final[~np.isfinite(values)] = -np.inf
        shares = _shares(np.append(final, none))
        return _likeliest(values, shares[:-1], marks, tried, quantities)

    def _scores(self, story: Story, layout: Layout) -> tuple[Scores, float]:
        """Scores of all candidates before their values are known, and that of none of them."""
        of_kinds = self._sum(0, self._story, story.whole)
        of_templates = self._template + np.append(of_kinds[:-1], 0.0)[self._kinds].sum(axis=1)
        cells = [self._sum(1, self._quantity, signs) for signs in story.quantities]
        cells += [self._sum(2, self._pair, signs) for signs in story.pairs]
        table = np.concatenate([*cells, of_templates, [0.0]])
        return table[layout.cells].sum(axis=1), float(of_kinds[-1])

    def _sum(self, which: int, weights: Scores, signs: Sequence[str]) -> Scores:
        known = self._rows[which]
        rows = [row for name in signs if (row := known.get(name)) is not None]
        total: Scores = weights[rows].sum(axis=0)
        return total


def is_readable(statement: Statement) -> bool:
    """Whether there are quantities, not too many, and none too large."""
    if not 1 <= len(statement.quantities) <= MOST:
        return False
    return all(value_of(one) < LARGEST for one in statement.quantities)


def places_of_kinds(templates: Sequence[Template]) -> NDArray[np.intp]:
    """Return which kinds each template is of, shape (templates, most kinds of one).

    Places in the list of all kinds by their names; where a template has fewer, its row is filled
    up with the place after the last.
    """
    names = sorted({kind for one in templates for kind in one.kinds})
    columns = {name: at for at, name in enumerate(names)}
    most = max((len(one.kinds) for one in templates), default=0)
    places = np.full((len(templates), most), len(names), dtype=np.intp)
    for row, one in zip(places, templates, strict=True):
        row[: len(one.kinds)] = sorted(columns[kind] for kind in one.kinds)
    return places


def _shares(scores: Scores) -> Scores:
    raised = np.exp(scores - scores.max())
    shares: Scores = raised / raised.sum()
    return shares


def _likeliest(
    values: Scores,
    shares: Scores,
    marks: Marks,
    tried: Sequence[tuple[Template, Sequence[int]]],
    quantities: Sequence[Quantity],
) -> Guess | None:
    """Put candidates of one value together and take the likeliest value, written most likely."""
    sums: dict[str, float] = {}
    first: dict[str, int] = {}
    for at in np.argsort(-shares, kind="stable").tolist():
        if np.isfinite(values[at]):
            name = f"{values[at]:.9g}"
            sums[name] = sums.get(name, 0.0) + float(shares[at])
            first.setdefault(name, at)
    if not sums:
        return None
    best = max(sums, key=lambda name: sums[name])
    template, chosen = tried[first[best]]
    written = template.write([_written(quantities[at]) for at in chosen])
    return Guess(
        expression=written,
        value=float(values[first[best]]),
        share=sums[best],
        is_measured=is_measured(marks[first[best]]),
    )


def _written(quantity: Quantity) -> str:
    text = quantity.text.strip("()")
    return f"{text}/100" if quantity.unit == "%" else text


@cache
def story_model() -> StoryModel:
    """Return the packaged model, read once."""
    return StoryModel.load()
