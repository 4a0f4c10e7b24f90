"""The default model's answer, streamed through the output guard."""

from collections.abc import AsyncGenerator, Iterator

from chatbot.bot.equipment import Equipment
from chatbot.bot.record import Record
from chatbot.errors import EngineError
from chatbot.events import Event, TextEvent
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
    """
    messages = _view(equipment, request)
    chat = ChatRequest(
        messages=messages,
        sampling=request.sampling.over(equipment.sampling),
        request_id=request.request_id,
    )
    meter = Meter(engine=equipment.engine.name, request=chat, role="answer")
    links = equipment.links(request)
    answer_guard, reasoning_guard = Guard(links=links), Guard(links=links)
    deltas = await record.resources.enter_async_context(equipment.engine.stream(chat))
    try:
        async for delta in deltas:
            meter.feed(delta)
            record.finish = delta.finish or record.finish
            if reasoning := reasoning_guard.feed(delta.reasoning):
                yield TextEvent(**record.stamp(), text=reasoning, channel="reasoning")
            if text := answer_guard.feed(delta.text):
                yield TextEvent(**record.stamp(), text=text)
    except EngineError:
        for event in _close(record, answer_guard, reasoning_guard):
            yield event
        raise
    finally:
        record.legs.append(meter.leg())
    for event in _close(record, answer_guard, reasoning_guard):
        yield event


def _close(record: Record, answer_guard: Guard, reasoning_guard: Guard) -> Iterator[TextEvent]:
    """What the guards still held back, and what closes open code."""
    if reasoning := reasoning_guard.finish():
        yield TextEvent(**record.stamp(), text=reasoning, channel="reasoning")
    if text := answer_guard.finish():
        yield TextEvent(**record.stamp(), text=text)


def _view(equipment: Equipment, request: TurnRequest) -> tuple[ChatMessage, ...]:
    reserved = request.sampling.max_tokens or equipment.answer_tokens
    return chat_view(
        request.messages,
        system=equipment.system_prompt,
        context_tokens=max(equipment.context_tokens - reserved, 1),
    )
