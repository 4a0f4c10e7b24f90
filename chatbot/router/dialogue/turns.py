"""The exchanges of a conversation, bounded: what was said, called, answered and shown."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chatbot.router.detector.detector import DetectedCall
from chatbot.types import Entity, Image, Message, Text, ToolCall, ToolOutcome

MOST_TURNS = 8
MOST_CALLS = 8
"""Calls of one turn, and pictures and findings, that are remembered."""

LONGEST_TEXT = 1_200
"""Characters of one message that are read; of a longer one both ends."""

LONGEST_VALUE = 160
"""Characters of one remembered value; a longer one is forgotten rather than cut."""

_LONGEST_DESCRIPTION = 600
_FRAME = "⟦"


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One exchange: what the user wrote, what was answered, what was called for it.

    ``found`` are the entities of its results, ``shown`` the descriptions of its pictures. ``asked``
    is the tool and the argument of an open question. ``is_told`` says that ``calls`` come from the
    messages' own parts; otherwise nobody knows yet whether there were any.
    """

    prompt: str
    reply: str = ""
    calls: tuple[DetectedCall, ...] = ()
    found: tuple[Entity, ...] = ()
    shown: tuple[str, ...] = ()
    asked: tuple[str, str] | None = None
    is_told: bool = False

    def uses(self, tool: str) -> bool:
        """Whether ``tool`` was called."""
        return any(one.name == tool for one in self.calls)


@dataclass(slots=True)
class _Draft:
    prompt: str
    replies: list[str] = field(default_factory=list)
    calls: list[DetectedCall] = field(default_factory=list)
    found: list[Entity] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    is_told: bool = False


def read_turns(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """Return the last `MOST_TURNS` exchanges, oldest first; a reply without a prompt opens one."""
    drafts: list[_Draft] = []
    for message in messages[-4 * MOST_TURNS :]:
        if message.role == "system":
            continue
        if message.role == "user":
            drafts.append(_Draft(prompt=one_line(message.text, LONGEST_TEXT)))
            continue
        if not drafts:
            drafts.append(_Draft(prompt=""))
        _take(drafts[-1], message)
    return tuple(map(_turn, drafts[-MOST_TURNS:]))


def one_line(text: str, limit: int) -> str:
    """Return text in composed letters on one line, at most ``limit`` characters of both ends.

    Control and invisible characters are left out, and the markers of control tokens broken up.
    """
    if len(text) > limit:
        head = (limit - 3) // 2
        text = f"{text[:head]} … {text[len(text) - head :]}"
    whole = unicodedata.normalize("NFC", text)[:limit]
    visible = "".join(letter if letter.isprintable() else " " for letter in whole)
    for mark, broken in (("<|", "< "), ("|>", " >"), ("</", "< /"), ("[/", "[ /")):
        visible = visible.replace(mark, broken)
    return " ".join(visible.split())[:limit]


def _take(draft: _Draft, message: Message) -> None:
    said = "".join(part.text for part in message.parts if isinstance(part, Text))
    draft.replies.append(one_line(said.partition(_FRAME)[0], LONGEST_TEXT))
    draft.is_told = draft.is_told or message.message_id is not None
    for part in message.parts:
        match part:
            case ToolCall():
                draft.is_told = True
                draft.calls.append(DetectedCall(name=part.name, arguments=part.arguments))
            case ToolOutcome():
                draft.is_told = True
                draft.found += part.state[:MOST_CALLS]
            case Image():
                draft.is_told = True
                draft.shown.append(one_line(part.alt, _LONGEST_DESCRIPTION))
            case _:
                pass


def _turn(draft: _Draft) -> Turn:
    calls = tuple(_bounded(draft.calls[:MOST_CALLS]))
    found = (
        Entity(kind=one_line(entity.kind, 40), value=one_line(entity.value, _LONGEST_DESCRIPTION))
        for entity in draft.found[:MOST_CALLS]
    )
    return Turn(
        prompt=draft.prompt,
        reply=" ".join(reply for reply in draft.replies[-4:] if reply),
        calls=calls,
        found=tuple(found),
        shown=tuple(draft.shown[:MOST_CALLS]),
        is_told=draft.is_told,
    )


def _bounded(calls: Sequence[DetectedCall]) -> Iterator[DetectedCall]:
    for call in calls:
        arguments = {
            name: one_line(value, _LONGEST_DESCRIPTION)
            for name, value in call.arguments.items()
            if isinstance(value, str) and len(name) <= LONGEST_VALUE
        }
        yield DetectedCall(name=call.name, arguments=arguments)
