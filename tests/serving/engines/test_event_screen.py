"""What an engine called by its name says passes the rules, however it is cut and written."""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st
from scripted.pieces import Pieces
from scripted.rules import NOT_PESEL, PESEL, rules

from chatbot.errors import SensitiveContent
from chatbot.sanitizer.sensitive import Action, Safety, screen_text
from chatbot.testing import ManualClock
from serving.engines.address import Address
from serving.engines.connection import Connection
from serving.engines.event_screen import EventScreen, screen_reply
from serving.engines.forward import ForwardedStream
from serving.engines.reading import StreamLimits
from serving.engines.stream import ChunkStream
from serving.engines.whole import join_chunks

LIMITS = StreamLimits(idle_s=60.0, max_event_bytes=40_000, largest_usage=100)
TEXTS = st.lists(
    st.sampled_from([PESEL, NOT_PESEL, "44", "051", "401359", " ", "tajny", "taj", "jan@", "x.pl",
                     "słowo", "\n", '"', "\\", "４４０５１４０１３５９", "1"]),
    max_size=8,
).map("".join)  # fmt: skip
DONE = b"data: [DONE]\n\n"
CUTS = st.lists(st.integers(min_value=0), max_size=8)


def event(delta: dict[str, object], *, finish: str | None = None, escaped: bool = False) -> bytes:
    return event_of({"index": 0, "delta": delta, "finish_reason": finish}, escaped=escaped)


def event_of(choice: dict[str, object], *, escaped: bool = False) -> bytes:
    said = json.dumps({"id": "c", "created": 1732345678, "choices": [choice]}, ensure_ascii=escaped)
    return f"data: {said}\n\n".encode()


def text_part(said: str) -> dict[str, str]:
    return {"type": "text", "text": said}


def written(text: str, cuts: list[int], *, field: str = "content") -> Iterator[bytes]:
    """The text in events, its beginning empty as servers send it."""
    yield event({"role": "assistant", field: ""})
    ends = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    for start, end in pairwise(ends):
        yield event({field: text[start:end]})
    yield event({}, finish="stop")
    yield b"data: [DONE]\n\n"


async def play(
    pieces: list[bytes], safety: Safety | None, *, is_poured: bool
) -> tuple[bytes, SensitiveContent | None]:
    connection = Connection(engine="e", address=Address(url=""), clock=ManualClock())
    chunks = ChunkStream(
        Pieces(left=list(pieces)), connection=connection, deadline=1e12, limits=LIMITS
    )
    stream = ForwardedStream(chunks, engine="e", shows_usage=False)
    if safety is not None:
        stream.screen_with(EventScreen(safety))
    seen = bytearray()

    def write(piece: bytes) -> bool:
        seen.extend(piece)
        return True

    try:
        if is_poured:
            await stream.pour(write)
        else:
            async for piece in stream:
                write(piece)
    except SensitiveContent as refusal:
        return bytes(seen), refusal
    return bytes(seen), None


def deltas(seen: bytes) -> list[dict[str, Any]]:
    blocks = seen.decode().strip().split("\n\n")
    told = [json.loads(block.removeprefix("data: ")) for block in blocks if "[DONE]" not in block]
    return [choice["delta"] for chunk in told if chunk for choice in chunk["choices"]]


def text_of(seen: bytes, field: str = "content") -> str:
    return "".join(delta.get(field) or "" for delta in deltas(seen))


@pytest.mark.parametrize("field", ["content", "reasoning_content", "reasoning"])
@pytest.mark.parametrize("is_poured", [True, False])
@given(text=TEXTS, cuts=CUTS)
async def test_the_reply_is_what_the_whole_text_would_be(
    *, field: str, is_poured: bool, text: str, cuts: list[int]
) -> None:
    seen, _ = await play(list(written(text, cuts, field=field)), rules(), is_poured=is_poured)
    assert text_of(seen, field) == screen_text(text, rules().outgoing)[0]
    assert seen.endswith(b'"finish_reason": "stop"}]}\n\ndata: [DONE]\n\n') or text_of(seen, field)
    assert seen.endswith(b"data: [DONE]\n\n")


@pytest.mark.parametrize("is_poured", [True, False])
async def test_what_no_rule_concerns_passes_byte_for_byte(*, is_poured: bool) -> None:
    pieces = list(written("Dzień dobry, jak się masz?", [3, 9, 14]))
    numbers = Safety(rules().outgoing[:1])
    assert (await play(pieces, numbers, is_poured=is_poured))[0] == b"".join(pieces)
    assert (await play(pieces, None, is_poured=is_poured))[0] == b"".join(pieces)


@pytest.mark.parametrize("is_poured", [True, False])
async def test_an_escape_hides_nothing(*, is_poured: bool) -> None:
    hidden = "".join(f"\\u{ord(char):04x}" for char in PESEL).encode()
    pieces = [event({"content": "a"}), event({"content": "#"}).replace(b"#", hidden)]
    pieces += [event({}, finish="stop"), b"data: [DONE]\n\n"]
    seen, _ = await play(pieces, rules(), is_poured=is_poured)
    assert text_of(seen) == "a[PESEL]"
    assert hidden not in seen


@pytest.mark.parametrize("is_poured", [True, False])
async def test_a_refused_reply_ends_before_the_content(*, is_poured: bool) -> None:
    pieces = list(written(f"To {PESEL}, tak.", [1, 2, 3, 7]))
    seen, refusal = await play(pieces, rules("refuse"), is_poured=is_poured)
    assert text_of(seen) == "To "
    assert refusal is not None
    assert b"[DONE]" not in seen
    assert b'"stop"' not in seen


@pytest.mark.parametrize("action", ["mask", "refuse"])
async def test_what_the_finish_brings_to_light_is_screened(action: Action) -> None:
    seen, refusal = await play(list(written(PESEL, [5])), rules(action), is_poured=True)
    assert PESEL.encode() not in seen
    assert (refusal is None) == (action == "mask")
    assert (b'"stop"' in seen) == (action == "mask")


async def test_arguments_of_a_call_are_screened_as_values() -> None:
    arguments = f'{{"nr": "\\u0034{PESEL[1:]}", "n": {PESEL}, "ok": "tak"}}'
    calls = [
        [{"index": 0, "id": "c1", "function": {"name": "f", "arguments": ""}}],
        [{"index": 0, "function": {"arguments": arguments[:9]}}],
        [{"index": 0, "function": {"arguments": arguments[9:]}}],
    ]
    pieces = [event({"tool_calls": call}) for call in calls]
    pieces += [event({}, finish="tool_calls"), b"data: [DONE]\n\n"]
    seen, _ = await play(pieces, rules(), is_poured=True)
    told = [call for delta in deltas(seen) for call in delta.get("tool_calls", [])]
    whole = "".join(call["function"]["arguments"] for call in told)
    assert PESEL not in whole
    assert json.loads(whole) == {"nr": "[PESEL]", "n": "[PESEL]", "ok": "tak"}
    assert [call["index"] for call in told] == [0, 0, 0, 0]


async def test_arguments_given_as_an_object_are_screened_and_become_text() -> None:
    call = {"index": 0, "function": {"name": "f", "arguments": {"nr": PESEL, "ok": "tak"}}}
    pieces = [event({"tool_calls": [call]}), event({}, finish="tool_calls"), DONE]
    seen, _ = await play(pieces, rules(), is_poured=True)
    told = [call for delta in deltas(seen) for call in delta.get("tool_calls", [])]
    whole = "".join(call["function"]["arguments"] for call in told)
    assert json.loads(whole) == {"nr": "[PESEL]", "ok": "tak"}


async def test_content_in_parts_is_screened_and_becomes_text() -> None:
    parts = [[text_part("nr 4405")], [text_part("140"), text_part("1359")], [text_part(" tak")]]
    pieces = [event({"content": "Oto "}), *(event({"content": part}) for part in parts)]
    seen, _ = await play([*pieces, event({}, finish="stop"), DONE], rules(), is_poured=True)
    assert text_of(seen) == "Oto nr [PESEL] tak"


UNREADABLE = [
    {"delta": {"content": "tak", "reasoning_details": [{"type": "text", "text": PESEL}]}},
    {"delta": {"content": "tak", "function_call": {"name": "f", "arguments": PESEL}}},
    {"delta": {"content": "tak", "tool_calls": [{"index": 0, "custom": {"input": PESEL}}]}},
    {"delta": {"content": "tak", "refusal": {"text": PESEL}}},
    {"delta": {"content": "tak"}, "text": PESEL},
    {"delta": {"content": "tak"}, "message": {"content": PESEL}},
    {"delta": {"content": "tak"}, "logprobs": {"content": [{"token": PESEL}]}},
    {"delta": {"content": "tak"}, "token_ids": [int(PESEL)]},
]


@pytest.mark.parametrize("is_poured", [True, False])
@pytest.mark.parametrize("choice", UNREADABLE)
async def test_what_no_rule_can_read_is_left_out(
    *, is_poured: bool, choice: dict[str, object]
) -> None:
    said = event_of({"index": 0, **choice}) * 2
    pieces = [said, said, said, event({}, finish="stop"), DONE]
    seen, _ = await play(pieces, rules(), is_poured=is_poured)
    assert PESEL.encode() not in seen
    assert text_of(seen) == "tak" * 6
    assert (await play(pieces, None, is_poured=is_poured))[0] == b"".join(pieces)


async def test_a_refusal_beside_the_text_is_screened_in_every_event() -> None:
    said = [event({"content": text, "refusal": f"{PESEL} "}) for text in ("tak", "nie", "tak")]
    seen, _ = await play([*said, event({}, finish="stop"), DONE], rules(), is_poured=True)
    assert text_of(seen) == "taknietak"
    assert text_of(seen, "refusal") == "[PESEL] " * 3


async def test_fields_in_which_nothing_stands_pass_as_they_are() -> None:
    said: dict[str, object] = {"index": 0, "delta": {"content": "tak", "audio": None}, "text": ""}
    pieces = [event_of({**said, "logprobs": None, "finish_reason": None})] * 3
    pieces += [event({}, finish="stop"), DONE]
    seen, _ = await play(pieces, Safety(rules().outgoing[:1]), is_poured=True)
    assert seen == b"".join(pieces)


@pytest.mark.parametrize("choice", UNREADABLE)
def test_what_no_rule_can_read_is_left_out_of_a_whole_reply(choice: dict[str, object]) -> None:
    whole = join_chunks([{"id": "c", "text": PESEL, "choices": [{"index": 0, **choice}]}])
    shown = screen_reply(whole, rules())
    assert PESEL not in str(shown)
    assert "tak" in str(shown)
    assert screen_reply(whole, Safety()) == whole


def test_a_whole_reply_of_the_common_form_stays_as_it_is() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    message = {"role": "assistant", "content": "tak", "refusal": None, "tool_calls": [call]}
    whole: dict[str, object] = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "system_fingerprint": "f",
        "choices": [
            {"index": 0, "message": message, "finish_reason": "tool_calls", "logprobs": None}
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
    }
    assert screen_reply(whole, rules()) == whole


async def test_a_reply_without_a_finish_keeps_its_last_words() -> None:
    pieces = [event({"content": "nr "}), event({"content": "123"}), DONE]
    seen, _ = await play(pieces, rules(), is_poured=True)
    assert text_of(seen) == "nr 123"


async def test_the_last_words_come_in_a_chunk_like_the_others() -> None:
    seen, _ = await play([event({"content": "nr 123"}), DONE], rules(), is_poured=True)
    blocks = seen.decode().strip().split("\n\n")
    told = [json.loads(block.removeprefix("data: ")) for block in blocks[:-1]]
    assert [(one["id"], one["created"]) for one in told] == [("c", 1732345678)] * 2
