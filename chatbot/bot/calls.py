"""Runs the tool calls of a turn: at the same time, shown in the order asked."""

from collections.abc import AsyncGenerator

from chatbot.bot.equipment import Equipment
from chatbot.bot.keeping import keep
from chatbot.bot.news import (
    Begun,
    Ended,
    Forbidden,
    Ordered,
    Progress,
    Reporter,
    Said,
    Step,
    Told,
    open_channel,
)
from chatbot.bot.record import Record
from chatbot.bot.screening import screen_run, screen_said
from chatbot.bot.showing import Showing
from chatbot.bot.translation import translate
from chatbot.bot.wording import word
from chatbot.errors import SensitiveContent
from chatbot.events import Event
from chatbot.tools import ToolRun
from chatbot.types import ToolCall, TurnRequest


async def run_calls(
    equipment: Equipment,
    request: TurnRequest,
    record: Record,
    calls: tuple[ToolCall, ...],
) -> AsyncGenerator[Event, None]:
    """Start every call at once; progress comes as it is told, results in the order of ``calls``.

    A failed call gives a ``tool_result`` with its Polish error, and the same words as text.
    """
    sending, receiving = open_channel()
    await record.resources.enter_async_context(receiving)
    for position, call in enumerate(calls):
        reporter = Reporter(call.call_id, position, sending.clone())
        record.group.start_soon(_run, equipment, request, record, reporter, call)
    sending.close()
    showing = Showing(equipment, record)
    waiting: list[list[Ordered]] = [[] for _ in calls]
    shown = 0
    while shown < len(calls):
        news = await receiving.receive()
        match news:
            case Begun() | Progress() | Step():
                yield showing.pass_on(news)
            case Ended() | Said() | Told():
                waiting[news.position].append(news)
            case Forbidden():
                raise news.error
        while shown < len(calls) and waiting[shown]:
            next_news = waiting[shown].pop(0)
            if isinstance(next_news, Said):
                next_news = await screen_said(equipment.safety, next_news)
            for event in showing.show(next_news):
                yield event
            shown += isinstance(next_news, Told)


async def _run(
    equipment: Equipment, request: TurnRequest, record: Record, reporter: Reporter, call: ToolCall
) -> None:
    """One call in its own task: translated where it must be, run, kept, worded."""
    async with reporter:
        translated = await translate(equipment, request, record, call)
        await reporter.tell(Begun(call=translated.call, original=call))
        ended = await _execute(equipment, request, reporter, translated.call)
        try:
            ended = await screen_run(equipment.safety, ended)
        except SensitiveContent as error:
            await reporter.tell(Forbidden(error=error))
            return
        kept = await keep(equipment, request, record, ended, translated.original)
        record.outcomes.append(kept.run.outcome)
        position, notices = reporter.position, translated.notices
        await reporter.tell(Ended(position=position, run=kept.run, notices=notices))
        await word(equipment, request, record, kept.run, reporter.say)
        told = Told(position=position, run=kept.run, images=kept.images, notices=notices)
        await reporter.tell(told)


async def _execute(
    equipment: Equipment, request: TurnRequest, reporter: Reporter, call: ToolCall
) -> ToolRun:
    with equipment.tracer.step("tool", name=call.name, call_id=call.call_id) as step:
        ended = await equipment.tools.run(
            call,
            account=request.account,
            language=request.language,
            timezone=request.timezone,
            progress=reporter.progress,
            image_step=reporter.image_step,
        )
        step.tell(status=ended.outcome.status)
        if ended.outcome.status == "failed":
            step.fail("tool_failed")
    return ended
