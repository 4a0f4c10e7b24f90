"""Names of figures as Prometheus' text format writes them, read into name and labels."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_LABEL: Final = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_COUNTED: Final = ("_total", "_bucket", "_count", "_sum")


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """One figure with its labels."""

    name: str
    labels: Mapping[str, str]


@lru_cache(maxsize=8192)
def read_series(written: str) -> Series:
    """``zwrotnica_turns_refused_total{code="queue_full"}`` in its parts, without our prefix."""
    name, _, labels = written.partition("{")
    return Series(
        name=name.removeprefix("zwrotnica_"),
        labels={
            label: _ESCAPED.sub(lambda found: {"n": "\n"}.get(found[1], found[1]), value)
            for label, value in _LABEL.findall(labels)
        },
    )


def is_counted(written: str) -> bool:
    """Whether the figure only grows, but for a new start of the gateway."""
    return written.partition("{")[0].endswith(_COUNTED)
