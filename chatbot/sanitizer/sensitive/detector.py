"""What finds one kind of sensitive content in a text that may still grow."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Where something stands in a text: from ``start`` up to ``end``."""

    start: int
    end: int


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

    def matches(self, text: str, *, start: int, before: int) -> Iterator[Span]:
        """The matches that begin at ``start`` or later and before ``before``, in their order.

        They may overlap; where several begin at one place, it is the longest.
        """
        ...

    def tail(self, text: str, *, start: int) -> int:
        """Where the first match may begin that more text can make or change; else the end."""
        ...


class PatternDetector:
    """Finds what a pattern matches, knowing what the beginning of a match looks like."""

    def __init__(
        self, *, pattern: re.Pattern[str], beginning: str, trigger: str, longest: int
    ) -> None:
        """``beginning`` matches, up to the text's end, what more text can make or change."""
        self.longest = longest
        self.trigger = trigger
        self._pattern = pattern
        self._beginning = re.compile(rf"(?:{beginning})\Z", pattern.flags)

    def matches(self, text: str, *, start: int, before: int) -> Iterator[Span]:
        """The matches, wherever one begins."""
        while (found := self._pattern.search(text, start)) and found.start() < before:
            if (end := self._end(found)) is not None:
                yield Span(start=found.start(), end=end)
            start = found.start() + 1

    def tail(self, text: str, *, start: int) -> int:
        """Where the first match may begin that more text can make or change."""
        found = self._beginning.search(text, max(start, len(text) - self.longest - 1))
        return found.start() if found else len(text)

    def _end(self, found: re.Match[str]) -> int | None:
        """Where the match ends, if it is one."""
        return found.end()
