"""Applies the operator's rules to what a turn begins with and to what its tools give."""

from dataclasses import replace
from functools import partial

from anyio import to_thread

from chatbot.sanitizer.sensitive import Safety
from chatbot.tools import ToolRun
from chatbot.types import Message, Part, Text, ToolOutcome, TurnRequest

QUICK_CHARS = 4_000
"""So much text is read at once; more of it in a thread, so that other turns go on."""


async def screen_request(safety: Safety, request: TurnRequest) -> TurnRequest:
    """The request as models may read it.

    Raises:
        SensitiveContent: a rule forbids the last message.
    """
    if not safety.incoming:
        return request
    read = partial(_read_messages, safety, request.messages)
    is_quick = sum(len(message.text) for message in request.messages) <= QUICK_CHARS
    messages = read() if is_quick else await to_thread.run_sync(read)
    return replace(request, messages=messages)


def screen_run(safety: Safety, run: ToolRun) -> ToolRun:
    """A call's end as people may read it.

    Raises:
        SensitiveContent: a rule forbids what the call gave.
    """
    if not safety.outgoing:
        return run
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
        replace(
            message,
            parts=tuple(_read_part(safety, part, is_last=number == last) for part in message.parts),
        )
        for number, message in enumerate(messages)
    )


def _read_part(safety: Safety, part: Part, *, is_last: bool) -> Part:
    match part:
        case Text():
            return Text(text=safety.read(part.text, is_last=is_last))
        case ToolOutcome():
            plain = None if part.plain is None else safety.read(part.plain, is_last=is_last)
            return replace(part, content=safety.read(part.content, is_last=is_last), plain=plain)
        case _:
            return part
