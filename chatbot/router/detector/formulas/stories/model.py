"""Choose the calculation that a story asks for, as a log-linear model and a network find it likely.

The log-linear model weighs all candidates that its templates make by the signs of the story; the
network writes some itself, also such as no template makes.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.formulas.problems.statement import Quantity, Statement
from chatbot.router.detector.formulas.stories.layout import Layout, lay_out, pairs_of
from chatbot.router.detector.formulas.stories.measures import measure
from chatbot.router.detector.formulas.stories.network import StoryNetwork, story_network
from chatbot.router.detector.formulas.stories.quantities import LARGEST, text_of, value_of
from chatbot.router.detector.formulas.stories.signs import Story, describe
from chatbot.router.detector.formulas.stories.templates import ROLES, Template, parse
from chatbot.router.detector.formulas.stories.tokens import tokens_of
from chatbot.router.detector.formulas.stories.weighing import Marks, Told, is_measured, weigh
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "stories.npz"

MOST = 6
"""Stories with more quantities are not read."""

_WEIGHED = 48
_OF_SIGNS, _OF_NETWORK = 0.5, 0.65
"""How much the logarithms of the shares count that the two find; by 2,500 stories new to both."""

_UNWRITTEN = -7.0
"""The logarithm that stands for the network's share of what it did not write."""

_SURE = 0.8
"""Where the signs alone are so sure, the network is not asked: it would change nothing."""

_UNUSED = ROLES.index("unused")
Scores = NDArray[np.float64]
Candidate: TypeAlias = tuple[Template, tuple[int, ...]]
"""A template, and the places of the quantities in its slots."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guess:
    """The likeliest calculation, its value, and how likely it is, from 0 to 1.

    ``is_measured`` is true if its dimensions are known to be those that the answer should have.
    """

    expression: str
    value: float
    share: float
    is_measured: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Table:
    """What candidates' scores are added from.

    A row of roles for each quantity, one of joins for each pair of them, a score for each template
    and for each kind of templates.
    """

    quantities: Sequence[Scores]
    pairs: Sequence[Scores]
    templates: Scores
    kinds: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Weighed:
    """Candidates with their values, marks and scores, each as many as there are candidates."""

    tried: tuple[Candidate, ...]
    values: Scores
    marks: Marks
    scores: Scores

    def with_further(self, others: "_Weighed") -> "_Weighed":
        """Return them with others after them."""
        return _Weighed(
            tried=(*self.tried, *others.tried),
            values=np.concatenate([self.values, others.values]),
            marks=np.concatenate([self.marks, others.marks]),
            scores=np.concatenate([self.scores, others.scores]),
        )

    def shares(self, none: float) -> Scores:
        """Return how likely each is; ``none`` is the score of there being no right one."""
        return _shares(np.append(self.scores, none))[:-1]

    def likeliest(self, shares: Scores, quantities: Sequence[Quantity]) -> Guess | None:
        """Put candidates of one value together and take the likeliest value."""
        sums: dict[str, float] = {}
        first: dict[str, int] = {}
        for at in np.argsort(-shares, kind="stable").tolist():
            if np.isfinite(self.values[at]):
                name = f"{self.values[at]:.9g}"
                sums[name] = sums.get(name, 0.0) + float(shares[at])
                first.setdefault(name, at)
        if not sums:
            return None
        best = max(sums, key=lambda name: sums[name])
        template, chosen = self.tried[first[best]]
        return Guess(
            expression=template.write([text_of(quantities[at]) for at in chosen]),
            value=float(self.values[first[best]]),
            share=sums[best],
            is_measured=is_measured(self.marks[first[best]]),
        )


class StoryModel:
    """Scores of calculations for a story; immutable, deterministic, safe in threads."""

    def __init__(
        self, templates: Sequence[Template], names: Sequence[Sequence[str]],
        weights: Sequence[Scores], marks: Scores, network: StoryNetwork | None = None,
    ) -> None:  # fmt: skip
        """Take the templates, the weights of signs, and the network that is asked besides.

        Args:
            templates: What candidates are made from.
            names: Signs of a whole story, of a quantity, of a pair, in the order of the rows.
            weights: Shapes (signs, kinds of templates + 1 for none), (signs, roles),
                (signs, joins), and (templates,).
            marks: Shape (marks,): what the values of candidates say.
            network: Writes further candidates; without it the signs decide alone.
        """
        self.templates = tuple(templates)
        self._places = {one.code: at for at, one in enumerate(self.templates)}
        self._kind_names = names_of_kinds(templates)
        self._kinds = places_of_kinds(templates)
        self._rows = [{name: row for row, name in enumerate(each)} for each in names]
        self._story, self._quantity, self._pair, self._template = weights
        self._usual = float(np.median(self._template))
        self._marks = marks
        self._layouts = [lay_out(templates, count) for count in range(1, MOST + 1)]
        self._network = network

    @classmethod
    def load(cls, source: Traversable | None = None) -> "StoryModel":
        """Read the packaged weights and network, or other weights of the same form alone."""
        if source is not None:
            return cls.from_arrays(read_arrays(source))
        packaged = files("chatbot.router.detector.formulas.stories") / WEIGHTS
        return cls.from_arrays(read_arrays(packaged), story_network())

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[np.generic]], network: StoryNetwork | None = None
    ) -> "StoryModel":
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
            network,
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
        table, none = self._table(story)
        tried = self._likely(table, self._layouts[len(quantities) - 1])
        told = Told(
            numbers=np.array([value_of(one) for one in quantities]),
            measures=measure(statement),
            asked=story.asked,
            reader=reader,
            read=read,
        )
        weighed = self._weigh(told, tried)
        first = weighed.likeliest(weighed.shares(none), quantities)
        if self._network is None or (first is not None and first.share >= _SURE):
            return first
        written = self._written(statement)
        added = {one: self._score(table, *one) for one in written if one not in tried}
        if added:
            weighed = weighed.with_further(self._weigh(told, added))
        likelihoods = [written.get(one, _UNWRITTEN) for one in weighed.tried]
        return weighed.likeliest(_blend(weighed.shares(none), likelihoods), quantities)

    def _weigh(self, told: Told, scores: Mapping[Candidate, float]) -> "_Weighed":
        """Add to the candidates' scores what their values say for them."""
        tried = tuple(scores)
        values, marks = weigh(told, tried)
        final = np.array(list(scores.values())) + self._marks[marks].sum(axis=1)
        final[~np.isfinite(values)] = -np.inf
        return _Weighed(tried=tried, values=values, marks=marks, scores=final)

    def _written(self, statement: Statement) -> dict[Candidate, float]:
        """What the network writes, and how likely it finds that."""
        if self._network is None:
            return {}
        return {
            (parse(one.code), one.chosen): one.likelihood
            for one in self._network.write(tokens_of(statement))
        }

    def _table(self, story: Story) -> tuple[_Table, float]:
        """The scores that candidates add up, before their values are known, and that of none."""
        of_kinds = self._sum(0, self._story, story.whole)
        of_templates = self._template + np.append(of_kinds[:-1], 0.0)[self._kinds].sum(axis=1)
        table = _Table(
            quantities=[self._sum(1, self._quantity, signs) for signs in story.quantities],
            pairs=[self._sum(2, self._pair, signs) for signs in story.pairs],
            templates=of_templates,
            kinds=dict(zip(self._kind_names, of_kinds.tolist(), strict=False)),
        )
        return table, float(of_kinds[-1])

    def _likely(self, table: _Table, layout: Layout) -> dict[Candidate, float]:
        """The likeliest candidates of the templates by their scores."""
        scores = layout.scores(np.concatenate([*table.quantities, *table.pairs, table.templates]))
        top = np.argsort(-scores, kind="stable")[:_WEIGHED].tolist()
        return {
            (self.templates[layout.template[at]], layout.chosen[at]): float(scores[at])
            for at in top
        }

    def _score(self, table: _Table, template: Template, chosen: Sequence[int]) -> float:
        """The score of one candidate, whose template need not be listed."""
        place = self._places.get(template.code)
        count = len(table.quantities)
        pairs = {pair: at for at, pair in enumerate(pairs_of(count))}
        score = (
            self._usual + sum(table.kinds.get(kind, 0.0) for kind in template.kinds)
            if place is None
            else float(table.templates[place])
        )
        score += sum(
            float(table.quantities[at][_UNUSED]) for at in range(count) if at not in chosen
        )
        score += sum(float(table.quantities[chosen[slot]][role]) for slot, role in template.roles)
        return score + sum(
            float(table.pairs[pairs[chosen[one], chosen[other]]][join])
            for one, other, join in template.joins
        )

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


def names_of_kinds(templates: Sequence[Template]) -> tuple[str, ...]:
    """Return all kinds that templates are of, by their names."""
    return tuple(sorted({kind for one in templates for kind in one.kinds}))


def places_of_kinds(templates: Sequence[Template]) -> NDArray[np.intp]:
    """Return which kinds each template is of, shape (templates, most kinds of one).

    Places in the list of all kinds by their names; where a template has fewer, its row is filled
    up with the place after the last.
    """
    names = names_of_kinds(templates)
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


def _blend(shares: Scores, written: Sequence[float]) -> Scores:
    """Shares that the signs and the network agree on."""
    with np.errstate(divide="ignore"):
        scores = _OF_SIGNS * np.log(shares) + _OF_NETWORK * np.array(written)
    return _shares(scores)


@cache
def story_model() -> StoryModel:
    """Return the packaged model, read once."""
    return StoryModel.load()
