"""The event reader gives the same events however the bytes were split."""

import json
from collections.abc import Iterable
from itertools import combinations, pairwise

import pytest
from hypothesis import given, strategies as st
from scripted.tables import every_row

from serving.engines.events import ChunkReader, EventReader, EventTooLong, read_object

PLAIN = (
    'data: {"a": "zażółć 🙂"}\n\n'
    ": a comment\n\n"
    "event: message\nid: 7\nretry: 10\ndata: first\ndata: second\n\n"
    "data:tight\n\n"
    "data\n\n"
    "\n\n\n"
    "data: [DONE]\n\n"
)
EVENTS = ['{"a": "zażółć 🙂"}'.encode(), b"first\nsecond", b"tight", b"", b"[DONE]"]


def read_all(pieces: list[bytes], *, max_bytes: int = 262_144) -> list[bytes]:
    reader = EventReader(max_bytes=max_bytes)
    return [event for piece in pieces for event in reader.feed(piece)] + reader.finish()


def feed_all(reader: EventReader, pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        reader.feed(piece)


def dress(ends: str, *, bom: bool) -> bytes:
    return ((("\ufeff" if bom else "") + PLAIN).replace("\n", ends)).encode()


@every_row("bom", [False, True])
@every_row("ends", ["\n", "\r\n", "\r"])
def test_one_byte_at_a_time_gives_the_same_events(ends: str, bom: bool) -> None:
    raw = dress(ends, bom=bom)

    assert read_all([raw[place : place + 1] for place in range(len(raw))]) == EVENTS


@every_row("bom", [False, True])
@every_row("ends", ["\n", "\r\n", "\r"])
def test_every_split_into_two_gives_the_same_events(ends: str, bom: bool) -> None:
    raw = dress(ends, bom=bom)

    assert all(read_all([raw[:cut], raw[cut:]]) == EVENTS for cut in range(len(raw) + 1))


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_split_into_three_gives_the_same_events(ends: str) -> None:
    raw = '\ufeffdata: "ż"\n\n\ndata: b\ndata: c\n\n'.replace("\n", ends).encode()
    cuts = combinations(range(len(raw) + 1), 2)
    expected = ['"ż"'.encode(), b"b\nc"]

    assert all(read_all([raw[:a], raw[a:b], raw[b:]]) == expected for a, b in cuts)


@given(
    texts=st.lists(st.text(st.characters(exclude_characters="\r\n"), max_size=30), max_size=6),
    ends=st.sampled_from(["\n", "\r\n", "\r"]),
    cuts=st.lists(st.integers(0, 400), max_size=12),
)
def test_any_texts_survive_any_split(texts: list[str], ends: str, cuts: list[int]) -> None:
    raw = "".join(f"data: {text}{ends}{ends}" for text in texts).encode("utf-8", "replace")
    places = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    pieces = [raw[start:end] for start, end in pairwise(places)]

    assert read_all(pieces) == [text.encode("utf-8", "replace") for text in texts]


def test_mixed_line_ends_in_one_stream_are_read() -> None:
    assert read_all([b"data: a\r\n\ndata: b\r\rdata: c\n\r\ndata: d\n\n"]) == [
        b"a",
        b"b",
        b"c",
        b"d",
    ]


def test_an_event_ended_by_carriage_returns_is_given_at_once() -> None:
    assert EventReader().feed(b"data: a\r\r") == [b"a"]


def test_the_last_event_needs_no_blank_line() -> None:
    assert read_all([b"data: a\n\ndata: [DONE]"]) == [b"a", b"[DONE]"]


def test_a_byte_order_mark_inside_the_stream_stays() -> None:
    assert read_all([b"data: a\n\n", "data: \ufeffb\n\n".encode()]) == [b"a", b"\xef\xbb\xbfb"]


@pytest.mark.parametrize("piece", [b"a" * 100, b"data: a\n" * 12, b": x\n" * 25])
def test_an_event_without_an_end_is_cut_at_the_limit(piece: bytes) -> None:
    reader = EventReader(max_bytes=1_000)

    with pytest.raises(EventTooLong):
        feed_all(reader, [piece] * 11)


def test_what_is_kept_of_an_endless_line_never_passes_the_limit() -> None:
    reader = EventReader(max_bytes=262_144)
    pieces = iter([b"data: " + b"a" * 16_000] * 100)
    with pytest.raises(EventTooLong):
        feed_all(reader, pieces)

    assert len(list(pieces)) == 100 - 262_144 // 16_006 - 1


def test_a_whole_event_over_the_limit_is_refused() -> None:
    with pytest.raises(EventTooLong):
        EventReader(max_bytes=100).feed(b"data: " + b"a" * 101 + b"\n\n")


def test_many_events_may_pass_the_limit_together() -> None:
    assert len(EventReader(max_bytes=100).feed(b"data: abc\n\n" * 100)) == 100


def test_done_is_seen_and_what_follows_is_passed_over() -> None:
    reader = ChunkReader()
    chunks = reader.feed(b'data: {"a": 1}\n\ndata: [DONE]\n\ndata: {"b": 2}\n\n')

    assert ([chunk for _, chunk in chunks], reader.is_done) == ([{"a": 1}], True)


def test_a_stream_without_done_is_not_done() -> None:
    reader = ChunkReader()
    reader.feed(b'data: {"a": 1}\n\n')
    reader.finish()

    assert not reader.is_done


@every_row(
    "event",
    [
        b'{"a": ',
        b"[1, 2]",
        b'"text"',
        b"null",
        b"{" * 100_000,
        b'{"a":' * 500 + b"1" + b"}" * 500,
        b'{"a": "\xff"}',
        b'{"a": "\\ud83d"}',
        b'{"a": ' + b"1" * 5_000 + b"}",
        b"<html>",
        b"",
    ],
)
def test_a_malformed_event_is_skipped_and_counted(event: bytes) -> None:
    reader = ChunkReader()
    chunks = reader.feed(b'data: {"a": 1}\n\ndata: ' + event + b'\n\ndata: {"b": 2}\n\n')

    assert ([chunk for _, chunk in chunks], reader.malformed) == ([{"a": 1}, {"b": 2}], 1)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=8), st.integers(0, 2**63)))
def test_any_object_is_read_back(value: dict[str, int]) -> None:
    assert read_object(json.dumps(value).encode()) == value
