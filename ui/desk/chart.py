"""Days of a month as columns: a small SVG made here, whose numbers stand in a table beside it."""

from collections.abc import Sequence
from html import escape
from typing import Final

_HEIGHT: Final = 100
_SLOT: Final = 10
_WIDTH: Final = 7
_LEAST: Final = 1.5
"""A day with anything at all is seen."""


def draw_columns(values: Sequence[int], titles: Sequence[str], label: str) -> str:
    """One column a value, stretched to the width that there is; ``titles`` appear on pointing.

    A screen reader reads ``label`` alone.
    """
    most = max(values, default=0) or 1
    drawn = "".join(
        f'<rect x="{place * _SLOT + (_SLOT - _WIDTH) / 2}" y="{_HEIGHT - height:.1f}" '
        f'width="{_WIDTH}" height="{height:.1f}"><title>{escape(title)}</title></rect>'
        for place, (value, title) in enumerate(zip(values, titles, strict=True))
        for height in (max(_HEIGHT * value / most, _LEAST) if value else 0,)
        if value
    )
    return (
        f'<svg class="columns" role="img" aria-label="{escape(label)}" preserveAspectRatio="none" '
        f'viewBox="0 0 {max(len(values), 1) * _SLOT} {_HEIGHT}">{drawn}</svg>'
    )
