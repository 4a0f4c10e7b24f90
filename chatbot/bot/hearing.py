"""Hears the default model out on something that a tool needs: a wording or a translation."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from chatbot.bot.equipment import Equipment
from chatbot.bot.record import Record
from chatbot.errors import ZwrotnicaError
from chatbot.router import Meter
from chatbot.sanitizer import break_control_tokens, fit_window, map_frame_characters
from chatbot.types import ChatMessage, ChatRequest, FinishReason, Sampling, TurnRequest

log = logging.getLogger(__name__)

Listen = Callable[[str], Awaitable[None]]
_THOUGHT, _THOUGHT_END = "<think>", "</think>"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What the model is asked for: both texts as it reads them, and how freely it may answer.

    ``priority`` is above 0 for what nobody waits for.
    No tools are ever offered with a wish, so that nothing in the texts can call one.
    """

    system: str
    user: str
    temperature: float
    max_tokens: int
    priority: int = 0


async def hear(
    equipment: Equipment, request: TurnRequest, record: Record, wish: Wish, listen: Listen
) -> FinishReason | None:
    """Pass on what the model says, without what it thinks first; gives how it ended.

    ``None``: it failed. A tool's result can be shown all the same, so no error leaves here; the
    cause goes to the log. The caller bounds the time.
    """
    try:
        return await _hear(equipment, _ask(equipment, request, wish), record, listen)
    except ZwrotnicaError as error:
        log.warning("model not heard", extra={"code": error.code, "error": error.for_log})
        return None


def quote(text: str) -> str:
    """``text`` as data for a model: no control token, no frame character."""
    return break_control_tokens(map_frame_characters(text))


async def _hear(
    equipment: Equipment, chat: ChatRequest, record: Record, listen: Listen
) -> FinishReason | None:
    meter = Meter(engine=equipment.engine.name, request=chat, role="phrase")
    thoughts = _Thoughts()
    finish: FinishReason = "stop"
    async with equipment.engine.stream(chat) as deltas:
        try:
            async for delta in deltas:
                meter.feed(delta)
                finish = delta.finish or finish
                if text := thoughts.skip(delta.text):
                    await listen(text)
        finally:
            record.legs.append(meter.leg())
    return finish


def _ask(equipment: Equipment, request: TurnRequest, wish: Wish) -> ChatRequest:
    """The request; of the user's parameters only the bound and the seed apply."""
    asked = request.sampling
    max_tokens = min(wish.max_tokens, asked.max_tokens or wish.max_tokens)
    messages = fit_window(
        (
            ChatMessage(role="system", text=wish.system),
            ChatMessage(role="user", text=wish.user),
        ),
        context_tokens=max(equipment.context_tokens - max_tokens, 1),
    )
    return ChatRequest(
        messages=messages,
        sampling=Sampling(temperature=wish.temperature, max_tokens=max_tokens, seed=asked.seed),
        priority=wish.priority,
        request_id=request.request_id,
    )


class _Thoughts:
    """Skips ``<think>…</think>`` where a model begins with it."""

    def __init__(self) -> None:
        self._held = ""
        self._has_spoken = False

    def skip(self, text: str) -> str:
        if self._has_spoken:
            return text
        self._held += text
        begun = self._held.lstrip()
        if begun.startswith(_THOUGHT):
            _, is_over, begun = begun.partition(_THOUGHT_END)
            begun = begun.lstrip()
            if not is_over:
                return ""
        if not begun or _THOUGHT.startswith(begun):
            return ""
        self._has_spoken = True
        return begun
