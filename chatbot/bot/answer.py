"""The default model's answer, streamed through the output guard."""

from collections.abc import AsyncGenerator

from chatbot.bot.equipment import Equipment
from chatbot.bot.outlet import CHANNELS, Outlet
from chatbot.bot.record import Record
from chatbot.errors import ZwrotnicaError
from chatbot.events import Event, TextEvent
from chatbot.ports import PouringDeltas
from chatbot.router import Meter
from chatbot.sanitizer import Guard, chat_view
from chatbot.types import ChatMessage, ChatRequest, Delta, TurnRequest


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
    words = _Words(equipment, request, record, meter)
    deltas = await record.resources.enter_async_context(equipment.engine.stream(chat))
    pour = deltas.pour if record.listen and isinstance(deltas, PouringDeltas) else None
    try:
        async for delta in deltas:
            for event in words.feed(delta):
                yield event
            words.check()
            if pour is not None:
                await pour(words.take)
                for event in words.refused():
                    yield event
                words.check()
    except ZwrotnicaError:
        for event in words.finish():
            yield event
        raise
    finally:
        record.legs.append(meter.leg())
    for event in words.finish():
        yield event
    words.check()


class _Words:
    """What the model says and thinks, on its way to people."""

    def __init__(
        self, equipment: Equipment, request: TurnRequest, record: Record, meter: Meter
    ) -> None:
        links = equipment.links(request)
        self._spoken, self._thought = (
            Outlet(Guard(links=links), equipment.safety, record, channel=channel)
            for channel in CHANNELS
        )
        self._record = record
        self._meter = meter
        self._refused: list[TextEvent] = []

    def feed(self, delta: Delta) -> list[TextEvent]:
        """The events of what a read brought."""
        self._meter.feed(delta)
        self._record.finish = delta.finish or self._record.finish
        told = (self._thought.feed(delta.reasoning), self._spoken.feed(delta.text))
        return [event for event in told if event is not None]

    def take(self, delta: Delta) -> bool:
        """Tell what a read brought at once; false: a rule forbids it, or it was `refused`."""
        listen = self._record.listen
        for event in self.feed(delta):
            if self._refused or listen is None or not listen(event):
                self._refused.append(event)
        return not (self._refused or self._spoken.is_refused or self._thought.is_refused)

    def refused(self) -> list[TextEvent]:
        """The events that were not taken; they are yielded instead."""
        refused, self._refused = self._refused, []
        return refused

    def check(self) -> None:
        """Raise where a rule has forbidden what was said.

        Raises:
            SensitiveContent: it has.
        """
        self._thought.check()
        self._spoken.check()

    def finish(self) -> list[TextEvent]:
        """What was still held back, and what closes open code; call it once."""
        told = (self._thought.finish(), self._spoken.finish())
        return [event for event in told if event is not None]


def _view(equipment: Equipment, request: TurnRequest) -> tuple[ChatMessage, ...]:
    reserved = request.sampling.max_tokens or equipment.answer_tokens
    return chat_view(
        request.messages,
        system=equipment.system_prompt,
        context_tokens=max(equipment.context_tokens - reserved, 1),
    )
