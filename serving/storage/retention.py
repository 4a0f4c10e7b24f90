"""Looks from time to time for what has been kept long enough."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final, NoReturn

import anyio
import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.errors import StorageUnavailable
from chatbot.ports import Clock
from serving.settings import StorageSettings
from serving.storage.calls import CallStore
from serving.storage.conversations import Conversations
from serving.storage.kept_replies import KeptReplies

_EVENT: Final = "kept_long_enough"


class Retention:
    """Deletes old conversations, empty ones, old calls of API turns, and old kept replies."""

    def __init__(
        self,
        *,
        conversations: Conversations,
        calls: CallStore,
        replies: KeptReplies,
        clock: Clock,
        settings: StorageSettings,
    ) -> None:
        """Nothing is looked for before `run` or `sweep`."""
        self._sweeps: tuple[tuple[str, Callable[[datetime], Awaitable[int]]], ...] = (
            ("conversations", conversations.sweep),
            ("calls", calls.sweep),
            ("replies", replies.sweep),
        )
        self._clock = clock
        self._settings = settings

    async def run(self) -> NoReturn:
        """Sweep at once and then every ``storage.sweep_s``, until cancelled."""
        while True:
            await self.sweep()
            await anyio.sleep(self._settings.sweep_s)

    async def sweep(self) -> None:
        """Sweep once; what cannot be deleted now is left to the next time."""
        log = structlog.get_logger(__name__)
        for kind, sweep in self._sweeps:
            try:
                count = await sweep(self._clock.now())
            except StorageUnavailable as error:
                log.warning("sweep_failed", kind=kind, reason=error.message)
            except SQLAlchemyError as error:  # a bug, whose message may quote a user
                log.error("sweep_failed", kind=kind, reason=type(error).__name__)  # noqa: TRY400
            else:
                if count:
                    log.info(_EVENT, kind=kind, deleted=count)
