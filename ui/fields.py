"""Reading JSON objects of the gateway: each field as the type that is needed, or its absence."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, TypeAlias

JsonValue: TypeAlias = (
    "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
JsonObject: TypeAlias = Mapping[str, JsonValue]

NOTHING: Final[JsonObject] = MappingProxyType({})


def parse_object(text: str | bytes) -> JsonObject:
    """A JSON object; whatever else ``text`` holds, or none at all, is an empty one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return NOTHING
    return value if isinstance(value, dict) else NOTHING


def text_of(fields: JsonObject, name: str) -> str:
    """A text; empty where it is missing."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def optional_text(fields: JsonObject, name: str) -> str | None:
    """A text that may be missing."""
    return text_of(fields, name) or None


def whole_of(fields: JsonObject, name: str) -> int:
    """A whole number; 0 where it is missing."""
    value = fields.get(name)
    return int(value) if isinstance(value, int | float) else 0


def optional_number(fields: JsonObject, name: str) -> float | None:
    """A number that may be missing."""
    value = fields.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def is_true(fields: JsonObject, name: str) -> bool:
    """Whether a field says yes."""
    return fields.get(name) is True


def object_of(fields: JsonObject, name: str) -> JsonObject:
    """An object; empty where it is missing."""
    value = fields.get(name)
    return value if isinstance(value, Mapping) else NOTHING


def objects_of(fields: JsonObject, name: str) -> tuple[JsonObject, ...]:
    """The objects of a list."""
    return tuple(item for item in _items(fields, name) if isinstance(item, Mapping))


def texts_of(fields: JsonObject, name: str) -> tuple[str, ...]:
    """The texts of a list."""
    return tuple(item for item in _items(fields, name) if isinstance(item, str))


def moment_of(fields: JsonObject, name: str) -> datetime | None:
    """A moment written in ISO 8601, aware; without a zone it is UTC."""
    try:
        moment = datetime.fromisoformat(text_of(fields, name))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _items(fields: JsonObject, name: str) -> Sequence[JsonValue]:
    value = fields.get(name)
    return value if isinstance(value, list | tuple) else ()
