"""The call reader: known forms, repairs that need no guessing, typed reasons, and no exception."""

import json

import pytest
from hypothesis import assume, example, given, strategies as st
from scripted.tables import every_row

from chatbot.router import DIALECTS, RouterLimits
from chatbot.router.calls import CallReader, Reading, read_calls
from chatbot.router.heads import Head

OFFERED = frozenset({"get_weather", "search_wikipedia", "calculate", "default_function"})
LIMITS = RouterLimits()
LLAMA = DIALECTS["llama3.1"]
WEATHER = ("get_weather", {"city": "Łódź"})
CALL = '{"name": "get_weather", "parameters": {"city": "Łódź"}}'
SUM = '{"name": "calculate", "parameters": {"expression": "2+2"}}'


def read(text: str, dialect: str = "llama3.1", *, is_clean: bool = True) -> Reading:
    return read_calls(text, DIALECTS[dialect], OFFERED, LIMITS, is_clean=is_clean)


def calls(text: str, dialect: str = "llama3.1") -> list[tuple[str, object]]:
    return [(call.name, call.arguments) for call in read(text, dialect).calls]


@every_row(
    ("dialect", "text"),
    [
        ("llama3.1", f"<|python_tag|>{CALL}"),
        ("llama3.1", CALL),
        ("llama3.1", '<|python_tag|>{"name": "get_weather", "arguments": {"city": "Łódź"}}'),
        ("llama3.1", '{"type": "function", "name": "get_weather", "parameters": {"city": "Łódź"}}'),
        ("llama3.1", '{"type": "function", "function": ' + CALL + "}"),
        ("llama3.1", '{"function": "get_weather", "parameters": {"city": "Łódź"}}'),
        ("llama3.1", '{"parameters": {"city": "Łódź"}, "name": "get_weather"}'),
        ("llama3.1", r'{"name": "get_weather", "parameters": "{\"city\": \"Łódź\"}"}'),
        ("llama3.1", r'{"name": "get_weather", "parameters": {"city": "\u0141\u00f3d\u017a"}}'),
        ("llama3.1", '<|python_tag|>get_weather.call(city="Łódź")'),
        ("llama3.1", "<|python_tag|>get_weather(city='Łódź')<|eom_id|>"),
        ("llama3.1", "[get_weather(city='Łódź')]"),
        ("llama3.1", '<function=get_weather>{"city": "Łódź"}</function>'),
        ("hermes", f"<tool_call>\n{CALL}\n</tool_call>"),
        ("bielik", f"<tool_call>{CALL}</tool_call><|im_end|>"),
        ("mistral", f"[TOOL_CALLS][{CALL}]"),
        ("mistral", '[TOOL_CALLS]get_weather{"city": "Łódź"}'),
        ("mistral", '[TOOL_CALLS]get_weather[CALL_ID]aB3[ARGS]{"city": "Łódź"}'),
        ("plain", f"<tool_call>{CALL}</tool_call>"),
        ("embedded", f"<|python_tag|>{CALL}"),
    ],
)
def test_known_forms_are_read(dialect: str, text: str) -> None:
    assert calls(text, dialect) == [WEATHER]


@every_row(
    "text",
    [
        f"{CALL}; {SUM}",
        f"<|python_tag|>{CALL}\n{SUM}",
        f"[{CALL}, {SUM}]",
        f"<|python_tag|>{CALL}<|python_tag|>{SUM}",
        f"<|python_tag|>{CALL}<|eom_id|>{SUM}",
        'get_weather(city="Łódź"); calculate(expression="2+2")',
    ],
)
def test_several_calls_keep_their_order(text: str) -> None:
    assert calls(text) == [WEATHER, ("calculate", {"expression": "2+2"})]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"name": "get_weather", "parameters": {"city": "Łódź"}', id="one brace less"),
        pytest.param('{"name": "get_weather", "parameters": {"city": "Łódź"', id="two braces less"),
        pytest.param(CALL[:-1] + "<|eom_id|>", id="one brace less before the control token"),
        pytest.param(CALL + "}", id="one brace too many"),
        pytest.param(CALL + "<|eom_id|><|eot_id|>", id="control tokens behind"),
        pytest.param(f"```json\n{CALL}\n```", id="code fence"),
        pytest.param(f"```json\n{CALL[:-1]}\n```", id="code fence and one brace less"),
        pytest.param(CALL.replace('"}}', '",},}'), id="trailing commas"),
        pytest.param(CALL + "\n\nTo sprawdzi pogodę w Łodzi.", id="prose behind"),
        pytest.param(f"{CALL};{CALL}", id="the same call twice"),
        pytest.param(
            f'{CALL}; {{"name": "default_function", "parameters": {{}}}}', id="default too"
        ),
        pytest.param(f'{CALL}; {{"name": "fly_to", "parameters": {{}}}}', id="unknown one too"),
        pytest.param(f'{CALL}; {{"name": "calculate", "para', id="second one cut off"),
    ],
)
def test_what_needs_no_guessing_is_repaired(text: str) -> None:
    assert calls(text) == [WEATHER]


def test_a_line_break_inside_a_string_is_kept() -> None:
    found = read('{"name": "calculate", "parameters": {"expression": "2+\n2"}}')
    assert found.calls[0].arguments == {"expression": "2+\n2"}


def test_a_comma_before_a_bracket_inside_a_string_is_kept() -> None:
    found = read('{"name": "calculate", "parameters": {"expression": "(1,]",}}')
    assert found.calls[0].arguments == {"expression": "(1,]"}


def test_arguments_may_be_missing() -> None:
    assert calls('{"name": "get_weather"}') == [("get_weather", {})]
    assert calls('{"name": "get_weather", "parameters": null}') == [("get_weather", {})]


def test_the_default_function_alone_is_no_call_and_no_problem() -> None:
    assert read('<|python_tag|>{"name": "default_function", "parameters": {}}') == Reading()


@every_row(
    ("text", "problem"),
    [
        ("", "no_call"),
        ("<|python_tag|>", "no_call"),
        ("<|python_tag|>import requests\nprint(1)", "no_call"),
        ("<|python_tag|>Przepraszam", "no_call"),
        ('<|python_tag|>print("a")', "bad_arguments"),
        ("<|python_tag|>get_weather(city=ask())", "bad_arguments"),
        ("<|python_tag|>get_weather(**a)", "bad_arguments"),
        ("<|python_tag|>get_weather(city={1, 2})", "bad_arguments"),
        ("<|python_tag|>get_weather(city=1e999)", "bad_arguments"),
        ("<|python_tag|>get_weather(city=b'x')", "bad_arguments"),
        ('{"city": "Łódź"}', "no_name"),
        ('{"name": 5}', "no_name"),
        ('{"name": " "}', "no_name"),
        ('{"name": "get_weather", "parameters": ["Łódź"]}', "bad_arguments"),
        ('{"name": "get_weather", "parameters": "Łódź"}', "bad_arguments"),
        ('{"name": "get_weather", "parameters": {"a": NaN}}', "bad_json"),
        ('{"name": "get_weather", "parameters": {"a": 1e999}}', "bad_arguments"),
        (r'{"name": "get_weather", "parameters": {"a": "\ud800"}}', "bad_arguments"),
        ('{"name": "get_weather", "parameters": {"a": ' + "9" * 5000 + "}}", "bad_json"),
        ('{"name": "get_weather" "parameters"}', "bad_json"),
        ('{"name": "get_weather", "parameters": ]', "bad_json"),
        ('{"name": "get_weather", "parameters": {"city": "Łó', "cut_off"),
        ('{"name": "get_weather", "parameters": ' + '{"a":' * 40 + "1" + "}" * 41, "bad_json"),
        ('{"name": "fly_to", "parameters": {}}', "unknown_tool"),
    ],
)
def test_what_cannot_be_used_has_a_typed_reason(text: str, problem: str) -> None:
    assert read(text) == Reading(problem=problem)  # type: ignore[arg-type]  # from parameters


def test_nothing_is_repaired_where_the_text_was_cut() -> None:
    assert read(CALL[:-1], is_clean=False).problem == "cut_off"


def test_a_control_token_proves_a_clean_end() -> None:
    found = read(CALL[:-1] + "<|eom_id|>", is_clean=False)
    assert [call.name for call in found.calls] == ["get_weather"]


def test_at_most_eight_different_calls_are_made() -> None:
    text = ";".join(
        f'{{"name": "calculate", "parameters": {{"expression": "{n}"}}}}' for n in range(200)
    )
    assert [call.arguments["expression"] for call in read(text[:16_000]).calls] == list("01234567")


def test_more_text_than_calls_may_have_is_refused() -> None:
    reader = CallReader(DIALECTS["llama3.1"], OFFERED, LIMITS)
    for _ in range(20):
        reader.feed("<|python_tag|>" + " " * 1_000)
    assert reader.is_too_long
    assert reader.finish(is_clean=True) == Reading(problem="too_long")


def first_name_at(text: str) -> tuple[Head, int]:
    reader = CallReader(DIALECTS["llama3.1"], OFFERED, LIMITS)
    for at, char in enumerate(text, start=1):
        head = reader.feed(char)
        if head.state != "open":
            return head, at
    return reader.head, len(text)


@every_row(
    ("text", "name"),
    [
        ('<|python_tag|>{"name": "default_function"', "default_function"),
        ('{"type": "function", "name": "get_weather"', "get_weather"),
        ('{"type": "function", "function": {"name": "calculate"', "calculate"),
        ('{"parameters": {"name": "Jan"}, "name": "calculate"', "calculate"),
        ("<|python_tag|>get_weather(", "get_weather"),
        ("<|python_tag|>get_weather.call(", "get_weather"),
        ("<function=get_weather>", "get_weather"),
        ('<|python_tag|>{"name": "fly_to"', "fly_to"),
    ],
)
def test_the_first_name_is_known_before_its_arguments(text: str, name: str) -> None:
    head, at = first_name_at(text + ', "parameters": {"city": "Łódź"}}')
    assert (head.name, at) == (name, len(text))


def test_code_is_known_before_it_ends() -> None:
    head, at = first_name_at("<|python_tag|>import requests\n" * 3)
    assert head.state == "hopeless"
    assert at == len("<|python_tag|>import r")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
FRAGMENTS = [
    *("<|python_tag|>", "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "[ARGS]", "<function=", ">"),
    *('{"name": "get_weather"', '"parameters": ', '"arguments": "', "{", "}", "[", "]", "(", ")"),
    *('"', "'", "\\", ",", ":", ";", "```json", "\n", "calculate", ".call(", "city=", "**", "\x00"),
    *(
        "1e999",
        "-" * 300,
        "[" * 300,
        "9" * 5_000,
        "\ud800",
        r"\ud800",
        "null",
        "<|eom_id|>",
        "lambda:0",
    ),
]
ANYTHING = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=16).map("".join)


@given(text=ANYTHING, dialect=st.sampled_from(sorted(DIALECTS)), is_clean=st.booleans())
@example(text="<|python_tag|>calculate(a=" + "-" * 3_900 + "1)", dialect="llama3.1", is_clean=True)
@example(text="<|python_tag|>calculate(a='\\d')", dialect="llama3.1", is_clean=True)
@example(
    text='{"name": "calculate", "parameters": "' + "[" * 5_000, dialect="llama3.1", is_clean=True
)
@example(
    text=r'{"name": "calculate", "parameters": "{\"a\":' + "[" * 3_000 + '"}',
    dialect="llama3.1",
    is_clean=True,
)
def test_no_text_raises(text: str, dialect: str, is_clean: bool) -> None:
    reading = read(text, dialect, is_clean=is_clean)
    assert all(call.name in OFFERED for call in reading.calls)
    json.dumps([call.arguments for call in reading.calls], allow_nan=False).encode()


@given(ANYTHING, st.sampled_from(sorted(DIALECTS)))
def test_pieces_give_what_the_whole_gives(text: str, dialect: str) -> None:
    whole, pieces = (CallReader(DIALECTS[dialect], OFFERED, LIMITS) for _ in range(2))
    whole.feed(text)
    for char in text:
        pieces.feed(char)
    assert pieces.finish(is_clean=True) == whole.finish(is_clean=True)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_any_arguments_come_through(arguments: dict[str, object]) -> None:
    text = json.dumps({"name": "calculate", "parameters": arguments}, ensure_ascii=False)
    assume(not any(mark in text for mark in (*LLAMA.openers, *LLAMA.closers)))
    assert calls(f"<|python_tag|>{text}<|eom_id|>") == [("calculate", arguments)]
