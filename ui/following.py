"""One answer from its first event to its end, through connections that break."""

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import anyio

from ui.client import LOST, Gateway, GatewayError, LiveAnswer
from ui.conversation import Answer, Failure, fold_all, read_conversation

PAUSES_S: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""How long to wait before each try to reach a gateway that is gone."""


class Hold:
    """The right to draw in one tab, until another drawing takes it over."""

    def __init__(self) -> None:
        """Nothing is being read yet."""
        self.is_held = True
        self._live: LiveAnswer | None = None

    def read(self, live: LiveAnswer) -> LiveAnswer:
        """Read ``live`` from now on; it is closed with this hold."""
        self._live = live
        if not self.is_held:
            live.close()
        return live

    def release(self) -> None:
        """End the drawing; the answer goes on at the gateway."""
        self.is_held = False
        if self._live:
            self._live.close()


MOST_TABS: Final = 10_000
"""Tabs that are remembered at once, open or closed."""


class Focus:
    """The holds of all open tabs by their session."""

    def __init__(self) -> None:
        """No tab is open."""
        self._holds: dict[str, Hold] = {}
        self._met: dict[str, None] = {}

    def __len__(self) -> int:
        """How many tabs are being drawn."""
        return len(self._holds)

    def take(self, session: str) -> Hold:
        """Take over the tab; whatever was drawn there ends."""
        self.drop(session)
        self._met[session] = None
        if len(self._met) > MOST_TABS:
            del self._met[next(iter(self._met))]
        hold = self._holds[session] = Hold()
        return hold

    def is_new(self, session: str) -> bool:
        """Whether nothing has been drawn in the tab yet."""
        return session not in self._met

    def leave(self, session: str, hold: Hold) -> None:
        """The drawing is over."""
        hold.release()
        if self._holds.get(session) is hold:
            del self._holds[session]

    def drop(self, session: str) -> None:
        """The tab was closed, or shows something else."""
        if hold := self._holds.pop(session, None):
            hold.release()


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """The answer now; ``is_lost`` while the gateway cannot be heard."""

    answer: Answer
    is_lost: bool = False


async def follow_answer(
    gateway: Gateway,
    conversation_id: str,
    answer: Answer,
    live: LiveAnswer,
    *,
    hold: Hold,
    pauses_s: tuple[float, ...] = PAUSES_S,
) -> AsyncIterator[Progress]:
    """Every state of ``answer`` that somebody has the time to look at, to its end.

    What arrives while nobody asks is one state. Ends early when ``hold`` was taken over.
    """
    while hold.is_held and answer.state == "running":
        try:
            events = await live.take()
        except GatewayError:
            yield Progress(answer=answer, is_lost=True)
            resumed = await _resume(gateway, conversation_id, answer, pauses_s)
            answer = resumed.answer
            if resumed.live:
                live = hold.read(resumed.live)
                continue
        else:
            answer = fold_all(answer, ((event.name, event.fields) for event in events))
        if hold.is_held:
            yield Progress(answer=answer)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Resumed:
    """An answer after its connection was lost: its further events, or how it ended."""

    answer: Answer
    live: LiveAnswer | None = None


async def _resume(
    gateway: Gateway, conversation_id: str, answer: Answer, pauses_s: tuple[float, ...]
) -> _Resumed:
    for pause_s in pauses_s:
        await anyio.sleep(pause_s)
        with suppress(GatewayError):
            return await _try_to_resume(gateway, conversation_id, answer)
    return _Resumed(answer=_broken(answer))


async def _try_to_resume(gateway: Gateway, conversation_id: str, answer: Answer) -> _Resumed:
    """Raises `GatewayError` where another try may help."""
    after = answer.last_seq if answer.last_seq >= 0 else None
    try:
        live = await gateway.follow(conversation_id, answer.message_id, after)
    except GatewayError as error:
        if error.code != "not_found":
            raise
        return await _read_end(gateway, conversation_id, answer)
    return _Resumed(answer=answer, live=live)


async def _read_end(gateway: Gateway, conversation_id: str, answer: Answer) -> _Resumed:
    """What was stored of an answer whose events can no longer be read one by one."""
    try:
        view = read_conversation(await gateway.read(conversation_id))
    except GatewayError as error:
        if error.code != "not_found":
            raise
        return _Resumed(answer=_broken(answer, error.code))
    stored = view.find(answer.message_id)
    if not isinstance(stored, Answer):
        return _Resumed(answer=_broken(answer, "not_found"))
    if stored.state == "running":
        live = await gateway.follow(conversation_id, answer.message_id)
        return _Resumed(answer=begin_again(stored), live=live)
    return _Resumed(answer=stored)


def begin_again(answer: Answer) -> Answer:
    """An answer before its first event, for reading all of them from the start."""
    return Answer(message_id=answer.message_id, parent=answer.parent, rating=answer.rating)


def _broken(answer: Answer, code: str = LOST) -> Answer:
    return replace(answer, state="incomplete", is_routed=True, failure=Failure(code=code))
