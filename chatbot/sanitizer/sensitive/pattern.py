"""Finds what a pattern matches, knowing what the beginning of a match looks like."""

import re

from chatbot.sanitizer.sensitive.detector import Matches
from chatbot.sanitizer.sensitive.found import PatternMatches


class PatternDetector:
    """A detector made of a pattern, and of the pattern of its beginning."""

    def __init__(
        self, *, pattern: re.Pattern[str], beginning: str, trigger: str, longest: int
    ) -> None:
        """``beginning`` matches, up to the text's end, what more text can make or change."""
        self.longest = longest
        self.trigger = trigger
        self._pattern = pattern
        self._beginning = re.compile(rf"(?:{beginning})\Z", pattern.flags)

    def matches(self, text: str, *, start: int, before: int) -> Matches:  # noqa: ARG002 (asked for)
        """The matches, wherever one begins."""
        return PatternMatches(self._pattern, text, before=before, end=self._end)

    def tail(self, text: str, *, start: int) -> int:
        """Where the first match may begin that more text can make or change."""
        found = self._beginning.search(text, max(start, len(text) - self.longest - 1))
        return found.start() if found else len(text)

    def _end(self, found: re.Match[str]) -> int | None:
        """Where the match ends, if it is one."""
        return found.end()
