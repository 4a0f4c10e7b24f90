"""Guards what an import brings: it may come from anybody, and pages show it like our own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never

from chatbot.sanitizer import Guard, LinkPolicy, guard_text, map_frame_characters, plain_url
from chatbot.types import JsonValue
from serving.gateway.events import as_json
from serving.gateway.exports.import_wire import (
    AttributionIn,
    CallIn,
    ErrorIn,
    ImageIn,
    PartIn,
    QuestionIn,
    ResultIn,
    RouteIn,
    TextIn,
    UsageIn,
)
from serving.storage.records import StoredPart

_EXPIRED: Final[Mapping[str, JsonValue]] = MappingProxyType({
    "url": "",
    "expires_at": "1970-01-01T00:00:00Z",
})
"""A link is signed anew each time that somebody reads of a picture."""

Fields: TypeAlias = dict[str, JsonValue]
Told: TypeAlias = RouteIn | CallIn | ResultIn | QuestionIn | ImageIn | AttributionIn | UsageIn


def guard_said(parts: Iterable[PartIn]) -> Iterator[StoredPart]:
    """A user's own words: as they were, frame characters mapped; users send nothing else."""
    for part in parts:
        if isinstance(part, TextIn):
            text = map_frame_characters(part.text)
            yield {"type": "text", "text": text, "channel": "answer"}


def guard_answer(parts: Sequence[PartIn], links: LinkPolicy | None) -> list[StoredPart]:
    """An answer's parts; what was exported here passes unchanged.

    The texts of a channel pass one guard together, as they did when the answer was made.
    """
    guards = {channel: Guard(links=links) for channel in ("answer", "reasoning")}
    guarded: list[Fields] = []
    last: dict[str, Fields] = {}
    for part in parts:
        if isinstance(part, TextIn):
            text = guards[part.channel].feed(part.text)
            last[part.channel] = {"type": "text", "text": text, "channel": part.channel}
            guarded.append(last[part.channel])
        else:
            guarded.append({"type": part.type, **_guard_fields(part)})
    for channel, part_told in last.items():
        part_told["text"] = f"{part_told['text']}{guards[channel].finish()}"
    return list(guarded)


def guard_error(error: ErrorIn | None) -> StoredPart | None:
    """The error of an answer that failed."""
    if error is None:
        return None
    return {name: _guard(value) for name, value in error.model_dump().items()}


def _guard_fields(part: Told) -> Fields:
    """The fields of the event, as the event would have told them."""
    fields = part.model_dump(mode="json", exclude={"type"})
    match part:
        case CallIn():
            arguments = as_json(part.arguments), as_json(part.raw_arguments)
            told = {name: _guard(value) for name, value in fields.items()}
            return {**told, "arguments": arguments[0], "raw_arguments": arguments[1]}
        case ResultIn():
            kept = {name: fields.pop(name) for name in ("content", "plain", "state")}
            return {name: _guard(value) for name, value in fields.items()} | kept
        case AttributionIn():
            told = {name: _guard(value) for name, value in fields.items()}
            return {**told, "url": plain_url(part.url) or None}
        case ImageIn():
            del fields["seal"]
            return {name: _guard(value) for name, value in fields.items()} | dict(_EXPIRED)
        case RouteIn() | QuestionIn() | UsageIn():
            return {name: _guard(value) for name, value in fields.items()}
        case _:
            assert_never(part)


def _guard(value: object) -> JsonValue:
    match value:
        case str():
            return guard_text(value)
        case list():
            return [_guard(item) for item in value]
        case dict():
            return {name: _guard(item) for name, item in value.items()}
        case _:
            return as_json(value)
