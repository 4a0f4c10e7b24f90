"""What chunks mean, whatever fields they lack or bring."""

from collections.abc import Mapping

from hypothesis import given, settings, strategies as st
from scripted.tables import every_row

from chatbot.types import CallDelta, Delta
from serving.engines.deltas import choices_of, merge, read_finish, read_plain, read_usage
from serving.engines.whole import join_chunks

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([
                "choices",
                "delta",
                "content",
                "tool_calls",
                "function",
                "index",
                "usage",
                "name",
            ]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from(["choices", "usage", "error"]), JSON)


def test_pieces_of_one_read_become_one_delta() -> None:
    found = merge([
        {"delta": {"content": "Za", "reasoning_content": "hm"}, "token_ids": [1]},
        {"delta": {"content": "żółć"}, "token_ids": [2, 3]},
        {"delta": {"reasoning": "!"}, "finish_reason": "length"},
    ])

    assert found == Delta(text="Zażółć", reasoning="hm!", token_ids=(1, 2, 3), finish="length")


def test_a_call_without_an_index_takes_its_place_and_objects_become_text() -> None:
    calls = [{"id": "", "function": {"name": "f", "arguments": {"a": "ż"}}}, {"function": None}]

    assert merge([{"delta": {"tool_calls": calls}}]).calls == (
        CallDelta(index=0, name="f", arguments='{"a": "ż"}'),
        CallDelta(index=1),
    )


@settings(max_examples=50)
@given(st.lists(OBJECTS, max_size=4))
def test_no_shape_of_a_chunk_raises(chunks: list[dict[str, object]]) -> None:
    assert all(isinstance(merge(choices_of(chunk)), Delta) for chunk in chunks)
    assert join_chunks(chunks)["object"] == "chat.completion"


@every_row(
    ("said", "finish"),
    [
        (None, None),
        ("", None),
        ("stop", "stop"),
        ("eos_token", "stop"),
        ("max_tokens", "length"),
        ("function_call", "tool_calls"),
        ("abort", "failed"),
        ("whatever", "unknown"),
        (7, None),
    ],
)
def test_finish_reasons_are_one_vocabulary(said: object, finish: str | None) -> None:
    assert read_finish(said) == finish


@every_row("figure", [-1, 10**12, 1.5, True, None, "7"])
def test_a_senseless_figure_makes_the_usage_unusable(figure: object) -> None:
    usage = {"prompt_tokens": figure, "completion_tokens": 1}

    assert read_usage(usage, largest=131_072) is None


def test_a_whole_reply_always_says_how_it_ended() -> None:
    call = {"index": 0, "id": "1", "function": {"name": "f", "arguments": "{}"}}
    said = [{"index": 0, "delta": {"content": "a"}}, {"index": 1, "delta": {"tool_calls": [call]}}]
    whole = join_chunks([{"choices": said}])
    assert [one["finish_reason"] for one in whole["choices"]] == ["stop", "tool_calls"]  # type: ignore[attr-defined]  # a list


def test_log_probabilities_of_a_whole_reply_are_concatenated() -> None:
    pieces = [{"content": [{"token": "a"}]}, {"content": [{"token": "b"}]}]
    whole = join_chunks([{"choices": [{"index": 0, "logprobs": piece}]} for piece in pieces])

    assert whole["choices"] == [
        {
            "index": 0,
            "message": {"role": "assistant", "content": None},
            "finish_reason": "stop",
            "logprobs": {"content": [{"token": "a"}, {"token": "b"}]},
        }
    ]


@every_row("name", ["message", "calls"])
def test_no_field_of_a_choice_takes_the_place_of_what_is_joined(name: str) -> None:
    piece = {"index": 0, name: "x", "delta": {"content": "a"}}
    whole = join_chunks([{"choices": [piece]}, {"choices": [piece]}])

    message = {"role": "assistant", "content": "aa"}
    ended = {"finish_reason": "stop", "logprobs": None}
    assert whole["choices"] == [{"index": 0, "message": message, **ended}]


def test_arguments_and_content_of_a_whole_reply_are_text_however_they_came() -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": {"a": "ż"}}}
    said = {"content": [{"type": "text", "text": "ta"}, {"type": "image"}], "tool_calls": [call]}
    pieces = [{"index": 0, "delta": said}, {"index": 0, "delta": {"content": "k"}}]
    whole = join_chunks([{"choices": [piece]} for piece in pieces])

    function = {"name": "f", "arguments": '{"a": "ż"}'}
    message = {
        "role": "assistant",
        "content": "tak",
        "tool_calls": [{"type": "function", "id": "c", "function": function}],
    }
    ended = {"finish_reason": "tool_calls", "logprobs": None}
    assert whole["choices"] == [{"index": 0, "message": message, **ended}]


CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "index": st.sampled_from([0, 1, None, "0", False]),
        "finish_reason": st.sampled_from([None, "", "stop", "abort"]),
        "token_ids": st.sampled_from([None, [], [5], [True], ["5"], 7]),
        "delta": st.none()
        | st.dictionaries(
            st.sampled_from(["content", "reasoning_content", "reasoning", "tool_calls", "role"]),
            st.sampled_from([None, "", "ż", 0, [], [{"index": 0}]]),
        ),
    },
)
CHUNKS: st.SearchStrategy[Mapping[str, object]] = st.fixed_dictionaries(
    {"choices": st.lists(CHOICES, max_size=2) | st.none()},
    optional={"usage": st.sampled_from([None, {}, 1]), "error": st.sampled_from([None, "no"])},
)


@given(CHUNKS)
def test_a_plain_chunk_means_what_any_chunk_does(found: Mapping[str, object]) -> None:
    plain = read_plain(found)

    assert plain is None or plain == merge(choices_of(found))
    assert plain is None or not (found.get("error") or found.get("usage") is not None)


def test_the_chunks_of_a_model_at_work_are_plain() -> None:
    said = {"content": "a", "role": "assistant", "reasoning_content": None}
    of_text = {"choices": [{"index": 0, "delta": said, "finish_reason": None}], "usage": None}
    of_ids = {"choices": [{"index": 0, "delta": {"content": "a"}, "token_ids": [7]}]}

    assert read_plain(of_text) == Delta(text="a")
    assert read_plain(of_ids) == Delta(text="a", token_ids=(7,))
