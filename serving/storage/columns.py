"""Kinds of columns that every database keeps alike: moments in UTC, JSON values."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator

from chatbot.types import JsonValue
from serving.storage.failures import DAMAGED, Damaged

_SEPARATORS: Final = (",", ":")


class Moment(TypeDecorator[datetime]):
    """An aware time in UTC, exact to the microsecond; sorts as time does."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 (SQLAlchemy's signature)
        """Bring the time to UTC.

        Raises:
            ValueError: it is naive.
        """
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("times are aware")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 (SQLAlchemy's signature)
        """Say UTC where the database keeps no time zone, and where it has another one."""
        if value is None or value.tzinfo is not None:
            return value and value.astimezone(UTC)
        return value.replace(tzinfo=UTC)


class JsonText(TypeDecorator[JsonValue]):
    """A JSON value as text; ``None`` is SQL's NULL.

    Half a surrogate pair, which no database takes, is written as JSON's escape and comes back.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: JsonValue, dialect: Dialect) -> str | None:  # noqa: ARG002 (SQLAlchemy's signature)
        """Write the value down."""
        return None if value is None else dump(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> JsonValue:  # noqa: ARG002 (SQLAlchemy's signature)
        """Read it again.

        Raises:
            Damaged: the text is not what was written.
        """
        try:
            return None if value is None else json.loads(value)
        except ValueError as error:
            raise Damaged(DAMAGED) from error


def dump(value: JsonValue) -> str:
    """``value`` as JSON that can be encoded as UTF-8."""
    text = json.dumps(value, ensure_ascii=False, separators=_SEPARATORS, default=_plain)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=_SEPARATORS, default=_plain)
    return text


def _plain(value: object) -> object:
    """What `json` does not write by itself: any other mapping.

    Raises:
        TypeError: it is no JSON value at all.
    """
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")
