"""Applies the operator's rules to what a turn begins with and to what its tools give."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from anyio import to_thread

from chatbot.bot.news import Said
from chatbot.sanitizer.sensitive import Safety
from chatbot.tools import ToolRun
from chatbot.types import Message, Part, Text, ToolOutcome, TurnRequest

T = TypeVar("T")

QUICK_CHARS = 4_000
"""So much text is read at once, in 4 ms at most; more of it in a thread: other turns go on."""


async def beside(chars: int, work: Callable[[], T]) -> T:
    """``work`` on so many characters: at once where they are few, else in a thread."""
    return work() if chars <= QUICK_CHARS else await to_thread.run_sync(work)


async def screen_request(safety: Safety, request: TurnRequest) -> TurnRequest:
    """The request as models may read it.

    Raises:
        SensitiveContent: a rule forbids the last message.
    """
    if not safety.incoming:
        return request
    read = partial(_read_messages, safety, request.messages)
    chars = sum(_chars_of(part) for message in request.messages for part in message.parts)
    return replace(request, messages=await beside(chars, read))


async def screen_text(safety: Safety, text: str) -> str:
    """``text`` of a request, as models may read it.

    Raises:
        SensitiveContent: a rule forbids it.
    """
    return await beside(len(text), partial(safety.read, text))


async def screen_said(safety: Safety, said: Said) -> Said:
    """Words about a call's result, as people may read them.

    Raises:
        SensitiveContent: a rule forbids them.
    """
    if not safety.outgoing:
        return said
    return replace(said, text=await beside(len(said.text), partial(safety.show, said.text)))


async def screen_run(safety: Safety, run: ToolRun) -> ToolRun:
    """A call's end as people may read it.

    Raises:
        SensitiveContent: a rule forbids what the call gave.
    """
    if not safety.outgoing:
        return run
    outcome = run.outcome
    chars = len(outcome.content) + len(outcome.plain or "") + len(outcome.error or "")
    return await beside(chars, partial(_show_run, safety, run))


def _show_run(safety: Safety, run: ToolRun) -> ToolRun:
    outcome, result = run.outcome, run.result
    shown = replace(
        outcome,
        content=safety.show(outcome.content),
        plain=None if outcome.plain is None else safety.show(outcome.plain),
        error=None if outcome.error is None else safety.show(outcome.error),
        state=tuple(replace(one, value=safety.show(one.value)) for one in outcome.state),
    )
    if result is not None:
        result = replace(
            result,
            content=safety.show(result.content),
            plain=None if result.plain is None else safety.show(result.plain),
            notices=tuple(map(safety.show, result.notices)),
            state=shown.state,
        )
    return ToolRun(outcome=shown, result=result)


def _read_messages(safety: Safety, messages: tuple[Message, ...]) -> tuple[Message, ...]:
    last = len(messages) - 1
    return tuple(
        _read_message(safety, message, is_last=number == last)
        for number, message in enumerate(messages)
    )


def _read_message(safety: Safety, message: Message, *, is_last: bool) -> Message:
    """Its texts are read as the one text that models read, wherever it was cut."""
    said = [part.text for part in message.parts if isinstance(part, Text)]
    texts = iter(safety.read_pieces(said, is_last=is_last))
    parts = (
        Text(text=next(texts))
        if isinstance(part, Text)
        else _read_part(safety, part, is_last=is_last)
        for part in message.parts
    )
    return replace(message, parts=tuple(parts))


def _chars_of(part: Part) -> int:
    match part:
        case Text():
            return len(part.text)
        case ToolOutcome():
            return len(part.content) + len(part.plain or "")
        case _:
            return 0


def _read_part(safety: Safety, part: Part, *, is_last: bool) -> Part:
    match part:
        case ToolOutcome():
            plain = None if part.plain is None else safety.read(part.plain, is_last=is_last)
            return replace(part, content=safety.read(part.content, is_last=is_last), plain=plain)
        case _:
            return part
