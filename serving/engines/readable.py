"""What rules for answers can read of an engine's reply: known fields in their known form alone."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from serving.engines.deltas import (
    TEXT_FIELDS,
    choices_of,
    objects_of,
    text_of_arguments,
    text_of_content,
)

Object: TypeAlias = dict[str, object]

_REPLY: Final = frozenset({
    "choices",
    "created",
    "id",
    "model",
    "object",
    "service_tier",
    "system_fingerprint",
    "usage",
})
_CHOICE: Final = frozenset({"finish_reason", "index", "stop_reason"})
_SAID: Final = TEXT_FIELDS | {"role", "tool_calls"}
_CALL: Final = frozenset({"function", "id", "index", "type"})
_FUNCTION: Final = frozenset({"arguments", "name"})


def readable_reply(reply: Mapping[str, object], *, said_in: Literal["delta", "message"]) -> Object:
    """A chunk or a whole reply without what nobody could screen in it.

    Texts that come in parts, and arguments that come as objects, are text; unknown fields in which
    something stands are left out. A reply of the common form is equal to what it was.
    """
    known = _keep(reply, _REPLY)
    if known.get("choices"):
        known["choices"] = [_read_choice(choice, said_in) for choice in choices_of(reply)]
    return known


def _read_choice(choice: Mapping[str, object], said_in: str) -> Object:
    known = _keep(choice, _CHOICE | {said_in})
    if said := known.get(said_in):
        known[said_in] = _read_said(said) if isinstance(said, Mapping) else None
    return known


def _read_said(said: Mapping[str, object]) -> Object:
    known = _keep(said, _SAID)
    for name in TEXT_FIELDS & known.keys():
        known[name] = text_of_content(known[name])
    if calls := known.get("tool_calls"):
        known["tool_calls"] = [_read_call(call) for call in objects_of(calls)]
    return known


def _read_call(call: Mapping[str, object]) -> Object:
    known = _keep(call, _CALL)
    if function := known.get("function"):
        known["function"] = _read_function(function) if isinstance(function, Mapping) else None
    return known


def _read_function(function: Mapping[str, object]) -> Object:
    known = _keep(function, _FUNCTION)
    if (arguments := known.get("arguments")) is not None:
        known["arguments"] = text_of_arguments(arguments)
    return known


def _keep(fields: Mapping[str, object], known: frozenset[str]) -> Object:
    """The fields that are known, and those in which nothing stands: servers send many of them."""
    return {name: value for name, value in fields.items() if name in known or not value}
