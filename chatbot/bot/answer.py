"""The default model's answer, streamed through the output guard."""

from collections.abc import AsyncGenerator

from chatbot.bot.equipment import Equipment
from chatbot.bot.record import Record
from chatbot.errors import EngineError
from chatbot.events import Event, TextEvent
from chatbot.sanitizer import Guard, chat_view
from chatbot.types import ChatMessage, ChatRequest, Delta, FinishReason, Leg, TurnRequest, Usage

BYTES_PER_TOKEN = 3


async def answer(
    equipment: Equipment, request: TurnRequest, record: Record
) -> AsyncGenerator[Event, None]:
    """Stream the default engine's answer as ``text`` events; one for what one read brought.

    Raises:
        EngineError: the engine failed; what it had said so far has been yielded.
        InvalidRequest: the conversation does not fit, even cut to its last message.
    """
    messages = _view(equipment, request)
    count = _Count(messages)
    chat = ChatRequest(messages=messages, sampling=request.sampling, request_id=request.request_id)
    answer_guard, reasoning_guard = Guard(), Guard()
    deltas = await record.resources.enter_async_context(equipment.engine.stream(chat))
    try:
        async for delta in deltas:
            count.add(delta)
            if reasoning := reasoning_guard.feed(delta.reasoning):
                yield TextEvent(**record.stamp(), text=reasoning, channel="reasoning")
            if text := answer_guard.feed(delta.text):
                yield TextEvent(**record.stamp(), text=text)
    except EngineError:
        if closing := answer_guard.finish():
            yield TextEvent(**record.stamp(), text=closing)
        raise
    finally:
        record.legs.append(count.leg(equipment.engine.name))
    if closing := answer_guard.finish():
        yield TextEvent(**record.stamp(), text=closing)
    record.finish = count.finish


def _view(equipment: Equipment, request: TurnRequest) -> tuple[ChatMessage, ...]:
    reserved = request.sampling.max_tokens or equipment.answer_tokens
    return chat_view(
        request.messages,
        system=equipment.system_prompt,
        context_tokens=max(equipment.context_tokens - reserved, 1),
    )


class _Count:
    """Counts what an engine call read and wrote, for when the engine itself does not tell."""

    def __init__(self, messages: tuple[ChatMessage, ...]) -> None:
        self._prompt_bytes = sum(len(message.text.encode()) for message in messages)
        self._answer_bytes = 0
        self._usage: Usage | None = None
        self.finish: FinishReason = "stop"

    def add(self, delta: Delta) -> None:
        self._answer_bytes += len(delta.text.encode()) + len(delta.reasoning.encode())
        self._usage = delta.usage or self._usage
        self.finish = delta.finish or self.finish

    def leg(self, engine: str) -> Leg:
        usage = self._usage or Usage(
            prompt_tokens=-(-self._prompt_bytes // BYTES_PER_TOKEN),
            completion_tokens=-(-self._answer_bytes // BYTES_PER_TOKEN),
            source="estimate",
        )
        return Leg(
            engine=engine,
            role="answer",
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            source=usage.source,
        )
