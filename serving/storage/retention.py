"""Looks from time to time for what has been kept long enough."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Final, NoReturn, TypeAlias

import anyio
import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.errors import StorageUnavailable
from chatbot.ports import Clock
from serving.settings import StorageSettings

_EVENT: Final = "kept_long_enough"
Sweep: TypeAlias = Callable[[datetime], Awaitable[int]]
"""Deletes what is too old now, and gives the number of what it was."""


class Retention:
    """Lets each kind of what is kept be swept from time to time."""

    def __init__(
        self,
        *,
        sweeps: Mapping[str, Sweep],
        clock: Clock,
        settings: StorageSettings,
        count: Callable[[str, int], None] | None = None,
    ) -> None:
        """Nothing is looked for before `run` or `sweep`; ``count`` hears of what was deleted."""
        self._sweeps = sweeps
        self._clock = clock
        self._settings = settings
        self._count = count

    async def run(self) -> NoReturn:
        """Sweep at once and then every ``storage.sweep_s``, until cancelled."""
        while True:
            await self.sweep()
            await anyio.sleep(self._settings.sweep_s)

    async def sweep(self) -> None:
        """Sweep once; what cannot be deleted now is left to the next time."""
        log = structlog.get_logger(__name__)
        for kind, sweep in self._sweeps.items():
            try:
                count = await sweep(self._clock.now())
            except StorageUnavailable as error:
                log.warning("sweep_failed", kind=kind, reason=error.message)
            except SQLAlchemyError as error:  # a bug, whose message may quote a user
                log.error("sweep_failed", kind=kind, reason=type(error).__name__)  # noqa: TRY400
            else:
                self._tell(kind, count)

    def _tell(self, kind: str, count: int) -> None:
        if count:
            structlog.get_logger(__name__).info(_EVENT, kind=kind, deleted=count)
        if count and self._count is not None:
            self._count(kind, count)
