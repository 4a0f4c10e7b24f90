"""The events of a turn as JSON objects, with their JSON Schemas for `docs/events`."""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from inspect import getdoc
from types import NoneType, UnionType
from typing import Final, Literal, Union, get_args, get_origin

from chatbot.events import BaseEvent, Event
from chatbot.sanitizer import guard_text
from chatbot.types import JsonValue

SHARED = frozenset(field.name for field in dataclasses.fields(BaseEvent))


def event_fields(event: BaseEvent) -> dict[str, JsonValue]:
    """What ``event`` tells beyond the fields that all events share, under its wire names."""
    return {wire: as_json(getattr(event, attribute)) for attribute, wire in _OWN[type(event)]}


def event_schemas() -> dict[str, dict[str, JsonValue]]:
    """The JSON Schema of every event by the event's name; fields may be added to them later."""
    return {kind.name: _schema(kind) for kind in get_args(Event)}


def wire_names(kind: type[BaseEvent]) -> tuple[tuple[str, str], ...]:
    """Pairs of an attribute and its name on the wire."""
    return tuple(
        (field.name, field.metadata.get("wire", field.name)) for field in dataclasses.fields(kind)
    )


_OWN: Final[Mapping[type, tuple[tuple[str, str], ...]]] = {
    kind: tuple(pair for pair in wire_names(kind) if pair[0] not in SHARED)
    for kind in get_args(Event)
}
"""Of each event what only it has."""


def as_json(value: object) -> JsonValue:
    """A value of the vocabulary as JSON: times in ISO 8601, sequences as lists.

    A mapping holds what a model wrote, a call's arguments: its texts are guarded like any other
    text of a model, because pages show them.
    """
    match value:
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Mapping():
            return {guard_text(str(key)): _guarded(item) for key, item in value.items()}
        case Sequence():
            return [as_json(item) for item in value]
        case _ if dataclasses.is_dataclass(value):
            fields = dataclasses.fields(value)
            return {field.name: as_json(getattr(value, field.name)) for field in fields}
        case _:
            raise TypeError(f"{type(value).__name__} has no form on the wire")


def _guarded(value: object) -> JsonValue:
    match value:
        case str():
            return guard_text(value)
        case Sequence():
            return [_guarded(item) for item in value]
        case _:
            return as_json(value)


def _schema(kind: type[BaseEvent]) -> dict[str, JsonValue]:
    types = {field.name: field.type for field in dataclasses.fields(kind)}
    properties = {wire: _type_schema(types[name]) for name, wire in wire_names(kind)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind.name,
        "description": getdoc(kind) or "",
        **_object_schema(properties),
    }


def _object_schema(properties: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": True,
    }


def _type_schema(kind: object) -> JsonValue:
    """The schema of one of the few forms that the fields of events have."""
    arms = get_args(kind)
    if get_origin(kind) in {Union, UnionType}:
        return {"anyOf": [_type_schema(arm) for arm in arms]}
    if get_origin(kind) is Literal:
        return {"enum": list(arms)}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _type_schema(arms[0])}
    if get_origin(kind) is Mapping:
        return {"type": "object"}
    return _class_schema(kind)


def _class_schema(kind: object) -> JsonValue:
    simple: dict[object, JsonValue] = {
        bool: {"type": "boolean"},
        str: {"type": "string"},
        int: {"type": "integer"},
        float: {"type": "number"},
        NoneType: {"type": "null"},
        datetime: {"type": "string", "format": "date-time"},
    }
    if kind in simple:
        return simple[kind]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"enum": [member.value for member in kind]}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        fields = dataclasses.fields(kind)
        return _object_schema({field.name: _type_schema(field.type) for field in fields})
    raise TypeError(f"{kind!r} has no JSON Schema here")
