"""The answers that are being made in this process, and those that ended a moment ago."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self

import anyio
from anyio import TASK_STATUS_IGNORED
from anyio.abc import TaskStatus

from chatbot.errors import ConversationBusy, Draining
from serving.billing import Bill, IdempotencyKey
from serving.billing.repeats import refuse_running
from serving.gateway.admission import Ticket
from serving.gateway.conversations.answer import LiveAnswer
from serving.gateway.conversations.branches import Asked, Plan, Tree
from serving.gateway.conversations.charging import reserve_answer
from serving.gateway.conversations.encoding import encode_event
from serving.gateway.conversations.making import Making
from serving.gateway.conversations.naming import title_of
from serving.gateway.conversations.surroundings import Surroundings
from serving.gateway.conversations.survival import survive
from serving.gateway.turn_figures import TurnFigures
from serving.telemetry import step

CLOSING_S: Final = 2.0
STOPPING_S: Final = 5.0
_SWEEPS: Final = 4
"""How often, within ``replay_s``, answers that nobody can read again any more are dropped."""
_SHORTEST_S: Final = 0.05


class LiveAnswers:
    """An async context manager that owns the tasks in which answers are made.

    A conversation has one answer at a time. Leaving the block ends the answers that still run;
    each tells ``server_draining``.
    """

    def __init__(self, surroundings: Surroundings) -> None:
        """Nothing is made before the block is entered."""
        self._surroundings = surroundings
        self._group = anyio.create_task_group()
        self._answers: dict[str, LiveAnswer] = {}
        self._busy: dict[tuple[str, str], IdempotencyKey | None] = {}
        self._tickets: list[Ticket] = []
        self._is_closing = False

    async def __aenter__(self) -> Self:
        """Take requests."""
        await self._group.__aenter__()
        self._group.start_soon(self._drop_old)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """End what runs: politely for two seconds, then at once."""
        self._is_closing = True
        for ticket in tuple(self._tickets):
            ticket.expire()
        with anyio.move_on_after(CLOSING_S, shield=True):
            for live in tuple(self._answers.values()):
                await live.wait_until_ended()
        self._group.cancel_scope.cancel()
        return await self._group.__aexit__(kind, error, trace)

    async def begin(self, asked: Asked) -> LiveAnswer:
        """Store the question and begin to make its answer; it goes on when the asker leaves.

        Raises:
            ConversationBusy: an answer of this conversation is being made.
            Refusal, AlreadyDone: see `Bill.confirm`.
            InvalidRequest: no such conversation or parent, no text, or a bound is reached.
            Draining: the server is shutting down.
            QueueFull: as many turns as allowed are running.
            StorageUnavailable: nothing can be stored now.
        """
        if self._is_closing:
            raise Draining("the server is shutting down")
        around = self._surroundings
        figures = TurnFigures(around.metrics, engine=around.settings.answering_engine)
        live: LiveAnswer = await self._group.start(self._make, asked, figures)
        return live

    def find(self, owner: str, conversation_id: str, message_id: str) -> LiveAnswer | None:
        """An answer that is being made, or ended less than ``replay_s`` ago."""
        live = self._answers.get(message_id)
        if live is None or not live.belongs_to(owner, conversation_id):
            return None
        return None if self._is_old(live) else live

    def is_running(self, message_id: str) -> bool:
        """Whether the message is an answer that is being made."""
        live = self._answers.get(message_id)
        return live is not None and live.is_running

    def is_busy(self, owner: str, conversation_id: str) -> bool:
        """Whether an answer of the conversation is being made."""
        return (owner, conversation_id) in self._busy

    async def stop(self, live: LiveAnswer) -> None:
        """End an answer; returns when it is saved, or after a while."""
        live.stop()
        with anyio.move_on_after(STOPPING_S):
            await live.wait_until_ended()

    async def forget(self, owner: str, conversation_id: str) -> None:
        """End the answers of a conversation that is to be deleted; nobody can read them again."""
        for live in tuple(self._answers.values()):
            if live.belongs_to(owner, conversation_id):
                await self.stop(live)
                self._answers.pop(live.message_id, None)

    async def forget_all(self, owner: str) -> None:
        """End all answers of an owner who is to be deleted."""
        for live in tuple(self._answers.values()):
            if live.owner == owner:
                await self.stop(live)
                self._answers.pop(live.message_id, None)

    async def _make(
        self,
        asked: Asked,
        figures: TurnFigures,
        *,
        task_status: TaskStatus[LiveAnswer] = TASK_STATUS_IGNORED,
    ) -> None:
        """One answer from its question to its end, in a task of its own."""
        making: Making | None = None
        try:
            with self._reserve(asked), self._admit() as ticket:
                plan = await self._plan(asked)
                with self._bill(asked, plan) as bill:
                    await bill.confirm()
                    with step("storage", {"zwrotnica.storage.of": "question"}):
                        await self._store(asked, plan)
                    making = Making(
                        self._surroundings, plan, asked, ticket=ticket, figures=figures, bill=bill
                    )
                    self._answers[making.live.message_id] = making.live
                    task_status.started(making.live)
                    failure = await survive(making.make, request_id=asked.request_id)
                    if failure is not None:
                        making.give_up(failure)
        finally:
            if making is not None:
                making.live.end(encode_event(making.end))
        await survive(making.name, request_id=asked.request_id)

    async def _plan(self, asked: Asked) -> Plan:
        around = self._surroundings
        found = await around.conversations.read(asked.owner, asked.conversation_id)
        return Tree(*found).plan(asked, now=around.clock.now(), new_id=around.new_id)

    def _bill(self, asked: Asked, plan: Plan) -> Bill:
        around = self._surroundings
        return around.billing.begin(
            reserve_answer(asked, plan, settings=around.settings, prices=around.billing.prices)
        )

    async def _store(self, asked: Asked, plan: Plan) -> None:
        await self._surroundings.conversations.begin(
            asked.owner,
            asked.conversation_id,
            user=plan.user,
            answer=plan.answer,
            title=title_of(plan.question, self._surroundings.settings.chat),
        )

    @contextmanager
    def _reserve(self, asked: Asked) -> Iterator[None]:
        """Hold the conversation, of which nobody else knows, for one answer."""
        key = (asked.owner, asked.conversation_id)
        if key in self._busy:
            repeated = refuse_running(self._busy[key], asked.idempotency)
            busy = ConversationBusy("an answer of this conversation is still being made")
            raise repeated or busy
        self._busy[key] = asked.idempotency
        try:
            yield
        finally:
            del self._busy[key]

    @contextmanager
    def _admit(self) -> Iterator[Ticket]:
        with self._surroundings.admission.admit() as ticket:
            self._tickets.append(ticket)
            try:
                yield ticket
            finally:
                self._tickets.remove(ticket)

    def _is_old(self, live: LiveAnswer) -> bool:
        replay_s = self._surroundings.settings.chat.replay_s
        return live.ended_at is not None and time.monotonic() >= live.ended_at + replay_s

    async def _drop_old(self) -> None:
        rest_s = max(self._surroundings.settings.chat.replay_s / _SWEEPS, _SHORTEST_S)
        while True:
            await anyio.sleep(rest_s)
            for live in tuple(self._answers.values()):
                if self._is_old(live):
                    del self._answers[live.message_id]
