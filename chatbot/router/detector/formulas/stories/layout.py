"""All candidates for a number of quantities: which cells of a table of scores each adds up."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.formulas.stories.templates import JOINS, ROLES, Template

Rows = NDArray[np.intp]

_NO_CELL = -1


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Every template with every choice of as many quantities, in the order of the story.

    ``cells`` are places in a flat table of ``size`` scores, which has a role for each quantity,
    then a join for each pair, then the templates; those of each candidate begin at its place in
    ``starts``. ``template`` is each candidate's template, ``chosen`` the quantities in its slots;
    the candidates of one template stand together.
    """

    size: int
    cells: Rows
    starts: Rows
    template: Rows
    chosen: tuple[tuple[int, ...], ...]

    def scores(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the candidates' scores, given a table of shape (size,)."""
        return np.add.reduceat(table[self.cells], self.starts)


def pairs_of(count: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of quantities in the order of the table."""
    return tuple(combinations(range(count), 2))


def lay_out(templates: Sequence[Template], count: int) -> Layout:
    """Return the candidates of ``count`` quantities."""
    first = count * len(ROLES) + len(pairs_of(count)) * len(JOINS)
    none = np.empty(0, dtype=np.intp)
    cells, counts, owners = [none], [none], [none]
    every: list[tuple[int, ...]] = []
    for slots in sorted({one.slots for one in templates if one.slots <= count}):
        numbers = [number for number, one in enumerate(templates) if one.slots == slots]
        choices = list(combinations(range(count), slots))
        owner = np.repeat(np.array(numbers, dtype=np.intp), len(choices))
        found = _cells_of_slots([templates[number] for number in numbers], choices, count)
        found = np.hstack([found, owner[:, None] + first])
        is_cell = found != _NO_CELL
        cells.append(found[is_cell])
        counts.append(is_cell.sum(axis=1))
        owners.append(owner)
        every += choices * len(numbers)
    sizes = np.concatenate(counts)
    return Layout(
        size=first + len(templates),
        cells=np.concatenate(cells),
        starts=np.cumsum(sizes) - sizes,
        template=np.concatenate(owners),
        chosen=tuple(every),
    )


def _cells_of_slots(
    templates: Sequence[Template], choices: Sequence[tuple[int, ...]], count: int
) -> Rows:
    """The cells of templates that have as many slots, choices within templates, but their own.

    Shape (templates * choices, most cells); `_NO_CELL` where one has fewer.
    """
    chosen = np.array(choices, dtype=np.intp)
    shape = (len(templates), len(choices), count - chosen.shape[1])
    unused = [[at for at in range(count) if at not in choice] for choice in choices]
    of_unused = np.broadcast_to(np.array(unused, dtype=np.intp) * len(ROLES), shape)
    roles = _filled_up([one.roles for one in templates], 2)
    of_roles = chosen[:, roles[..., 0]] * len(ROLES) + roles[..., 1]
    joins = _filled_up([one.joins for one in templates], 3)
    pairs = np.zeros((count, count), dtype=np.intp)
    pairs[np.triu_indices(count, 1)] = range(len(pairs_of(count)))
    met = pairs[chosen[:, joins[..., 0]], chosen[:, joins[..., 1]]]
    of_joins = count * len(ROLES) + met * len(JOINS) + joins[..., 2]
    every = [
        of_unused,
        np.where(roles[..., 1] < 0, _NO_CELL, of_roles).swapaxes(0, 1),
        np.where(joins[..., 2] < 0, _NO_CELL, of_joins).swapaxes(0, 1),
    ]
    return np.concatenate(every, axis=2).reshape(len(templates) * len(choices), -1)


def _filled_up(lists: Sequence[Sequence[tuple[int, ...]]], width: int) -> Rows:
    """Lists of tuples, shape (lists, longest, width), filled up with tuples that end with -1."""
    filler = [(0,) * (width - 1) + (-1,)]
    longest = max(map(len, lists))
    filled = [[*each, *filler * (longest - len(each))] for each in lists]
    return np.array(filled, dtype=np.intp).reshape(len(lists), longest, width)
