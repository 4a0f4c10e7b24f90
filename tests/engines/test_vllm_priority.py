"""A real vLLM serves what is urgent before answers that have waited longer."""

from dataclasses import replace

import anyio
import pytest
from engines.engine_access import PATIENT, chat, connect
from engines.model_server import ModelServer

from chatbot.types import ChatRequest
from serving.engines.openai_api import OpenAIEngine

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

ANSWERS = 16  # twice as many as the server generates at once
ANSWER = chat("Policz słownie od jednego do trzydziestu.", max_tokens=16)
LATE = "late"


class Queue:
    """Sends answers, then one more request, and notes in which order they were begun."""

    def __init__(self, engine: OpenAIEngine) -> None:
        self._engine = engine
        self._opened = 0
        self._all_opened = anyio.Event()
        self.begun: list[str] = []

    async def send(self, late: ChatRequest) -> None:
        async with anyio.create_task_group() as group:
            for number in range(ANSWERS):
                group.start_soon(self._read, f"answer {number}", ANSWER)
            await self._all_opened.wait()
            group.start_soon(self._read, LATE, late)

    async def _read(self, name: str, request: ChatRequest) -> None:
        async with self._engine.stream(request) as deltas:
            self._opened += 1
            if self._opened == ANSWERS:
                self._all_opened.set()
            await anext(deltas)
            self.begun.append(name)
            async for _ in deltas:
                pass


@pytest.mark.parametrize(("priority", "is_last"), [(PATIENT.priority, False), (0, True)])
async def test_the_routers_priority_overtakes_and_none_waits(
    slow: ModelServer, priority: int, is_last: bool
) -> None:
    async with connect(slow) as engine:
        queue = Queue(engine)
        await queue.send(replace(ANSWER, priority=priority))
    assert (queue.begun[-1] == LATE) is is_last
