"""The order of a list of conversations and the cursor that continues it."""

import base64
import binascii
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, and_, or_

from chatbot.errors import InvalidRequest
from serving.storage.records import Conversation
from serving.storage.tables import CONVERSATIONS

ORDER: Final = (CONVERSATIONS.c.updated_at.desc(), CONVERSATIONS.c.conversation_id.desc())

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def cursor_after(last: Conversation) -> str:
    """What continues a list behind ``last``; opaque to clients."""
    micros = (last.updated_at - _EPOCH) // _MICROSECOND
    return base64.urlsafe_b64encode(f"{micros}.{last.conversation_id}".encode()).decode()


def follows(cursor: str) -> ColumnElement[bool]:
    """The condition of standing behind ``cursor`` in the list.

    Raises:
        InvalidRequest: it is none of ours.
    """
    try:
        micros, _, last_id = base64.b64decode(cursor, b"-_", validate=True).decode().partition(".")
        time = _EPOCH + int(micros) * _MICROSECOND
    except (ValueError, OverflowError, binascii.Error) as error:
        raise InvalidRequest("this cursor is not from a list", param="cursor") from error
    columns = CONVERSATIONS.c
    return and_(
        columns.updated_at <= time,
        or_(columns.updated_at < time, columns.conversation_id < last_id),
    )
