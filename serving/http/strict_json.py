"""Reads a request's JSON strictly: bounded before it is parsed, checked character by character."""

import json
import re
from functools import cache
from math import isinf
from typing import Final, NoReturn

from chatbot.errors import InvalidRequest
from chatbot.types import JsonObject, JsonValue
from serving.settings import LimitsSettings

_STRINGS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_CONTAINERS: Final = re.compile(rb"[\[\]{}]")
_OPENING: Final = frozenset({b"[", b"{"})
_SUSPECT: Final = re.compile(r"[\x00\ud800-\udfff\ufffe\uffff]|\\u(?:0000|[dD][89a-fA-F]|[fF]{3})")
"""What JSON must hold, plain or escaped, for any of its texts to be refused."""
_FORBIDDEN: Final = re.compile("[\x00\ud800-\udfff\ufffe\uffff]")


def read_json(body: bytes, limits: LimitsSettings) -> JsonObject:
    """The object in ``body``; of a key given twice the last counts.

    Raises:
        InvalidRequest: not UTF-8, not JSON, not an object, too deep, too many keys or values, a
            number out of bounds, or text with NUL, a lone surrogate or a non-character; the
            message names the position.
    """
    text = _decode(body)
    _check_shape(body, limits)
    try:
        value = _decoder(limits.number_digits).decode(text)
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"the body is not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidRequest("the body must be a JSON object")
    if _SUSPECT.search(text) is not None:
        _check_text(value, "")
    return value


def _decode(body: bytes) -> str:
    if body.startswith(b"\xef\xbb\xbf"):
        raise InvalidRequest("the body begins with a byte order mark at byte 0; send plain UTF-8")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"the body is not valid UTF-8 at byte {error.start}") from error


def _check_shape(body: bytes, limits: LimitsSettings) -> None:
    """Bound keys, values and depth on the bare structure, before anything is built from it."""
    if body.count(b'"') > 4 * limits.json_keys + body.count(b'\\"'):
        raise InvalidRequest(f"the body has more than {limits.json_keys} keys or values")
    bare = _STRINGS.sub(b"", body)
    if bare.count(b":") > limits.json_keys:
        raise InvalidRequest(f"the body has more than {limits.json_keys} keys")
    containers = bare.count(b"[") + bare.count(b"{")
    if containers > limits.json_keys or bare.count(b",") > limits.json_keys:
        raise InvalidRequest(f"the body has more than {limits.json_keys} lists, objects or values")
    depth = 0
    for found in _CONTAINERS.finditer(bare):
        depth += 1 if found[0] in _OPENING else -1
        if depth > limits.json_depth:
            raise InvalidRequest(f"the body is nested more than {limits.json_depth} levels deep")


@cache
def _decoder(most_digits: int) -> json.JSONDecoder:
    """What builds values of JSON whose shape has been checked."""

    def bounded(digits: str) -> str:
        if len(digits) > most_digits:
            raise InvalidRequest(f"the number {digits[:20]}… in the body is too long")
        return digits

    def read_float(digits: str) -> float:
        number = float(bounded(digits))
        if isinf(number):
            raise InvalidRequest(f"the number {digits[:40]} in the body is too large")
        return number

    return json.JSONDecoder(
        parse_int=lambda digits: int(bounded(digits)),
        parse_float=read_float,
        parse_constant=_refuse_constant,
    )


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidRequest(f"{name} is not a JSON number")


def _check_text(value: JsonValue, path: str) -> None:
    """Refuse text that no store, engine or page can hold, naming field and character."""
    match value:
        case str():
            found = _FORBIDDEN.search(value)
            if found is not None:
                point, where = ord(found[0]), f"character {found.start()}"
                message = f"{path or 'the body'} has U+{point:04X} at {where}, which is not text"
                raise InvalidRequest(message, param=path or None)
        case dict():
            for key, item in value.items():
                _check_text(key, "a key")
                _check_text(item, f"{path}.{key}" if path else key)
        case list():
            for number, item in enumerate(value):
                _check_text(item, f"{path}.{number}")
        case _:
            pass
