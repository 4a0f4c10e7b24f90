"""The outermost edge of what runs for no request: a bug there ends one step, never the process."""

import logging
from collections.abc import Awaitable, Callable

from chatbot.errors import ZwrotnicaError
from serving.http.bugs import log_bug

_log = logging.getLogger(__name__)


async def survive(step: Callable[[], Awaitable[None]], *, request_id: str) -> ZwrotnicaError | None:
    """Take ``step``; gives why it failed, ``None`` where it did not."""
    try:
        await step()
    except ZwrotnicaError as error:
        return error
    except Exception as error:  # noqa: BLE001 (the outermost edge of a task of the application)
        log_bug(_log, "answer_failed", error, request_id=request_id)
        return ZwrotnicaError("a bug")
    return None
