"""Applies the operator's rules to what clients describe tools and formats with: JSON schemas."""

from collections.abc import Callable, Mapping
from typing import Final

from chatbot.errors import InvalidRequest
from chatbot.sanitizer.sensitive import screen_value
from chatbot.types import JsonValue

_STRUCTURE: Final = frozenset({
    "$id",
    "$ref",
    "$schema",
    "format",
    "pattern",
    "required",
    "strict",
    "type",
})
"""Fields whose values are the language of schemas, or names that are screened elsewhere."""
_NAMED: Final = frozenset({
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
})
"""Fields whose values hold schemas by names of the client's."""
_VALUES: Final = frozenset({"const", "default", "enum", "example", "examples"})
"""Fields whose values are data and no schema."""


def screen_schema(schema: JsonValue, read: Callable[[str], str], *, param: str) -> JsonValue:
    """``schema`` with ``read`` applied to what people wrote in it; its structure stays.

    Raises:
        SensitiveContent: ``read`` refuses it.
        InvalidRequest: ``read`` would change a name, by which calls and values are known.
    """
    match schema:
        case Mapping():
            return {
                name: _screen_field(name, value, read, param=param)
                for name, value in schema.items()
            }
        case list() | tuple():
            return [screen_schema(one, read, param=param) for one in schema]
        case str():
            return read(schema)
        case _:
            return schema


def _screen_field(
    name: str, value: JsonValue, read: Callable[[str], str], *, param: str
) -> JsonValue:
    if name in _VALUES:
        return screen_value(value, read)
    if name in _NAMED and isinstance(value, Mapping):
        for one in value:
            _check_name(one, read, param=param)
        return {one: screen_schema(held, read, param=param) for one, held in value.items()}
    if name == "name" and isinstance(value, str):
        _check_name(value, read, param=param)
        return value
    return value if name in _STRUCTURE else screen_schema(value, read, param=param)


def _check_name(name: str, read: Callable[[str], str], *, param: str) -> None:
    if read(name) != name:
        raise InvalidRequest(
            f"a name in {param!r} holds what a rule for sensitive content masks; choose another",
            param=param,
        )
