"""All candidates for a number of quantities: which cells of a table of scores each adds up."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.formulas.stories.templates import JOINS, ROLES, Template

Rows = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Every template with every choice of as many quantities, in the order of the story.

    ``cells``, shape (candidates, most cells): places in a flat table of ``size`` scores, which has
    a role for each quantity, then a join for each pair, then the templates, then one nought.
    ``template`` is each candidate's template, ``blocks`` the candidates of one template with the
    quantities in its slots.
    """

    size: int
    cells: Rows
    template: Rows
    blocks: tuple[tuple[int, int, Rows], ...]
    chosen: tuple[tuple[int, ...], ...]


def pairs_of(count: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of quantities in the order of the table."""
    return tuple(combinations(range(count), 2))


def lay_out(templates: Sequence[Template], count: int) -> Layout:
    """Return the candidates of ``count`` quantities."""
    pairs = {pair: at for at, pair in enumerate(pairs_of(count))}
    joins = count * len(ROLES)
    last = joins + len(pairs) * len(JOINS)
    rows: list[list[int]] = []
    owners: list[int] = []
    blocks: list[tuple[int, int, Rows]] = []
    every: list[tuple[int, ...]] = []
    for number, template in enumerate(templates):
        if template.slots > count:
            continue
        choices = list(combinations(range(count), template.slots))
        blocks.append((number, len(rows), np.array(choices, dtype=np.intp)))
        for chosen in choices:
            row = [at * len(ROLES) for at in range(count) if at not in chosen]
            row += [chosen[slot] * len(ROLES) + role for slot, role in template.roles]
            row += [
                joins + pairs[chosen[one], chosen[other]] * len(JOINS) + join
                for one, other, join in template.joins
            ]
            rows.append([*row, last + number])
            owners.append(number)
            every.append(chosen)
    size = last + len(templates)
    width = max(map(len, rows), default=1)
    cells = np.full((len(rows), width), size, dtype=np.intp)
    for at, row in enumerate(rows):
        cells[at, : len(row)] = row
    return Layout(
        size=size,
        cells=cells,
        template=np.array(owners, dtype=np.intp),
        blocks=tuple(blocks),
        chosen=tuple(every),
    )
