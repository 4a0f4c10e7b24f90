"""The settings of a conversation: what fills the form, and what is read from it."""

import html5lib
import pytest
from hypothesis import given, settings, strategies as st

from ui.parameters import FIELDS, ToolChoice, draw_form, fill_form, read_parameters
from ui.texts import ENGLISH, POLISH, Texts

BOUNDS = {"temperature": {"min": 0, "max": 1.5}, "max_tokens": {"min": 1, "max": 2048}}
TOOLS = (ToolChoice(name="get_weather", title="Pogoda"), ToolChoice(name="calculate", title="x"))
json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)


def test_unset_values_are_left_to_the_default() -> None:
    filled = fill_form(POLISH, bounds=BOUNDS, parameters={}, tools=TOOLS)
    numbers = filled["numbers"]
    assert isinstance(numbers, dict)
    assert {name: one["value"] for name, one in numbers.items()} == dict.fromkeys(FIELDS)
    assert filled["tools"] == [
        {"name": "get_weather", "title": "Pogoda", "on": True},
        {"name": "calculate", "title": "x", "on": True},
    ]


def test_the_gateway_s_bounds_hold_and_are_told_in_words() -> None:
    filled = fill_form(POLISH, bounds=BOUNDS, parameters={"temperature": 0.2}, tools=())
    numbers = filled["numbers"]
    assert isinstance(numbers, dict)
    assert numbers["temperature"] == {
        "min": 0,
        "max": 1.5,
        "step": 0.1,
        "value": 0.2,
        "says": "Podaj liczbę od 0 do 1,5.",
    }
    assert numbers["max_tokens"]["max"] == 2048
    assert numbers["top_p"]["max"] == 1


def test_the_system_prompt_is_as_long_as_the_gateway_takes() -> None:
    bounds = {**BOUNDS, "system_prompt_chars": {"max": 120}}
    assert fill_form(POLISH, bounds=bounds, parameters={}, tools=())["prompt_chars"] == 120


def test_a_conversation_s_own_tools_are_ticked() -> None:
    filled = fill_form(POLISH, bounds={}, parameters={"tools": ["calculate"]}, tools=TOOLS)
    ticked = filled["tools"]
    assert isinstance(ticked, list)
    assert [tool["on"] for tool in ticked] == [False, True]


def test_what_the_form_sends_becomes_parameters() -> None:
    sent = {"temperature": 0.3, "max_tokens": 100, "system_prompt": " Krótko. ", "tools": []}
    assert read_parameters(sent, BOUNDS) == {
        "temperature": 0.3,
        "top_p": None,
        "repetition_penalty": None,
        "max_tokens": 100,
        "system_prompt": "Krótko.",
        "tools": [],
    }


def test_numbers_are_kept_within_the_bounds() -> None:
    read = read_parameters({"temperature": 9, "top_p": -1, "max_tokens": 1e9}, BOUNDS)
    assert (read["temperature"], read["top_p"], read["max_tokens"]) == (1.5, 0, 2048)


@settings(max_examples=40)
@given(json_values)
def test_whatever_is_sent_is_read_as_parameters(sent: object) -> None:
    read = read_parameters(sent, BOUNDS)
    assert set(read) == {*FIELDS, "system_prompt", "tools"}


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from([*FIELDS, "system_prompt", "tools"]), json_values))
def test_no_value_is_of_a_kind_that_the_gateway_refuses(sent: dict[str, object]) -> None:
    read = read_parameters(sent, BOUNDS)
    for name, field in FIELDS.items():
        value = read[name]
        assert value is None or isinstance(value, int | float)
        assert value is None or field.lowest <= value <= max(field.highest, 2048)
    assert read["system_prompt"] is None or isinstance(read["system_prompt"], str)
    tools = read["tools"]
    assert tools is None or (
        isinstance(tools, list) and all(isinstance(name, str) for name in tools)
    )


@pytest.mark.parametrize("texts", [POLISH, ENGLISH], ids=["pl", "en"])
def test_every_field_of_the_form_has_a_name_and_an_explanation(texts: Texts) -> None:
    form = html5lib.parseFragment(draw_form(texts), namespaceHTMLElements=False)
    labels = {one.get("for") for one in form.iter("label")}
    assert labels >= {*FIELDS, "system_prompt"}
    ids = {one.get("id") for one in form.iter()}
    for one in [*form.iter("input"), *form.iter("textarea")]:
        assert one.get("id") in labels or one.get("aria-label")
        assert set((one.get("aria-describedby") or "").split()) <= ids
    words = "".join(form.itertext())
    for parameter in (texts.temperature, texts.top_p, texts.repetition_penalty, texts.max_tokens):
        assert parameter.label in words
        assert parameter.explanation in words
