"""Ends what still runs for people who are being deleted, in every process, and deletes the rest."""

from datetime import datetime
from typing import NoReturn, Protocol

import anyio
import structlog

from chatbot.errors import StorageUnavailable
from serving.auth.caller import Caller
from serving.auth.erasure import Erasure
from serving.auth.records import DELETED
from serving.gateway.conversations.live import LiveAnswers


class Revised(Protocol):
    """Knows of changes of accounts; see `serving.auth.authenticator`."""

    @property
    def revision(self) -> int:
        """The number of the last change that was seen."""
        ...

    async def refresh(self) -> None:
        """See whether anything has changed."""
        ...


class Erasing:
    """The deletion of persons, as one of perhaps several processes goes about it.

    Each stops the answers that it makes itself, as soon as it sees the account marked: within
    ``poll_s`` of whoever marked it. Several may delete the same rows; there is nothing to lose.
    """

    def __init__(
        self, erasure: Erasure, *, live: LiveAnswers, accounts: Revised, poll_s: float
    ) -> None:
        """Nothing is looked at before `delete`, `watch` or `sweep`."""
        self._erasure = erasure
        self._live = live
        self._accounts = accounts
        self._poll_s = poll_s

    async def delete(self, caller: Caller) -> None:
        """Delete the account of whoever asks for it; returns when nothing of it is left here.

        Raises:
            InvalidRequest: it has been deleted meanwhile, or it is the shared account.
            StorageUnavailable: not even the mark could be written; later failures leave the rest
                to a sweep.
        """
        await self._erasure.mark(caller.name, actor=DELETED, account_id=caller.account)
        try:
            await self._accounts.refresh()
            await self._work_off()
        except StorageUnavailable as error:
            _tell(error)

    async def watch(self) -> NoReturn:
        """Look for accounts that others have marked, whenever accounts have changed."""
        seen = self._accounts.revision
        while True:
            await anyio.sleep(self._poll_s)
            if self._accounts.revision == seen:
                continue
            now = self._accounts.revision
            try:
                await self._work_off()
            except StorageUnavailable as error:
                _tell(error)
            else:
                seen = now

    async def sweep(self, now: datetime) -> int:
        """Finish what was begun, also before a crash; gives the number of marks removed.

        Raises:
            StorageUnavailable: the database cannot be used.
        """
        await self._work_off()
        return await self._erasure.drop_marks(now)

    async def _work_off(self) -> None:
        for account_id in await self._erasure.list_marked():
            await self._live.forget_all(account_id)
            await self._erasure.erase(account_id)


def _tell(error: StorageUnavailable) -> None:
    structlog.get_logger(__name__).warning("erasure_interrupted", reason=error.message)
