"""Judges from the first characters of a stream whether a call begins: the switch itself."""

from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias

from chatbot.dialects import Dialect
from chatbot.router.heads import read_head
from chatbot.router.limits import RouterLimits

Verdict: TypeAlias = Literal["undecided", "tool", "default"]

_FENCES = ("```json", "```")
_BRACKET = "["
_VERDICTS: Mapping[str, Verdict] = {"open": "undecided", "named": "tool", "hopeless": "default"}


class Judge:
    """Reads a stream until the verdict; the same text gives the same verdict in any chunks.

    ``tool`` means that a call begins (perhaps one of the default function), ``default`` that none
    can follow any more. At most ``limits.undecided_chars`` are looked at, reasoning apart.
    """

    __slots__ = ("_closer", "_dialect", "_held", "_limits", "_offered", "_skipped", "verdict")

    def __init__(self, dialect: Dialect, offered: Collection[str], limits: RouterLimits) -> None:
        """Judge streams of ``dialect`` in which the functions ``offered`` can be called."""
        self._dialect = dialect
        self._offered = offered
        self._limits = limits
        self._held = ""
        self._closer = ""
        self._skipped = 0
        self.verdict: Verdict = "undecided"

    @property
    def held(self) -> str:
        """What has been read, without reasoning; at the verdict "tool" this begins the call."""
        return self._held

    @property
    def has_skipped(self) -> bool:
        """Whether the stream began with reasoning, which is no part of `held`."""
        return bool(self._skipped or self._closer)

    def feed(self, text: str) -> Verdict:
        """Read on; once there is a verdict, nothing changes it."""
        if self.verdict == "undecided" and text:
            self._held += text
            while self._closer or self._opens_reasoning():
                if not self._skip_reasoning():
                    return self.verdict
            self.verdict = self._judge()
        return self.verdict

    def feed_call(self) -> Verdict:
        """The wire brought a piece of a call: a call begins."""
        if self.verdict == "undecided":
            self.verdict = "tool"
        return self.verdict

    def finish(self) -> Verdict:
        """The stream ended: what is still undecided was no call."""
        if self.verdict == "undecided":
            self.verdict = "default"
        return self.verdict

    def _opens_reasoning(self) -> bool:
        start = self._held.lstrip()
        for opener, closer in self._dialect.reasoning:
            lead = len(self._held) - len(start)
            if start.startswith(opener) and lead + len(opener) <= self._limits.undecided_chars:
                self._held = start[len(opener) :]
                self._closer = closer
                return True
        return False

    def _skip_reasoning(self) -> bool:
        """Drop what is reasoning; true when it ended."""
        at = self._held.find(self._closer)
        keep = at + len(self._closer) if at >= 0 else max(len(self._held) - len(self._closer), 0)
        self._skipped += keep
        self._held = self._held[keep:]
        if self._skipped > self._limits.reasoning_chars:
            self.verdict = "default"
            return False
        if at >= 0:
            self._closer = ""
        return at >= 0

    def _judge(self) -> Verdict:
        head = self._held[: self._limits.undecided_chars]
        verdict = _judge_head(head.lstrip(), self._dialect, self._offered)
        if verdict == "undecided" and len(self._held) >= self._limits.undecided_chars:
            return "default"
        return verdict


def _judge_head(head: str, dialect: Dialect, offered: Collection[str]) -> Verdict:
    if head.startswith(dialect.openers):
        return "tool"
    if not head or _is_partial(head, dialect):
        return "undecided"
    if not dialect.has_bare_calls:
        return "default"
    found = read_head(_without_wrapping(head), grammars=dialect.grammars, only=offered)
    return _VERDICTS[found.state]


def _is_partial(head: str, dialect: Dialect) -> bool:
    """Whether ``head`` may still become an opener or the beginning of reasoning."""
    if any(opener.startswith(head) for opener in dialect.openers):
        return True
    if any(opener.startswith(head) for opener, _ in dialect.reasoning):
        return True
    return dialect.has_bare_calls and any(fence.startswith(head) for fence in _FENCES)


def _without_wrapping(head: str) -> str:
    """``head`` without a code fence and the bracket of an array around the first call."""
    for fence in _FENCES:
        if head.startswith(fence):
            head = head[len(fence) :].lstrip()
            break
    return head.removeprefix(_BRACKET).lstrip()
