"""The default model's answer, streamed through the output guard."""

from collections.abc import AsyncGenerator

from chatbot.bot.equipment import Equipment
from chatbot.bot.outlet import CHANNELS, Outlet
from chatbot.bot.record import Record
from chatbot.errors import ZwrotnicaError
from chatbot.events import Event
from chatbot.router import Meter
from chatbot.sanitizer import Guard, chat_view
from chatbot.types import ChatMessage, ChatRequest, TurnRequest


async def answer(
    equipment: Equipment, request: TurnRequest, record: Record
) -> AsyncGenerator[Event, None]:
    """Stream the default engine's answer as ``text`` events; one for what one read brought.

    Raises:
        EngineError: the engine failed; what it had said so far has been yielded.
        InvalidRequest: the conversation does not fit, even cut to its last message.
        SensitiveContent: a rule forbids what it said; what stood before that has been yielded.
    """
    messages = _view(equipment, request)
    chat = ChatRequest(
        messages=messages,
        sampling=request.sampling.over(equipment.sampling),
        request_id=request.request_id,
    )
    meter = Meter(engine=equipment.engine.name, request=chat, role="answer")
    links = equipment.links(request)
    spoken, thought = (
        Outlet(Guard(links=links), equipment.safety, record, channel=channel)
        for channel in CHANNELS
    )
    deltas = await record.resources.enter_async_context(equipment.engine.stream(chat))
    try:
        async for delta in deltas:
            meter.feed(delta)
            record.finish = delta.finish or record.finish
            for event in (*thought.feed(delta.reasoning), *spoken.feed(delta.text)):
                yield event
            thought.check()
            spoken.check()
    except ZwrotnicaError:
        for event in (*thought.finish(), *spoken.finish()):
            yield event
        raise
    finally:
        record.legs.append(meter.leg())
    for event in (*thought.finish(), *spoken.finish()):
        yield event
    thought.check()
    spoken.check()


def _view(equipment: Equipment, request: TurnRequest) -> tuple[ChatMessage, ...]:
    reserved = request.sampling.max_tokens or equipment.answer_tokens
    return chat_view(
        request.messages,
        system=equipment.system_prompt,
        context_tokens=max(equipment.context_tokens - reserved, 1),
    )
