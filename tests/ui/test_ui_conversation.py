"""Stored parts and live events fold into one view; branches are found in the parents."""

from collections.abc import Sequence

from hypothesis import given, strategies as st

from ui.conversation import (
    Answer,
    Call,
    Picture,
    Question,
    Words,
    fold_all,
    read_conversation,
    read_message,
)
from ui.fields import JsonObject

CALL: JsonObject = {
    "call_id": "k1",
    "name": "get_weather",
    "title": "Pogoda",
    "arguments": {"city": "Łódź"},
    "raw_arguments": {"city": "Lodz"},
    "summary": "Pogoda · Łódź",
}
RESULT: JsonObject = {"call_id": "k1", "status": "ok", "error": None, "ms": 812, "notices": ["a"]}
IMAGE: JsonObject = {
    "image_id": "i1",
    "url": "http://127.0.0.1:1/images/i1.9.mac",
    "expires_at": "2026-11-21T13:00:00Z",
    "alt": "pies",
    "width": 8,
    "height": 9,
}
SOURCE: JsonObject = {"source": "OpenWeather", "url": "https://a.example", "licence": "CC"}
TOLD: tuple[tuple[str, JsonObject], ...] = (
    ("route", {"reason": "called"}),
    ("tool_call", CALL),
    ("tool_progress", {"call_id": "k1", "fraction": 0.5, "text": "pytam"}),
    ("image_progress", {"call_id": "k1", "step": 1, "of": 4}),
    ("tool_result", RESULT),
    ("text", {"text": "myślę", "channel": "reasoning"}),
    ("text", {"text": "W Łodzi ", "channel": "answer"}),
    ("text", {"text": "pada.", "channel": "answer"}),
    ("image", IMAGE),
    ("attribution", SOURCE),
    ("usage", {"legs": []}),
    ("invented_later", {"x": 1}),
    ("done", {"finish_reason": "stop"}),
)
UNSTORED = {"tool_progress", "image_progress", "usage", "invented_later", "done"}


def numbered(events: Sequence[tuple[str, JsonObject]]) -> list[tuple[str, JsonObject]]:
    return [(name, {"seq": seq, **fields}) for seq, (name, fields) in enumerate(events)]


def stored_parts() -> list[JsonObject]:
    """As the gateway stores the events: neighbouring text joined, progress left out."""
    parts: list[JsonObject] = []
    for name, fields in TOLD:
        last = parts[-1] if parts else {}
        is_joined = name == "text" == last.get("type") and fields["channel"] == last["channel"]
        if name in UNSTORED:
            continue
        if is_joined:
            parts[-1] = {**last, "text": f"{last['text']}{fields['text']}"}
        else:
            parts.append({"type": name, **fields})
    return parts


def stored(**fields: object) -> JsonObject:
    known = {"id": "a1", "parent": "q1", "role": "assistant", "state": "complete"}
    return {**known, **fields}  # type: ignore[dict-item]  # the test's own JSON


WHOLE = fold_all(Answer(message_id="a1", parent="q1"), numbered(TOLD))


def test_an_answer_has_its_items_in_order() -> None:
    thought, words, picture = Words(text="myślę", channel="reasoning"), "W Łodzi pada.", "i1"
    call, *rest = WHOLE.items
    assert isinstance(call, Call)
    assert (call.status, call.ms, call.notices, call.step) == ("ok", 812, ("a",), 0)
    assert rest[:2] == [thought, Words(text=words)]
    assert isinstance(rest[2], Picture)
    assert (rest[2].image_id, rest[2].path) == (picture, "/images/i1.9.mac")
    assert WHOLE.text == words


def test_stored_parts_give_the_same_view_as_the_events() -> None:
    read = read_message(stored(parts=stored_parts(), finish_reason="stop"))
    assert isinstance(read, Answer)
    assert (read.items, read.sources, read.state) == (WHOLE.items, WHOLE.sources, "complete")
    assert (read.reason, read.is_routed) == ("called", True)


@given(st.lists(st.integers(0, len(TOLD)), max_size=5), st.integers(0, 4))
def test_events_may_come_in_any_portions_and_twice(cuts: list[int], again: int) -> None:
    events, answer = numbered(TOLD), Answer(message_id="a1", parent="q1")
    for cut in sorted({*cuts, len(events)}):
        answer = fold_all(answer, events[max(0, answer.last_seq + 1 - again) : cut])
    assert answer == WHOLE


def test_progress_is_shown_until_the_result() -> None:
    drawing = fold_all(Answer(), numbered(TOLD[:4]))
    call = drawing.items[0]
    assert isinstance(call, Call)
    assert (call.status, call.step, call.steps, call.progress) == ("running", 1, 4, "pytam")


def test_a_broken_answer_tells_why_and_leaves_no_call_running() -> None:
    error: JsonObject = {"code": "engine_lost", "message": "przerwane", "request_id": "r1"}
    broken = fold_all(Answer(), numbered((*TOLD[:2], ("error", error))))
    assert broken.state == "incomplete"
    assert broken.failure
    assert (broken.failure.code, broken.failure.request_id) == ("engine_lost", "r1")
    assert [item.status for item in broken.items if isinstance(item, Call)] == ["cancelled"]


def test_a_stopped_answer_keeps_its_text_and_is_incomplete() -> None:
    events = (("text", {"text": "Dłu"}), ("done", {"finish_reason": "cancelled"}))
    stopped = fold_all(Answer(), numbered(events))
    assert (stopped.text, stopped.state, stopped.failure) == ("Dłu", "incomplete", None)


def test_a_running_answer_is_read_as_running() -> None:
    running = read_message(stored(state="incomplete", running=True, parts=[]))
    assert isinstance(running, Answer)
    assert (running.state, running.is_routed) == ("running", False)


def test_an_answer_that_a_crash_cut_off_is_incomplete() -> None:
    left = read_message(stored(state="incomplete", running=False, parts=stored_parts()))
    assert isinstance(left, Answer)
    assert left.state == "incomplete"


def test_a_picture_from_elsewhere_has_no_path() -> None:
    (item,) = fold_all(Answer(), [("image", {**IMAGE, "url": "https://evil.example/a.png"})]).items
    assert isinstance(item, Picture)
    assert not item.path


def branchy() -> JsonObject:
    """Two questions in the beginning; the first one was answered twice."""
    texts = [{"type": "text", "text": "co?"}]
    return {
        "id": "c1",
        "title": "Co",
        "current": "a2",
        "messages": [
            {"id": "q1", "parent": None, "role": "user", "parts": texts},
            stored(id="a1", parent="q1", parts=[]),
            {"id": "q2", "parent": "a1", "role": "user", "parts": texts},
            stored(id="a3", parent="q2", parts=[]),
            stored(id="a2", parent="q1", parts=[]),
            {"id": "q9", "parent": None, "role": "user", "parts": texts},
        ],
    }


def test_the_branch_leads_from_the_beginning_to_the_current_message() -> None:
    shown = read_conversation(branchy()).branch
    assert [one.message.message_id for one in shown] == ["q1", "a2"]
    assert [one.versions for one in shown] == [("q1", "q9"), ("a1", "a2")]
    assert [one.number for one in shown] == [1, 2]


def test_a_version_is_shown_to_the_end_of_its_branch() -> None:
    view = read_conversation(branchy())
    assert (view.end_of("a1"), view.end_of("q1"), view.end_of("q9")) == ("a3", "a2", "q9")


def test_a_conversation_without_messages_shows_none() -> None:
    assert read_conversation({"id": "c1", "current": None}).branch == ()


def test_parents_in_a_circle_end_the_branch() -> None:
    circle = {"messages": [stored(id="a1", parent="a2"), stored(id="a2", parent="a1")]}
    shown = read_conversation({**circle, "current": "a1"}).branch
    assert {one.message.message_id for one in shown} == {"a1", "a2"}


def test_a_new_message_becomes_the_end_of_the_branch() -> None:
    view = read_conversation(branchy())
    asked = view.with_message(Question(message_id="q3", parent="a2", text="a teraz?"))
    answered = asked.with_message(Answer(message_id="a4", parent="q3"))
    again = answered.with_message(Answer(message_id="a4", parent="q3", reason="called"))
    assert [one.message.message_id for one in again.branch] == ["q1", "a2", "q3", "a4"]
    assert again.running() == Answer(message_id="a4", parent="q3", reason="called")


def test_a_question_of_ours_is_told_once() -> None:
    words = "Dla jakiego miasta?"
    asked = ("question", {"tool": "get_weather", "argument": "city", "text": words})
    events = numbered([("route", {"reason": "missing_argument"}), asked, ("text", {"text": words})])
    assert fold_all(Answer(), events).text == words
