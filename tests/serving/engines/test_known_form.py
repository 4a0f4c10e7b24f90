"""Events of a known form are read without parsing, and never differently from parsed ones."""

import json
from collections.abc import Mapping

from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.types import Delta
from serving.engines.deltas import choices_of, merge
from serving.engines.events import ChunkReader, read_object
from serving.engines.known_form import KnownForm

VLLM = (
    b'{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,'
    b'"delta":{"content":"%b"},"logprobs":null,"finish_reason":null}],"usage":null}'
)
LLAMACPP = (
    b'{"choices": [{"finish_reason": null, "index": 0, "delta": {"content": "%b"}}], "created": 1}'
)
THINKING = b'{"choices":[{"index":0,"delta":{"reasoning_content":"%b","content":null}}]}'
FORMS = (VLLM, LLAMACPP, THINKING)
TRAPS = (
    b'"',
    b"\\",
    b"\n\n",
    b"data: ",
    b'"content":"',
    b'\\"content\\":\\"',
    b'"},"finish_reason":"stop',
    b'"},"logprobs":null,"finish_reason":null}],"usage":null}',
    b'","usage":{"prompt_tokens":1},"x":"',
    b'"}}],"error":{"message":"x"},"y":[{"delta":{"content":"',
    b"\xff",
    b"\xc4",
    b"\\ud800",
    b"\\u0105",
    b"\x00",
    b"\r",
    b"[DONE]",
)
hostile = st.lists(
    st.one_of(st.sampled_from(TRAPS), st.text(max_size=5).map(lambda text: text.encode("utf-8"))),
    max_size=4,
).map(b"".join)


def event(data: bytes) -> bytes:
    return b"data: " + data + b"\n\n"


def parse(piece: bytes) -> tuple[list[bytes], Delta] | None:
    """What parsing makes of whole events; ``None`` where they are more than text."""
    reader = ChunkReader()
    chunks = reader.feed(b"\n\n" + piece)
    if reader.malformed or reader.is_done or not reader.is_between_events:
        return None
    choices = [choice for _, chunk in chunks for choice in choices_of(chunk)]
    return [text for text, _ in chunks], merge(choices)


def learnt(form: bytes, text: bytes = b"a") -> KnownForm:
    known = KnownForm()
    chunk = read_object(form % text)
    assert chunk is not None
    known.learn(form % text, chunk)
    return known


def as_delta(known: KnownForm, text: str) -> Delta:
    return Delta(reasoning=text) if known.is_reasoning else Delta(text=text)


@every_row("form", FORMS)
@every_row("text", ["", "x", "zażółć 🙂", 'a "quoted" \\ text\n', '"content":"b"'])
def test_the_text_of_a_known_form_is_read(form: bytes, text: str) -> None:
    inner = json.dumps(text, ensure_ascii=False)[1:-1].encode()

    assert learnt(form).read(event(form % inner)) == text
    assert learnt(form, inner or b"a").read(event(form % inner) * 3) == text * 3


@given(form=st.sampled_from(FORMS), first=hostile, then=st.lists(hostile, min_size=1, max_size=3))
def test_what_passes_means_the_same_when_it_is_parsed(
    form: bytes, first: bytes, then: list[bytes]
) -> None:
    known = KnownForm()
    if (chunk := read_object(form % first)) is not None:
        known.learn(form % first, chunk)
    piece = b"".join(event(form % text) for text in then)
    text = known.read(piece)

    assert text is None or parse(piece) == (
        [form % text for text in then],
        as_delta(known, text),
    )


@given(piece=st.binary(max_size=200), cut=st.integers(0, 400))
def test_no_bytes_between_the_known_ends_are_guessed(piece: bytes, cut: int) -> None:
    known = learnt(VLLM)
    whole = event(VLLM % piece)
    for tried in (whole, whole[:cut] + whole[cut + 1 :]):
        text = known.read(tried)
        assert text is None or (parse(tried) or ([], None))[1] == Delta(text=text)


@every_row(
    "chunk",
    [
        {"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]},
        {"choices": [{"delta": {"content": "a"}}], "usage": {"prompt_tokens": 1}},
        {"choices": [{"delta": {"content": "a"}}], "error": {"message": "x"}},
        {"choices": [{"delta": {"content": "a"}, "token_ids": [7]}]},
        {"choices": [{"delta": {"content": "a", "tool_calls": [{"index": 0}]}}]},
        {"choices": [{"delta": {"content": "a", "reasoning": "b"}}]},
        {"choices": [{"index": 1, "delta": {"content": "a"}}]},
        {"choices": [{"delta": {"content": "a"}}, {"index": 1, "delta": {"content": "a"}}]},
        {"choices": [{"delta": {"content": ""}}]},
        {"choices": [{"delta": {"content": 5}}]},
        {"choices": [{"delta": {"content": "a" * 10_000}}]},
        {"choices": [{"delta": "a"}]},
        {"choices": []},
        {},
    ],
)
def test_an_event_that_tells_more_than_a_text_is_no_form(chunk: Mapping[str, object]) -> None:
    known = KnownForm()
    text = json.dumps(chunk).encode()
    known.learn(text, chunk)

    assert known.read(event(text)) is None


def test_of_a_field_given_twice_the_one_that_counts_is_the_text() -> None:
    form = b'{"choices":[{"delta":{"content":"%b","content":"b"}}]}'
    known = learnt(form)

    assert known.read(event(form % b"c")) is None
    assert known.read(event(form % b"a")) in {None, "b"}


def test_a_form_that_changes_is_learnt_again() -> None:
    known = learnt(VLLM)
    later = VLLM.replace(b'"created":1', b'"created":2')
    known.learn(later % b"b", read_object(later % b"b") or {})

    assert (known.read(event(VLLM % b"c")), known.read(event(later % b"c"))) == (None, "c")
