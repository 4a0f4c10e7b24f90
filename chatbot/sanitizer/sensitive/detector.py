"""What finds one kind of sensitive content in a text that may still grow."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Where something stands in a text: from ``start`` up to ``end``."""

    start: int
    end: int


class Matches(Protocol):
    """The matches of one detector in one text, in their order; they may overlap."""

    def first(self, start: int) -> Span | None:
        """The first that begins at ``start`` or later; ``start`` never falls between two calls.

        Where several begin at one place, it is the longest.
        """
        ...


class Detector(Protocol):
    """Finds one kind of content; ``longest`` is the length in characters of its longest form.

    Everything is decided by at most ``longest`` characters and one on either side of them.
    """

    @property
    def longest(self) -> int:
        """No match, and so nothing that is held back, is longer."""
        ...

    @property
    def trigger(self) -> str:
        """A regular expression: in a text where it finds nothing, no match begins or ends."""
        ...

    def matches(self, text: str, *, start: int, before: int) -> Matches:
        """The matches that begin at ``start`` or later and before ``before``."""
        ...

    def tail(self, text: str, *, start: int) -> int:
        """Where the first match may begin that more text can make or change; else the end."""
        ...
