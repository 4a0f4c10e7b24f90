"""Runs the tool calls of a turn: at the same time, shown in the order asked."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass

import anyio
from anyio.streams.memory import MemoryObjectSendStream

from chatbot.bot.equipment import Equipment
from chatbot.bot.record import Record
from chatbot.errors import ToolError
from chatbot.events import (
    AttributionEvent,
    Event,
    ImageEvent,
    TextEvent,
    ToolCallEvent,
    ToolProgressEvent,
    ToolResultEvent,
)
from chatbot.sanitizer import guard_text
from chatbot.tools import ToolRun
from chatbot.tools.echo import echo
from chatbot.types import Artifact, Attribution, Image, ToolCall, TurnRequest

SEPARATOR = "\n\n"
PENDING_NEWS = 256
PROGRESS_LENGTH = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class _Progress:
    call_id: str
    fraction: float | None
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ended:
    position: int
    run: ToolRun


_News = _Progress | _Ended


async def run_calls(
    equipment: Equipment,
    request: TurnRequest,
    record: Record,
    calls: tuple[ToolCall, ...],
) -> AsyncGenerator[Event, None]:
    """Start every call at once; progress comes as it is told, results in the order of ``calls``.

    A failed call gives a ``tool_result`` with its Polish error, and the same words as text.
    """
    send, receive = anyio.create_memory_object_stream[_News](PENDING_NEWS)
    await record.resources.enter_async_context(receive)
    for position, call in enumerate(calls):
        yield _announce(equipment, record, call)
        record.group.start_soon(_run, equipment, request, send.clone(), position, call)
    send.close()
    ended: dict[int, ToolRun] = {}
    shown = 0
    while shown < len(calls):
        match await receive.receive():
            case _Progress() as news:
                yield _progress(record, news)
            case _Ended() as news:
                ended[news.position] = news.run
        while shown in ended:
            for event in await _show(equipment, request, record, ended.pop(shown), shown):
                yield event
            shown += 1


def _progress(record: Record, news: _Progress) -> ToolProgressEvent:
    text = guard_text(echo(news.text, longest=PROGRESS_LENGTH))
    return ToolProgressEvent(
        **record.stamp(), call_id=news.call_id, fraction=news.fraction, text=text
    )


def _announce(equipment: Equipment, record: Record, call: ToolCall) -> ToolCallEvent:
    tool = equipment.tools.get(call.name)
    return ToolCallEvent(
        **record.stamp(),
        call_id=call.call_id,
        tool=call.name,
        title=tool.spec.title,
        arguments=call.arguments,
        raw_arguments=call.raw_arguments,
        summary=guard_text(tool.summarise(call.arguments)),
    )


async def _run(
    equipment: Equipment,
    request: TurnRequest,
    news: MemoryObjectSendStream[_News],
    position: int,
    call: ToolCall,
) -> None:
    """One call, from its own task; ``report`` may be called from the tool's thread."""
    loop = asyncio.get_running_loop()

    def report(fraction: float | None, text: str = "") -> None:
        progress = _Progress(call_id=call.call_id, fraction=fraction, text=text)
        loop.call_soon_threadsafe(_tell_if_heard, news, progress)

    async with news:
        run = await equipment.tools.run(
            call,
            account=request.account,
            language=request.language,
            timezone=request.timezone,
            progress=report,
        )
        with suppress(anyio.BrokenResourceError):  # the turn is over
            await news.send(_Ended(position=position, run=run))


def _tell_if_heard(news: MemoryObjectSendStream[_News], progress: _Progress) -> None:
    """Send without waiting; where nobody listens, or not fast enough, progress is left out."""
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.WouldBlock):
        news.send_nowait(progress)


async def _show(
    equipment: Equipment, request: TurnRequest, record: Record, run: ToolRun, position: int
) -> list[Event]:
    outcome, result = run.outcome, run.result
    events: list[Event] = [
        ToolResultEvent(
            **record.stamp(),
            call_id=outcome.call_id,
            status=outcome.status,
            error=None if outcome.error is None else guard_text(outcome.error),
            ms=outcome.ms,
        )
    ]
    words = _words(request, run)
    if words:
        text = guard_text(SEPARATOR + words if position else words)
        events.append(TextEvent(**record.stamp(), text=text))
    if result is not None:
        events += [await _keep(equipment, request, record, it) for it in result.artifacts]
        events.extend(_source(record, outcome.call_id, source) for source in result.attribution)
    return events


async def _keep(
    equipment: Equipment, request: TurnRequest, record: Record, artifact: Artifact
) -> Event:
    """Store a picture and show it, or say why it cannot be kept."""
    try:
        image = await equipment.images.save(artifact, account=request.account)
    except ToolError as error:
        return TextEvent(**record.stamp(), text=guard_text(SEPARATOR + error.message))
    return _image(record, image)


def _words(request: TurnRequest, run: ToolRun) -> str:
    """What the user reads of a call: its result in the markup asked for, or what failed."""
    if run.result is None:
        return run.outcome.error or ""
    is_plain = request.markup == "plain"
    return (run.result.plain if is_plain else None) or run.result.content


def _image(record: Record, image: Image) -> ImageEvent:
    return ImageEvent(
        **record.stamp(),
        image_id=image.image_id,
        url=image.url,
        expires_at=image.expires_at,
        alt=guard_text(image.alt),
        width=image.width,
        height=image.height,
    )


def _source(record: Record, call_id: str, source: Attribution) -> AttributionEvent:
    return AttributionEvent(
        **record.stamp(),
        call_id=call_id,
        source=guard_text(source.source),
        title=source.title and guard_text(source.title),
        url=source.url,
        licence=source.licence and guard_text(source.licence),
        retrieved_at=source.retrieved_at,
    )
