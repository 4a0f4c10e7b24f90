"""Makes answers to BFCL's questions, right ones and wrong ones of every kind, for a cross-check."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from chatbot.types import JsonValue
from evals.bfcl.entries import Entry, RightCall
from evals.solver import DecidedCall

Calls: TypeAlias = tuple[DecidedCall, ...]

_HUGE = 10**400  # too large for a float


def make_variants(entry: Entry) -> Iterator[Calls]:
    """Answers to ``entry``: right ones, then with one thing changed in the calls or one of them."""
    base = tuple(_call(right, _first_right(right)) for right in entry.right)
    yield base
    yield ()
    yield base[:-1]
    yield base[::-1]
    yield (*base, base[0])
    yield (base[-1],) * len(base)
    for place, right in enumerate(entry.right):
        for call in _call_variants(right):
            yield (*base[:place], call, *base[place + 1 :])


def _call(right: RightCall, arguments: Mapping[str, JsonValue]) -> DecidedCall:
    return DecidedCall(tool=right.function.spec.name, arguments=arguments)


def _first_right(right: RightCall) -> dict[str, JsonValue]:
    """Every argument with its first right value; one that can only be left out is."""
    found = {name: list(_given(values)) for name, values in right.answer.items()}
    return {name: values[0] for name, values in found.items() if values}


def _given(values: Sequence[JsonValue]) -> Iterator[JsonValue]:
    """The right values as a model gives them: of objects, the first right value of each key."""
    for value in values:
        if value != "":
            yield _as_given(value)


def _as_given(value: JsonValue) -> JsonValue:
    match value:
        case dict():
            found = {key: list(_given(_listed(values))) for key, values in value.items()}
            return {key: values[0] for key, values in found.items() if values}
        case list():
            return [_as_given(item) if isinstance(item, dict) else item for item in value]
        case _:
            return value


def _call_variants(right: RightCall) -> Iterator[DecidedCall]:
    base = _first_right(right)
    name = right.function.spec.name
    yield DecidedCall(tool=f"{name}s", arguments=base)
    yield DecidedCall(tool=name.replace("_", "."), arguments=base)
    yield _call(right, {})
    yield _call(right, {**base, "surplus": 1})
    yield _call(right, dict(reversed(base.items())))
    for other in right.function.parameters:
        yield _call(right, {**base, other: "x"})
        yield _call(right, {key: value for key, value in base.items() if key != other})
    for argument, values in right.answer.items():
        for value in (*values, *_given(values)):
            for changed in (value, *_changed(value)):
                yield _call(right, {**base, argument: changed})


def _changed(value: JsonValue) -> Iterator[JsonValue]:
    """Values near ``value``: equal after standardisation, of another type, or simply wrong."""
    yield from (None, [value], {"key": value}, str(value))
    match value:
        case bool():
            yield from (not value, int(value), float(value))
        case int() | float():
            yield from _changed_number(value)
        case str():
            yield from _changed_text(value)
        case list():
            yield from _changed_list(value)
        case dict():
            yield from _changed_object(value)


def _changed_number(value: float) -> Iterator[JsonValue]:
    yield from (float(value), int(value), value + 1, value + 0.5, -value, bool(value))
    yield from (value * (1 + 1e-15), _HUGE)


def _changed_text(value: str) -> Iterator[JsonValue]:
    yield from (value.upper(), value.title(), f" {value}.", value.replace(" ", "_"))
    yield from ("-".join(value), value.replace("'", '"'), value.replace('"', "'"), f"'{value}'")
    yield from (f"{value}s", value[:-1], value[::-1], f"{value}\n", f"({value})", "ż" + value)
    if value.isdecimal():
        yield from (int(value), float(value))


def _changed_list(value: Sequence[JsonValue]) -> Iterator[JsonValue]:
    yield from ([], list(reversed(value)), value[:-1], [*value, *value[:1]], [*value, "x"])
    yield [_loud(item) for item in value]
    yield [[item] for item in value]
    for place, item in enumerate(value[:2]):
        for changed in _changed(item):
            yield [*value[:place], changed, *value[place + 1 :]]


def _changed_object(value: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    yield from ({}, {**value, "surplus": 1}, {key: _loud(item) for key, item in value.items()})
    for key, item in value.items():
        yield {other: inner for other, inner in value.items() if other != key}
        yield {f"{other}s" if other == key else other: inner for other, inner in value.items()}
        for changed in _changed(item):
            yield {**value, key: changed}


def _loud(value: JsonValue) -> JsonValue:
    return value.upper() if isinstance(value, str) else value


def _listed(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, list) else [value]
