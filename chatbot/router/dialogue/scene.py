"""A prompt within its conversation: its words, and what the detector makes of it alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Literal, TypeAlias

from chatbot.language.patterns import regex
from chatbot.router.detector.detector import DetectedCall, Detection, Detector
from chatbot.router.detector.mistyping import as_meant
from chatbot.router.detector.spans import Span, compose, fold_evenly, split_words
from chatbot.router.detector.weather import find_days
from chatbot.router.dialogue.state import IMAGE, MATHEMATICS, NEEDED, DialogueState
from chatbot.router.dialogue.turns import Turn
from chatbot.types import ToolSpec

LONGEST = 300
_SIGNS = regex(r"[\s?!.,;:…_'\"„”“‘’«»()\[\]{}–—-]*")
_SMALL = 4
"""Characters of a prompt that can be a follow-up; a longer one says itself what it wants."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowUp:
    """What a prompt asks for within its conversation, where a rule is certain.

    ``calls`` have all arguments. ``asks`` is the tool and the argument that the user has to give.
    Neither: it is certain that no tool is wanted, and the default model answers. ``is_settled``:
    the prompt says itself what is to be done or exchanged, so that no model weighs it anew.
    """

    calls: tuple[DetectedCall, ...] = ()
    asks: tuple[str, str] | None = None
    is_settled: bool = field(default=False, compare=False)

    @property
    def tools(self) -> frozenset[str]:
        """The tools that are called, or of which an argument is asked for."""
        asked = {self.asks[0]} if self.asks else set()
        return frozenset({call.name for call in self.calls} | asked)


Finding: TypeAlias = FollowUp | Literal["alone"] | None
"""What one rule says: a follow-up; that the prompt stands alone; nothing."""


_LATEX_FRACTION = regex(r"(?<!przez )(?<!przez \$)\$?\\d?frac\{(\d+)\}\{(\d+)\}\$?")
_LATEX_ROOT = regex(r"\$?\\sqrt\{(\d+)\}\$?")


def _as_signs(text: str) -> str:
    """Write numbers in LaTeX as everybody types them: "odejmij to od 3/10"."""
    return _LATEX_ROOT.sub(r"√\1", _LATEX_FRACTION.sub(r"\1/\2", text))


class Scene:
    """One prompt with its state; what is expensive is read once, when a rule asks for it."""

    def __init__(
        self,
        prompt: str,
        state: DialogueState,
        tools: Sequence[ToolSpec],
        *,
        today: date | None,
        detector: Detector,
    ) -> None:
        """Take the prompt as written and the state as it was before it."""
        self.text = _as_signs(as_meant(compose(prompt)))
        self.state = state
        self.tools = tools
        self.today = today
        self.detector = detector

    @cached_property
    def folded(self) -> str:
        """The prompt without diacritics, in small letters, letter for letter."""
        return fold_evenly(self.text)

    @cached_property
    def words(self) -> tuple[Span, ...]:
        """Words, numbers and marks."""
        return split_words(self.text)

    @cached_property
    def size(self) -> int:
        """The number of words, without marks."""
        return sum(word.text[0].isalnum() for word in self.words)

    @cached_property
    def detection(self) -> Detection:
        """What the detector makes of the prompt without its conversation."""
        return self.detector.detect(self.text, self.tools, today=self.today)

    @cached_property
    def detected_tools(self) -> frozenset[str]:
        """The tools of which the detector finds a call, with arguments or without."""
        return frozenset(call.name for call in self.detection.calls)

    @cached_property
    def days(self) -> tuple[str, ...]:
        """The days that the prompt names."""
        return find_days(self.text, today=self.today)

    @property
    def offered(self) -> frozenset[str]:
        """The names of the tools on offer."""
        return frozenset(spec.name for spec in self.tools)

    @property
    def is_question(self) -> bool:
        """Whether it is marked as a question."""
        return "?" in self.text

    def detected(self, tool: str) -> tuple[DetectedCall, ...]:
        """The calls of one tool that the detector finds."""
        return tuple(call for call in self.detection.calls if call.name == tool)

    def detects_other(self, tool: str) -> bool:
        """Whether the detector finds a call of another tool, with arguments, and none of this."""
        names = {call.name for call in self.detection.calls if call.arguments}
        return bool(names) and tool not in names

    def is_active(self, tool: str) -> bool:
        """Whether the exchange just before called this tool; "dzięki" does not end that."""
        *before, last = self.state.turns or (None,)
        if last is not None and not last.calls and before and is_small(last):
            last = before[-1]
        return last is not None and last.uses(tool)

    def within(self, text: str) -> "Scene":
        """The same conversation with another prompt."""
        return Scene(text, self.state, self.tools, today=self.today, detector=self.detector)

    def past_thanks(self) -> "Scene":
        """The same prompt as if thanks or praise had not come after what was called."""
        last = self.state.last
        is_aside = last is not None and not last.calls and is_small(last)
        return self.after(self.state.turns[:-1]) if is_aside and self.state.turns[1:] else self

    def after(self, turns: Sequence[Turn]) -> "Scene":
        """The same prompt after other exchanges."""
        state = replace(self.state, turns=tuple(turns))
        return Scene(self.text, state, self.tools, today=self.today, detector=self.detector)


def is_bare(prompt: str) -> bool:
    """Whether a prompt is of punctuation only: "?", "...", which goes on with nothing."""
    return _SIGNS.fullmatch(prompt) is not None


def is_small(turn: Turn) -> bool:
    """Whether the user said no more than thanks or praise."""
    said = turn.prompt
    return len(said.split()) <= _SMALL and not re.search(r"[?\d]", said)


def call(tool: str, **arguments: str) -> FollowUp:
    """One call."""
    return FollowUp(calls=(DetectedCall(name=tool, arguments=arguments),))


def calculate(*expressions: str) -> FollowUp:
    """Each expression by a call of its own."""
    calls = (
        DetectedCall(name=MATHEMATICS, arguments={NEEDED[MATHEMATICS]: one}) for one in expressions
    )
    return FollowUp(calls=tuple(calls))


def draw(*descriptions: str) -> FollowUp:
    """A picture of each description."""
    calls = (DetectedCall(name=IMAGE, arguments={NEEDED[IMAGE]: one}) for one in descriptions)
    return FollowUp(calls=tuple(calls))
