"""Saves an answer while it grows, so that little of it is lost with the process."""

import logging
from collections.abc import Callable
from typing import Final

import anyio

from chatbot.errors import ErrorCode, InvalidRequest, StorageUnavailable
from serving.settings import Settings
from serving.storage.conversations import Conversations
from serving.storage.records import StoredMessage
from serving.telemetry import step

_AGAIN_S: Final = 0.2
_log = logging.getLogger(__name__)


class Saver:
    """Writes what an answer is by now: at once where more than words came, else every ``save_s``.

    It runs beside the turn, so that no reader waits for the database.
    """

    def __init__(
        self, conversations: Conversations, settings: Settings, answer: Callable[[], StoredMessage]
    ) -> None:
        """``answer`` gives the message as it is by now."""
        self._conversations = conversations
        self._settings = settings
        self._answer = answer
        self._grown = anyio.Event()
        self._urged = anyio.Event()

    def note(self, *, is_urgent: bool) -> None:
        """The answer has grown."""
        self._grown.set()
        if is_urgent:
            self._urged.set()

    async def run(self) -> None:
        """Save until cancelled.

        Raises:
            InvalidRequest: the conversation has been deleted.
        """
        while True:
            await self._grown.wait()
            with anyio.move_on_after(self._settings.chat.save_s):
                await self._urged.wait()
            self._grown, self._urged = anyio.Event(), anyio.Event()
            try:
                await self._save(self._settings.storage.wait_s)
            except StorageUnavailable as error:
                _log.warning("answer not saved yet", extra={"error": error.message})
                self._grown.set()
                await anyio.sleep(_AGAIN_S)

    async def finish(self) -> None:
        """Save for the last time, trying for ``storage.keep_s`` seconds.

        Raises:
            StorageUnavailable: it could not be saved.
            InvalidRequest: the conversation has been deleted.
        """
        with step("storage", {"zwrotnica.storage.of": "answer"}):
            await self._finish()

    async def _finish(self) -> None:
        give_up = anyio.current_time() + self._settings.storage.keep_s
        while True:
            try:
                return await self._save(max(0.0, give_up - anyio.current_time()))
            except StorageUnavailable:
                if anyio.current_time() + _AGAIN_S >= give_up:
                    raise
            await anyio.sleep(_AGAIN_S)

    async def _save(self, patience_s: float) -> None:
        if not await self._conversations.save(self._answer(), patience_s=patience_s):
            raise InvalidRequest("the conversation has been deleted", code=ErrorCode.NOT_FOUND)
