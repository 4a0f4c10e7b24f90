"""Reads arguments as models write them: JSON with small slips, or a Python call of literals."""

import ast
import json
import re
import warnings
from collections.abc import Mapping
from typing import NoReturn

from chatbot.language.patterns import regex
from chatbot.router.brackets import find_span
from chatbot.types import JsonObject, JsonValue

_STRING_OR_COMMA = regex(r'"(?:[^"\\]|\\.)*+"|,(?=\s*[}\]])', re.DOTALL)


def read_json(text: str) -> JsonValue:
    """A JSON value; line breaks inside strings and trailing commas are forgiven.

    Raises:
        ValueError: it is no JSON, or holds a number that JSON has not (NaN, infinity).
    """
    try:
        return _load(text)
    except ValueError:
        return _load(_STRING_OR_COMMA.sub(_without_comma, text))


def read_arguments(value: JsonValue, *, depth: int) -> JsonObject:
    """The arguments of a call: an object, the same as a JSON-encoded string, or nothing.

    Raises:
        ValueError: it is no object, is nested deeper than ``depth``, or is no JSON in UTF-8.
    """
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        text = _without_repetition(value.strip())
        if not text.startswith("{") or find_span(text, 0, depth=depth).end is None:
            raise ValueError("the arguments are no whole object")
        value = read_json(text)
    if not isinstance(value, Mapping):
        raise ValueError("the arguments are no object")  # noqa: TRY004 - bad input, not a bug
    canonical(value)
    return value


def canonical(value: JsonValue) -> str:
    """``value`` as JSON with sorted keys: equal for equal values.

    Raises:
        ValueError: it holds what JSON or UTF-8 cannot (infinity, half of a surrogate pair).
    """
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
    except RecursionError as error:
        raise ValueError("too deep") from error
    text.encode()
    return text


def read_python_call(text: str) -> tuple[str, JsonObject]:
    """Name and arguments of ``name(key="value")`` or ``name.call(key="value")``; no evaluation.

    Raises:
        ValueError: it is other code: positional arguments, or arguments that are no literals.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a backslash in a string is not worth a warning
            tree = ast.parse(text, mode="eval")
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("this is no Python expression") from error
    match tree.body:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords):
            pass
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="call"), args=[], keywords=keywords
        ):
            pass
        case _:
            raise ValueError("this is no call with named arguments")
    return name, {_key(keyword): _literal(keyword.value) for keyword in keywords}


def _load(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text, strict=False, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("too deep") from error
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant!r} is no JSON")


def _without_comma(found: re.Match[str]) -> str:
    return "" if found[0] == "," else found[0]


def _without_repetition(text: str) -> str:
    """One copy, where a server sent the same text twice: nothing but an object is so doubled."""
    half = text[: len(text) // 2]
    return half if half.endswith("}") and half + half == text else text


def _key(keyword: ast.keyword) -> str:
    if keyword.arg is None:
        raise ValueError("arguments behind ** are not known")
    return keyword.arg


def _literal(node: ast.expr) -> JsonValue:
    try:
        return _as_json(ast.literal_eval(node))
    except (TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("this argument is no literal") from error


def _as_json(value: object) -> JsonValue:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [_as_json(item) for item in value]
        case dict():
            return {_text(key): _as_json(item) for key, item in value.items()}
        case _:
            raise ValueError(f"{type(value).__name__} is not known to JSON")


def _text(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError("a key of JSON is a string")  # noqa: TRY004 - bad input, not a bug
    return key
