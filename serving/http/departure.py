"""Ends a piece of work when its client leaves: by the connection's own notice, without a task."""

from types import TracebackType
from typing import Self

import anyio
from anyio import CancelScope
from anyio.abc import TaskGroup
from starlette.types import Receive, Scope

from serving.http.direct import DirectBody, direct_body_of


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has left; its whole request must have been read before."""
    while (await receive())["type"] != "http.disconnect":
        pass


class Departure:
    """Cancels ``work`` when the client leaves, as long as the block lasts; `has_left` tells of it.

    Its whole request must have been read before. After the end of a response it has left, too, for
    some servers. A server without a `DirectBody` is asked by a
    task, which costs a request some 100 µs.
    """

    __slots__ = ("_direct", "_group", "_receive", "_work", "has_left")

    def __init__(self, scope: Scope, receive: Receive, work: CancelScope) -> None:
        """Nothing is watched before the block is entered; it stands around that of ``work``."""
        self.has_left = False
        self._direct: DirectBody | None = direct_body_of(scope)
        self._receive = receive
        self._work = work
        self._group: TaskGroup | None = None

    async def __aenter__(self) -> Self:
        """Watch from now on; a client that has left already ends ``work`` as it begins."""
        if self._direct is not None:
            self._direct.call_when_left(self._leave)
        else:
            self._group = await anyio.create_task_group().__aenter__()
            self._group.start_soon(self._watch)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Watch no longer."""
        if self._direct is not None:
            self._direct.call_when_left(None)
        if self._group is None:
            return None
        self._group.cancel_scope.cancel()
        if isinstance(error, Exception):  # as it is, and not in a group
            await self._group.__aexit__(None, None, None)
            return False
        return await self._group.__aexit__(kind, error, trace)

    async def _watch(self) -> None:
        await wait_for_disconnect(self._receive)
        self._leave()

    def _leave(self) -> None:
        self.has_left = True
        self._work.cancel()
