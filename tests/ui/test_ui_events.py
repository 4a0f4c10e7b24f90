"""The reader of server-sent events: any cut of the bytes gives the same events, bounded."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from ui.fields import NOTHING, moment_of, parse_object, texts_of, whole_of
from ui.sse import MAX_EVENT_CHARS, EventReader, EventTooLong, ServerEvent

STREAM = (
    ": heartbeat\n\n"
    'event: route\nid: 0\ndata: {"seq": 0, "reason": "called"}\n\n'
    'event: text\r\nid: 1\r\ndata: {"seq": 1,\r\ndata:  "text": "żółć 😀"}\r\n\r\n'
    "\n"
    'event: done\ndata: {"seq": 2}\n\n'
).encode()


def read(*pieces: bytes) -> tuple[ServerEvent, ...]:
    reader = EventReader()
    return tuple(event for piece in pieces for event in reader.feed(piece))


def test_events_have_name_number_and_fields() -> None:
    assert read(STREAM) == (
        ServerEvent(name="route", seq=0, fields={"seq": 0, "reason": "called"}),
        ServerEvent(name="text", seq=1, fields={"seq": 1, "text": "żółć 😀"}),
        ServerEvent(name="done", seq=2, fields={"seq": 2}),
    )


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
def test_a_stream_may_be_cut_anywhere(cuts: list[int]) -> None:
    edges = sorted({0, *cuts, len(STREAM)})
    pieces = [STREAM[start:end] for start, end in pairwise(edges)]
    assert read(*pieces) == read(STREAM)


def test_a_stream_may_come_byte_by_byte() -> None:
    assert read(*(bytes((byte,)) for byte in STREAM)) == read(STREAM)


def test_what_is_no_json_object_has_no_fields() -> None:
    (event,) = read(b"event: text\ndata: [1, 2]\n\n")
    assert event == ServerEvent(name="text", seq=0, fields=NOTHING)


@pytest.mark.parametrize("head", [b"data: ", b""])
def test_an_endless_line_is_refused(head: bytes) -> None:
    with pytest.raises(EventTooLong):
        read(head, *(b"x" * 65_536 for _ in range(MAX_EVENT_CHARS // 65_536 + 1)))


def test_an_endless_event_is_refused() -> None:
    line = b"data: " + b"x" * 65_536 + b"\n"
    with pytest.raises(EventTooLong):
        read(*(line for _ in range(MAX_EVENT_CHARS // 65_536 + 1)))


@given(st.text())
def test_any_text_is_an_object_or_nothing(text: str) -> None:
    assert parse_object(json.dumps(text)) is NOTHING


def test_fields_of_other_types_count_as_missing() -> None:
    fields = parse_object('{"seq": "3", "list": ["a", 1, "b"], "at": "yesterday"}')
    assert (whole_of(fields, "seq"), texts_of(fields, "list")) == (0, ("a", "b"))
    assert moment_of(fields, "at") is None


def test_a_moment_without_a_zone_is_utc() -> None:
    moment = moment_of({"at": "2026-11-21T12:00:00"}, "at")
    assert moment
    assert moment.isoformat() == "2026-11-21T12:00:00+00:00"
