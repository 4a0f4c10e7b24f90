"""Joins the chunks of a stream into the one reply that a client without streaming reads."""

from collections.abc import Iterable, Mapping

from serving.engines.deltas import (
    TEXT_FIELDS,
    choices_of,
    index_of,
    text_of_arguments,
    text_of_content,
)


def join_chunks(chunks: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """The ``chat.completion`` that the ``chat.completion.chunk`` objects amount to.

    Text is joined, tool calls are put together by index, log probabilities are concatenated;
    every other field is the last one seen.
    """
    reply: dict[str, object] = {}
    choices: dict[int, dict[str, object]] = {}
    for chunk in chunks:
        reply.update((key, value) for key, value in chunk.items() if _is_kept(key, value))
        for choice in choices_of(chunk):
            index = index_of(choice)
            _join_choice(choices.setdefault(index, _new_choice(index)), choice)
    return {
        **reply,
        "object": "chat.completion",
        "choices": [_finish_choice(choices[index]) for index in sorted(choices)],
    }


def _is_kept(key: str, value: object) -> bool:
    return key != "choices" and value is not None


def _new_choice(index: int) -> dict[str, object]:
    return {"index": index, "message": {"role": "assistant", "content": None}, "calls": {}}


def _join_choice(whole: dict[str, object], choice: Mapping[str, object]) -> None:
    for key, value in choice.items():
        match key, value:
            case "delta", dict():
                _join_delta(whole, value)
            case "logprobs", dict():
                _extend_lists(whole, value)
            case "index" | "delta" | "token_ids" | "message" | "calls", _:
                pass
            case _ if value is not None:
                whole[key] = value
            case _:
                pass


def _join_delta(whole: dict[str, object], delta: Mapping[str, object]) -> None:
    message = whole["message"]
    calls = whole["calls"]
    if not isinstance(message, dict) or not isinstance(calls, dict):
        raise TypeError("a choice is built by _new_choice alone")
    for key, value in delta.items():
        if key in TEXT_FIELDS and (text := text_of_content(value)) is not None:
            message[key] = (message.get(key) or "") + text
        elif key == "tool_calls" and isinstance(value, list):
            for place, call in enumerate(value):
                if isinstance(call, dict):
                    _join_call(calls, call, place)
        elif value is not None and key not in TEXT_FIELDS:
            message[key] = value


def _join_call(
    calls: dict[object, dict[str, object]], call: Mapping[str, object], place: int
) -> None:
    index = call.get("index")
    whole = calls.setdefault(index if type(index) is int else place, {"type": "function"})
    if isinstance(call_id := call.get("id"), str):
        whole["id"] = call_id
    function = call.get("function")
    if not isinstance(function, dict):
        return
    joined = whole.setdefault("function", {"name": "", "arguments": ""})
    if isinstance(joined, dict):
        joined["name"] = function.get("name") or joined["name"]
        joined["arguments"] += text_of_arguments(function.get("arguments"))


def _extend_lists(whole: dict[str, object], logprobs: Mapping[str, object]) -> None:
    joined = whole.setdefault("logprobs", {})
    if isinstance(joined, dict):
        for key, value in logprobs.items():
            if isinstance(value, list):
                joined.setdefault(key, []).extend(value)


def _finish_choice(whole: dict[str, object]) -> dict[str, object]:
    calls, message = whole.pop("calls"), whole["message"]
    if isinstance(calls, dict) and calls and isinstance(message, dict):
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    whole["finish_reason"] = whole.get("finish_reason") or ("tool_calls" if calls else "stop")
    whole.setdefault("logprobs", None)
    return whole
