"""Sort readers by the first letters of their keywords, so that few are tried at a word."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

T = TypeVar("T")

SHORT = 3
"""How many letters readers are sorted by; a stem of so many is a whole word."""


def by_beginning(readers: Mapping[str, T]) -> Mapping[str, Sequence[tuple[str, T]]]:
    """Sort readers with their stems by the first letters of these, in order."""
    found: dict[str, list[tuple[str, T]]] = {}
    for stem, read in readers.items():
        found.setdefault(stem[:SHORT], []).append((stem, read))
    return MappingProxyType(found)
