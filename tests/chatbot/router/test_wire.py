"""Calls from the wire's deltas: in pieces, repeated, out of order."""

from hypothesis import given, strategies as st

from chatbot.router import RouterLimits
from chatbot.router.calls import Reading
from chatbot.router.wire import WireReader
from chatbot.types import CallDelta

OFFERED = frozenset({"get_weather", "calculate", "default_function"})


def read(*deltas: CallDelta) -> Reading:
    reader = WireReader(OFFERED, RouterLimits())
    for delta in deltas:
        reader.feed(delta)
    return reader.finish()


def names(reading: Reading) -> list[str]:
    return [call.name for call in reading.calls]


def opening(index: int = 0, name: str = "get_weather", arguments: str = "") -> CallDelta:
    return CallDelta(index=index, call_id=f"id{index}", name=name, arguments=arguments)


def piece(text: str, index: int = 0) -> CallDelta:
    return CallDelta(index=index, arguments=text)


def test_arguments_arrive_in_pieces() -> None:
    found = read(opening(), piece('{"city": "Łó'), piece('dź"}'))
    assert [call.arguments for call in found.calls] == [{"city": "Łódź"}]


def test_a_call_without_arguments_sends_none() -> None:
    assert [call.arguments for call in read(opening()).calls] == [{}]


def test_the_name_is_known_with_its_first_delta() -> None:
    reader = WireReader(OFFERED, RouterLimits())
    assert reader.feed(opening(name="default_function")).name == "default_function"


def test_a_name_in_pieces_is_known_when_it_is_whole() -> None:
    reader = WireReader(OFFERED, RouterLimits())
    assert reader.feed(CallDelta(index=0, name="get_")).state == "open"
    assert reader.feed(CallDelta(index=0, name="weather")).name == "get_weather"


def test_calls_are_ordered_by_their_index() -> None:
    found = read(opening(1, "calculate", '{"expression": "1"}'), opening(0, "get_weather", "{}"))
    assert names(found) == ["get_weather", "calculate"]


def test_arguments_before_their_name_are_kept() -> None:
    found = read(piece('{"city": "Hel"}'), opening())
    assert [call.arguments for call in found.calls] == [{"city": "Hel"}]


def test_a_repeated_opening_is_dropped() -> None:
    found = read(opening(arguments='{"city"'), opening(arguments='{"city"'), piece(': "Hel"}'))
    assert [call.arguments for call in found.calls] == [{"city": "Hel"}]


def test_a_repeated_name_is_dropped() -> None:
    found = read(opening(), CallDelta(index=0, name="get_weather", arguments='{"city": "Hel"}'))
    assert [(call.name, call.arguments) for call in found.calls] == [
        ("get_weather", {"city": "Hel"})
    ]


def test_arguments_sent_twice_whole_are_read_once() -> None:
    found = read(opening(), piece('{"city": "Hel"}'), piece('{"city": "Hel"}'))
    assert [call.arguments for call in found.calls] == [{"city": "Hel"}]


def test_calls_that_share_an_index_are_told_apart_by_their_id() -> None:
    found = read(
        CallDelta(index=0, call_id="a", name="get_weather", arguments='{"city": "Hel"}'),
        CallDelta(index=0, call_id="b", name="calculate", arguments='{"expression": "1"}'),
    )
    assert names(found) == ["get_weather", "calculate"]


def test_calls_that_share_an_index_without_an_id_are_told_apart_by_their_name() -> None:
    found = read(
        CallDelta(index=0, name="get_weather", arguments='{"city": "Hel"}'),
        CallDelta(index=0, name="calculate", arguments='{"expression": "1"}'),
    )
    assert names(found) == ["get_weather", "calculate"]


def test_pieces_out_of_order_are_a_typed_reason() -> None:
    assert read(opening(), piece('dź"}'), piece('{"city": "Łó')).problem == "bad_arguments"


def test_arguments_that_are_no_json_are_a_typed_reason() -> None:
    assert read(opening(arguments="Łódź")).problem == "bad_arguments"


def test_an_unknown_tool_is_a_typed_reason() -> None:
    assert read(opening(name="fly_to", arguments="{}")).problem == "unknown_tool"


def test_a_call_without_a_name_is_a_typed_reason() -> None:
    assert read(piece("{}")).problem == "no_name"


def test_the_default_function_is_no_call_and_no_problem() -> None:
    assert read(opening(name="default_function", arguments="{}")) == Reading()


def test_two_hundred_calls_are_cut_to_eight() -> None:
    found = read(*(opening(n, "calculate", f'{{"expression": "{n}"}}') for n in range(200)))
    assert len(found.calls) == 8


def test_endless_arguments_are_refused() -> None:
    assert read(opening(), *(piece("a" * 1_000) for _ in range(20))).problem == "too_long"


@given(
    st.lists(
        st.builds(
            CallDelta,
            index=st.integers(-1, 2),
            call_id=st.sampled_from([None, "", "a", "b"]),
            name=st.sampled_from([None, "", "get_", "weather", "get_weather", "fly"]),
            arguments=st.sampled_from(["", "{", "}", '{"a": ', "1}", '"', "\ud800", "null"]),
        ),
        max_size=12,
    )
)
def test_no_deltas_raise(deltas: list[CallDelta]) -> None:
    assert all(call.name in OFFERED for call in read(*deltas).calls)
