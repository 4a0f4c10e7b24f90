"""Applies rules to one stream of text, holding back only what may still become a match."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from chatbot.sanitizer.sensitive.detector import Span
from chatbot.sanitizer.sensitive.rule import Rule

_WHOLE_CHARS: Final = 512
"""Of so much text each detector takes less time to find nothing than all triggers together."""


class Screen:
    """Screens one stream of text; the result is the same for every way of cutting it into pieces.

    ``found`` counts the matches by the rules' names. ``refused`` is the rule that forbids the text:
    what stood before the match has been given by then, and nothing more comes.
    """

    __slots__ = ("_before", "_held", "_logged", "_passed", "_trigger", "found", "refused", "rules")

    def __init__(self, rules: Sequence[Rule]) -> None:
        """Of matches, the first in the text counts, and of those at one place the first rule's.

        A rule that logs takes its match away from no other rule.
        """
        self.found: Counter[str] = Counter()
        self.refused: Rule | None = None
        self.rules = tuple(rules)
        self._trigger = re.compile("|".join(rule.detector.trigger for rule in rules))
        self._before = ""  # the last character passed, by which words' beginnings are known
        self._held = ""
        self._passed = 0  # characters passed, without those held
        self._logged: dict[str, int] = {}  # by rule, up to which character of the stream

    @property
    def held(self) -> str:
        """What is held back now; while there is any, all further text must be fed."""
        return self._held

    def feed(self, text: str) -> str:
        """What of the text may be shown by now."""
        if self.refused is not None:
            return ""
        if not self._held and len(text) < _WHOLE_CHARS and not self._trigger.search(text):
            self._before = text[-1:] or self._before
            self._passed += len(text)
            return text
        return self._pass(text, is_end=False)

    def finish(self) -> str:
        """What is still held back. Call it once, at the end of a whole or of a broken text."""
        return self._pass("", is_end=True) if self._held and self.refused is None else ""

    def _pass(self, text: str, *, is_end: bool) -> str:
        buffer = self._before + self._held + text
        begin = position = len(self._before)
        origin = self._passed - begin  # of the buffer, in the stream
        settled = self._settled(buffer, position, is_end=is_end)
        coming = _Coming(self.rules, buffer, start=position, before=settled)
        shown: list[str] = []
        while found := coming.first(position, self._logged, origin):
            rule, span = found
            self.found[rule.name] += 1
            if rule.action == "log":
                self._logged[rule.name] = origin + span.end
                continue
            shown.append(buffer[position : span.start])
            if rule.action == "refuse":
                self.refused = rule
                self._held = ""
                return "".join(shown)
            shown.append(rule.mask)
            position = span.end
            if position > settled:
                settled = self._settled(buffer, position, is_end=is_end)
                coming = _Coming(self.rules, buffer, start=position, before=settled)
        shown.append(buffer[position:settled])
        self._passed += settled - begin
        self._before = buffer[:settled][-1:]
        self._held = buffer[settled:]
        return "".join(shown)

    def _settled(self, buffer: str, position: int, *, is_end: bool) -> int:
        """Up to where nothing begins on which more text could decide otherwise."""
        if is_end:
            return len(buffer)
        tails = (rule.detector.tail(buffer, start=position) for rule in self.rules)
        return min(tails, default=len(buffer))


class _Coming:
    """The next match of each rule in one text."""

    def __init__(self, rules: Sequence[Rule], text: str, *, start: int, before: int) -> None:
        self._left = [
            (rule, rule.detector.matches(text, start=start, before=before))
            for rule in (rules if start < before else ())
        ]

    def first(
        self, position: int, logged: Mapping[str, int], origin: int
    ) -> tuple[Rule, Span] | None:
        """The first match that begins at ``position`` or later and was not logged before."""
        best: tuple[Rule, Span] | None = None
        ended: list[int] = []
        for number, (rule, matches) in enumerate(self._left):
            start = position
            if rule.name in logged:
                start = max(position, logged[rule.name] - origin)
            span = matches.first(start)
            if span is None:
                ended.append(number)
            elif best is None or span.start < best[1].start:
                best = rule, span
        for number in reversed(ended):
            del self._left[number]  # what has no match from here on has none later
        return best


def screen_text(text: str, rules: Sequence[Rule]) -> tuple[str, Screen]:
    """A whole text as it may be read, and the screen that tells what was found."""
    screen = Screen(rules)
    shown = screen.feed(text)
    return shown + screen.finish(), screen
