"""What a stream's chunks mean: text, calls, token ids, finish and usage, trusting no field."""

import json
from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias, TypeGuard, cast

from chatbot.types import CallDelta, Delta, FinishReason, Usage

Finish: TypeAlias = FinishReason | Literal["failed", "unknown"]

TEXT_FIELDS: Final = frozenset({"content", "reasoning", "reasoning_content", "refusal"})
"""The fields of a delta or message that hold text."""

NOTHING: Final = Delta()
"""What a read held that brought nothing."""

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
    "function_call": "tool_calls",
    "eos": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "end_turn": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "abort": "failed",
    "cancelled": "failed",
    "error": "failed",
}
"""The servers' words for why a generation ended."""


def read_finish(value: object) -> Finish | None:
    """The finish reason of a choice: ``failed`` for an aborted one, ``None`` while it goes on."""
    if not isinstance(value, str) or not value:
        return None
    return _FINISHES.get(value, "unknown")


def read_usage(value: object, *, largest: int) -> Usage | None:
    """The usage of a chunk; ``None`` where a figure is missing, negative or over ``largest``."""
    if not isinstance(value, Mapping):
        return None
    prompt = value.get("prompt_tokens")
    completion = value.get("completion_tokens", 0)
    for figure in (prompt, completion):
        if type(figure) is not int or not 0 <= figure <= largest:
            return None
    return Usage(prompt_tokens=cast("int", prompt), completion_tokens=cast("int", completion))


def choices_of(chunk: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The choices of a chunk that are objects."""
    choices = chunk.get("choices")
    if choices.__class__ is list and len(choices) == 1 and choices[0].__class__ is dict:
        return choices
    return objects_of(choices)


def objects_of(value: object) -> list[Mapping[str, object]]:
    """The items of a list that are objects; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of_content(value: object) -> str | None:
    """The text of a field of `TEXT_FIELDS`, which some servers give in parts; ``None``: no text."""
    if isinstance(value, list):
        parts = (part.get("text") for part in objects_of(value) if part.get("type") == "text")
        return "".join(part for part in parts if isinstance(part, str))
    return value if isinstance(value, str) else None


def text_of_arguments(value: object) -> str:
    """A call's arguments as JSON, which some servers give as an object."""
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) else ""


def index_of(choice: Mapping[str, object]) -> int:
    """The index of a choice; 0 where it names none."""
    index = choice.get("index")
    return index if type(index) is int else 0


def read_plain(chunk: Mapping[str, object]) -> Delta | None:
    """The delta of a chunk of the commonest kind; ``None`` where `merge` has to judge it.

    That is one choice, the first, which goes on, with text, reasoning or token ids and no call.
    """
    choice = _only_choice(chunk)
    delta = None if choice is None else choice.get("delta")
    if choice is None or not isinstance(delta, dict) or "tool_calls" in delta:
        return None
    text, ids = delta.get("content") or "", choice.get("token_ids")
    thought = delta.get("reasoning_content") or delta.get("reasoning") or ""
    if not (isinstance(text, str) and isinstance(thought, str)):
        return None
    if ids:
        return Delta(text=text, reasoning=thought, token_ids=tuple(ids)) if _are_ids(ids) else None
    return Delta(text=text, reasoning=thought) if text or thought else NOTHING


def _only_choice(chunk: Mapping[str, object]) -> Mapping[str, object] | None:
    """The choice of a chunk that has no other, and tells of no end, failure or usage."""
    choices = chunk.get("choices")
    if not isinstance(choices, list) or len(choices) != 1:
        return None
    choice: object = choices[0]
    if not isinstance(choice, dict) or chunk.get("error") or chunk.get("usage") is not None:
        return None
    is_first = choice.get("index", 0) == 0
    return choice if is_first and choice.get("finish_reason") is None else None


def _are_ids(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(one) is int for one in value)


def merge(parts: Iterable[Mapping[str, object]]) -> Delta:
    """One delta for all that the first choice of one chunk after the other holds."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[CallDelta] = []
    token_ids: list[int] = []
    finish: FinishReason | None = None
    for choice in parts:
        _read_delta(choice.get("delta"), texts, thoughts, calls)
        if (ids := choice.get("token_ids")) and isinstance(ids, list):
            token_ids += [item for item in ids if type(item) is int]
        if (reason := choice.get("finish_reason")) is not None:
            finish = _known(read_finish(reason)) or finish
    if not (texts or thoughts or calls or token_ids or finish):
        return NOTHING
    return Delta(
        text="".join(texts),
        reasoning="".join(thoughts),
        calls=tuple(calls),
        token_ids=tuple(token_ids),
        finish=finish,
    )


def _read_delta(
    delta: object, texts: list[str], thoughts: list[str], calls: list[CallDelta]
) -> None:
    if not isinstance(delta, dict):
        return
    if (text := delta.get("content")) and isinstance(text, str):
        texts.append(text)
    thought = delta.get("reasoning_content") or delta.get("reasoning")
    if thought and isinstance(thought, str):
        thoughts.append(thought)
    if "tool_calls" in delta:
        for place, call in enumerate(objects_of(delta["tool_calls"])):
            calls.append(_read_call(call, place))


def _read_call(call: Mapping[str, object], place: int) -> CallDelta:
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    index, call_id, name = call.get("index"), call.get("id"), function.get("name")
    return CallDelta(
        index=index if type(index) is int else place,
        call_id=call_id if isinstance(call_id, str) and call_id else None,
        name=name if isinstance(name, str) and name else None,
        arguments=text_of_arguments(function.get("arguments")),
    )


def _known(finish: Finish | None) -> FinishReason | None:
    if finish in {None, "failed"}:
        return None
    return "stop" if finish == "unknown" else cast("FinishReason", finish)
