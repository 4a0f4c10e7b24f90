"""Turns BFCL's descriptions of functions into JSON Schema."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, cast, get_args

from chatbot.types import JsonObject, JsonValue

Kind: TypeAlias = Literal["string", "integer", "float", "boolean", "array", "tuple", "dict", "any"]
"""The types of values that BFCL declares in its Python categories."""

_JSON_SCHEMA: Mapping[JsonValue, str] = MappingProxyType({
    "float": "number",
    "tuple": "array",
    "dict": "object",
})


def read_kind(declared: JsonValue) -> Kind:
    """The type that a schema declares.

    Raises:
        ValueError: BFCL's Python categories have no such type.
    """
    if declared not in get_args(Kind):
        known = ", ".join(get_args(Kind))
        raise ValueError(f"there is no type {declared!r}; known types: {known}")
    return cast("Kind", declared)


def as_schema(declared: JsonObject) -> dict[str, JsonValue]:
    """JSON Schema of a declaration: other names of types, none for ``any``, the rest unchanged."""
    schema: dict[str, JsonValue] = {}
    for word, value in declared.items():
        match word, value:
            case "type", "any":
                continue
            case "type", str():
                schema[word] = _JSON_SCHEMA.get(value, value)
            case "properties", Mapping():
                schema[word] = {name: _schema(inner) for name, inner in value.items()}
            case "items", Mapping():
                schema[word] = as_schema(value)
            case _:
                schema[word] = value
    return schema


def _schema(value: JsonValue) -> JsonValue:
    return as_schema(value) if isinstance(value, Mapping) else value
