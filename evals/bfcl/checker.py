"""Judges calls as BFCL's published checker does, by name, types and values.

Method: S. Patil et al., "The Berkeley Function Calling Leaderboard", ICML 2025, and the package
``bfcl-eval``, with which `evals.bfcl.cross_check` compares every verdict.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeAlias

from chatbot.types import JsonObject, JsonValue
from evals.bfcl.entries import Entry, Parameter, RightCall
from evals.bfcl.schema import Kind
from evals.solver import DecidedCall

Fault: TypeAlias = Literal[
    "wrong count",
    "no match",
    "wrong function",
    "missing argument",
    "unexpected argument",
    "wrong type",
    "wrong value",
    "needless call",
    "no call",
    "no reply",
]

_TYPES: Mapping[Kind, type] = MappingProxyType({
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "any": str,
})
_FORGIVEN = re.compile(r"[ ,./\-_*^]")


def find_fault(entry: Entry, calls: Sequence[DecidedCall]) -> Fault | None:
    """What is wrong with ``calls`` as the answer to ``entry``; ``None`` where they are right."""
    if entry.category.endswith("irrelevance"):
        return "needless call" if calls else None
    if entry.category.endswith("relevance"):
        return None if calls else "no call"
    if not calls:
        return "no call"
    if len(calls) != len(entry.right):
        return "wrong count"
    if "parallel" in entry.category:
        return _find_unmatched(entry.right, calls)
    return _find_in_call(entry.right[0], calls[0])


def _find_unmatched(right: Sequence[RightCall], calls: Sequence[DecidedCall]) -> Fault | None:
    """In any order: each expected call takes the first one left that is right for it."""
    left = list(calls)
    for expected in right:
        faults = [_find_in_call(expected, call) for call in left]
        if None not in faults:
            return "no match"
        del left[faults.index(None)]
    return None


def _find_in_call(expected: RightCall, call: DecidedCall) -> Fault | None:
    function, given = expected.function, call.arguments
    if call.tool != function.spec.name:
        return "wrong function"
    if any(name not in given for name in function.required):
        return "missing argument"
    for name, value in given.items():
        if name not in function.parameters or name not in expected.answer:
            return "unexpected argument"
        fault = _find_in_value(value, function.parameters[name], expected.answer[name])
        if fault is not None:
            return fault
    if any(name not in given and "" not in right for name, right in expected.answer.items()):
        return "missing argument"
    return None


def _find_in_value(
    value: JsonValue, declared: Parameter, right: Sequence[JsonValue]
) -> Fault | None:
    """An answer of another type than declared stands for a variable: it is right as it is."""
    own, written = _TYPES[declared.kind], _written_type(right)
    if declared.kind == "float" and type(value) is int:
        value = _as_float(value)
    if type(value) is own:
        if declared.items is not None and not _has_items(value, declared.items, right):
            return "wrong type"
        is_variable = written not in {None, own}
    elif type(value) is written:
        is_variable = True
    else:
        return "wrong type"
    is_right = value in right if is_variable else _is_right(value, declared, right)
    return None if is_right else "wrong value"


def _written_type(right: Sequence[JsonValue]) -> type | None:
    """The type of the first answer that is given at all."""
    return next((type(one) for one in right if one != ""), None)


def _has_items(value: JsonValue, items: Kind, right: Sequence[JsonValue]) -> bool:
    """Whether each element is of the declared type, or of that of one answer's first element."""
    return any(
        not isinstance(one, list)
        or all(type(item) in {_TYPES[items], _written_type(one)} for item in _listed(value))
        for one in right
    )


def _is_right(value: JsonValue, declared: Parameter, right: Sequence[JsonValue]) -> bool:
    match value:
        case dict():
            return any(_is_right_object(value, one) for one in right)
        case list() if declared.items == "dict":
            return any(_are_right_objects(value, one) for one in right)
        case list():
            plain = [_plain(item) for item in value]
            return any(plain == [_plain(item) for item in _listed(one)] for one in right)
        case str():
            return _plain(value) in [_plain(one) for one in right]
        case _:
            return value in right


def _is_right_object(given: JsonValue, right: JsonValue) -> bool:
    """``right`` holds the right values of each key."""
    if not isinstance(given, dict) or not isinstance(right, dict):
        return False
    return all(_is_right_member(given, key, right) for key in {**given, **right})


def _is_right_member(given: JsonObject, key: str, right: JsonObject) -> bool:
    if key not in right:
        return False
    values = _listed(right[key])
    if key not in given:
        return "" in values
    return _plain(given[key]) in [_plain(one) for one in values]


def _are_right_objects(given: Sequence[JsonValue], right: JsonValue) -> bool:
    wanted = _listed(right)
    if len(given) != len(wanted):
        return False
    return all(_is_right_object(one, other) for one, other in zip(given, wanted, strict=True))


def _plain(value: JsonValue) -> JsonValue:
    """A text without what is forgiven: case, blanks, some punctuation, the kind of quotes."""
    return _FORGIVEN.sub("", value).lower().replace("'", '"') if isinstance(value, str) else value


def _listed(value: JsonValue) -> list[JsonValue]:
    """A list as it is; anything else (an answer left blank) counts as an empty one."""
    return value if isinstance(value, list) else []


def _as_float(value: int) -> float | int:
    try:
        return float(value)
    except OverflowError:
        return value
