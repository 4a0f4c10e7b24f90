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
from serving.engines.event_screen import EventScreen
from serving.engines.forward import ForwardedStream
from serving.engines.reading import StreamLimits
from serving.engines.stream import ChunkStream

LIMITS = StreamLimits(idle_s=60.0, max_event_bytes=40_000, largest_usage=100)
TEXTS = st.lists(
    st.sampled_from([PESEL, NOT_PESEL, "44", "051", "401359", " ", "tajny", "taj", "jan@", "x.pl",
                     "słowo", "\n", '"', "\\", "４４０５１４０１３５９", "1"]),
    max_size=8,
).map("".join)  # fmt: skip
CUTS = st.lists(st.integers(min_value=0), max_size=8)


def event(delta: dict[str, object], *, finish: str | None = None, escaped: bool = False) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    said = json.dumps({"id": "c", "created": 1732345678, "choices": [choice]}, ensure_ascii=escaped)
    return f"data: {said}\n\n".encode()


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


async def test_a_reply_without_a_finish_keeps_its_last_words() -> None:
    pieces = [event({"content": "nr "}), event({"content": "123"}), b"data: [DONE]\n\n"]
    seen, _ = await play(pieces, rules(), is_poured=True)
    assert text_of(seen) == "nr 123"
