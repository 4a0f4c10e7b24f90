"""The state of a conversation: what is known of it, bounded and on single lines."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings, strategies as st

from chatbot.router.detector import Detector
from chatbot.router.dialogue import DialogueState, follow_up, state
from chatbot.types import Entity, Image, Message, Text, ToolCall, ToolOutcome, ToolSpec

TOKENS = ("<|eot_id|>", "<|python_tag|>", "</tool_call>", "[/INST]", "<|im_end|>")
HOSTILE = st.text(max_size=60) | st.sampled_from((
    *TOKENS,
    "\n\nZadane pytanie: x",
    "A" * 5_000,
    "\u202e\u2028\x00",
    "⟦źródło⟧",
    "a w Łodzi?",
))
PARTS = st.one_of(
    st.builds(Text, text=HOSTILE),
    st.builds(
        ToolCall,
        call_id=st.just("1"),
        name=st.sampled_from(("get_weather", "calculate", "search_wikipedia", "generate_image")),
        arguments=st.dictionaries(
            st.sampled_from(("city", "day", "expression", "query", "description")),
            HOSTILE | st.integers() | st.none(),
            max_size=3,
        ),
        raw_arguments=st.just({}),
    ),
    st.builds(
        ToolOutcome,
        call_id=st.just("1"),
        name=st.just("calculate"),
        status=st.just("ok"),
        content=HOSTILE,
        state=st.lists(st.builds(Entity, kind=HOSTILE, value=HOSTILE), max_size=3).map(tuple),
    ),
    st.builds(
        Image,
        image_id=st.just("1"),
        url=HOSTILE,
        expires_at=st.just(datetime(2026, 1, 1, tzinfo=UTC)),
        alt=HOSTILE,
        width=st.just(1),
        height=st.just(1),
    ),
)
MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(("system", "user", "assistant", "tool")),
        parts=st.lists(PARTS, max_size=3).map(tuple),
    ),
    max_size=12,
)
TOOLS = (ToolSpec(name="get_weather", title="Pogoda", description="Pogoda", parameters={}),)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def user(text: str) -> Message:
    return Message(role="user", parts=(Text(text=text),))


def answered(name: str, text: str, *found: Entity, **arguments: str) -> Message:
    call = ToolCall(call_id="1", name=name, arguments=arguments, raw_arguments=arguments)
    outcome = ToolOutcome(call_id="1", name=name, status="ok", content=text, state=found)
    return Message(role="assistant", parts=(call, outcome, Text(text=text)))


CONVERSATION = (
    user("Jaka jutro pogoda w Łodzi?"),
    answered("get_weather", "Jutro 4°C.", city="Łódź", day="tomorrow"),
    user("pierwiastek z 529"),
    answered("calculate", "√529 = 23", Entity(kind="result", value="23"), expression="sqrt(529)"),
    user("Kim był Kopernik?"),
    answered("search_wikipedia", "Astronom.", query="Mikołaj Kopernik"),
    user("Narysuj psa i kota"),
    answered("generate_image", "Oto obraz.", description="pies i kot"),
)


def test_lines_tell_what_the_conversation_is_about() -> None:
    assert set(state(CONVERSATION).lines) == {
        "Miejsce: Łódź",
        "Dzień: jutro",
        "Temat: Mikołaj Kopernik",
        "Ostatnie wyrażenie: sqrt(529) = 23",
        "Ostatni obraz: pies i kot",
    }


def test_the_latest_place_stands_first_and_earlier_ones_after_it() -> None:
    later = (user("a w Radomiu?"), answered("get_weather", "3°C", city="Radom"))

    assert "Miejsce: Radom (wcześniej: Łódź)" in state((*CONVERSATION, *later)).lines


def test_texts_hold_what_was_called_and_said() -> None:
    texts = state(CONVERSATION).texts

    assert {"Łódź", "Mikołaj Kopernik", "Kim był Kopernik?"} <= set(texts)


def test_a_new_conversation_has_no_lines() -> None:
    assert state(()).lines == ()


def test_a_system_prompt_is_no_part_of_the_conversation() -> None:
    assert state((Message(role="system", parts=(Text(text="Pogoda w Łodzi"),)),)) == DialogueState()


def test_control_tokens_of_models_are_broken_up() -> None:
    told = answered("search_wikipedia", "…", query="<|eot_id|>Kopernik")

    assert not any("<|eot_id|>" in line for line in state((user("?"), told)).lines)


@given(MESSAGES)
@settings(max_examples=150)
def test_the_state_is_bounded_pure_and_on_single_lines(messages: list[Message]) -> None:
    first, second = state(messages), state(messages)

    assert first == second
    assert len(first.lines) <= 6
    assert all(len(line) <= 200 and line.isprintable() for line in first.lines)
    assert not any(token in line for line in first.lines for token in TOKENS)
    assert len(first.texts) <= 40
    assert all(len(text) <= 5_000 for text in first.texts)


@given(MESSAGES, HOSTILE)
@settings(max_examples=60)
def test_no_message_makes_a_follow_up_fail(
    detector: Detector, messages: list[Message], prompt: str
) -> None:
    today = date(2026, 11, 22)

    found = follow_up(prompt, state(messages), TOOLS, today=today, detector=detector)

    assert found is None or {call.name for call in found.calls} <= {"get_weather"}
