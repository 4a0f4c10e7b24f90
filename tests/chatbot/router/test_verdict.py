"""The verdict: from which characters it comes, and that chunks never change it."""

from hypothesis import example, given, strategies as st
from scripted.tables import every_row

from chatbot.router import DIALECTS, RouterLimits
from chatbot.router.verdict import Judge, Verdict

OFFERED = frozenset({"get_weather", "search_wikipedia", "calculate", "default_function"})
LIMITS = RouterLimits(reasoning_chars=200)
FRAGMENTS = [
    *("<|python_tag|>", "<tool_call>", "[TOOL_CALLS]", "<function=", "<think>", "</think>"),
    *('{"name": "', 'get_weather"', "get_w", "eather", '"parameters": {', '"type": "function", '),
    *(
        "{",
        "}",
        "[",
        '"',
        ",",
        ":",
        " ",
        "\n",
        "```json\n",
        "`",
        "(",
        "calculate",
        "Jan",
        "<",
        "null",
    ),
    *("[THINK]", "[/THINK]", "import os", '{"function": {"name": "calculate', "<|eom_id|>"),
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=12).map("".join)
NAMES = st.sampled_from(sorted(DIALECTS))


def judge(*pieces: str, dialect: str = "llama3.1") -> Verdict:
    judge = Judge(DIALECTS[dialect], OFFERED, LIMITS)
    for piece in pieces:
        judge.feed(piece)
    return judge.verdict


@every_row(
    ("dialect", "text"),
    [
        ("llama3.1", "<|python_tag|>"),
        ("llama3.1", "\n <|python_tag|>"),
        ("llama3.1", "<function=get_weather>"),
        ("llama3.1", '{"name": "get_weather"'),
        ("llama3.1", '{"type": "function", "name": "calculate"'),
        ("llama3.1", '{"type": "function", "function": {"name": "calculate"'),
        ("llama3.1", '{"function": "calculate"'),
        ("llama3.1", '{"parameters": {"city": "Łódź"}, "name": "get_weather"'),
        ("llama3.1", '[{"name": "get_weather"'),
        ("llama3.1", '```json\n{"name": "get_weather"'),
        ("llama3.1", 'get_weather(city="Łódź")'),
        ("llama3.1", "[calculate("),
        ("llama3.1", 'calculate.call(expression="2+2")'),
        ("llama3.1", '{"name": "default_function"'),
        ("llama3.1", "<think>Hm. Pogoda?</think>\n<|python_tag|>"),
        ("hermes", "<tool_call>"),
        ("bielik", '<tool_call>\n{"name": "Jan"'),
        ("mistral", "[TOOL_CALLS]"),
        ("mistral", "[THINK]aha[/THINK][TOOL_CALLS]"),
        ("plain", "<tool_call>"),
        ("plain", "[TOOL_CALLS]"),
        ("plain", "<|python_tag|>"),
        ("embedded", "<|python_tag|>"),
    ],
)
def test_a_call_begins(dialect: str, text: str) -> None:
    assert judge(text, dialect=dialect) == "tool"


@every_row(
    ("dialect", "text"),
    [
        ("llama3.1", "J"),
        ("llama3.1", "Jesień"),
        ("llama3.1", '{"imi'),
        ("llama3.1", '{"name": "Jan'),
        ("llama3.1", '{"name": "get_weathers'),
        ("llama3.1", '{"name": 5'),
        ("llama3.1", "{ name"),
        ("llama3.1", "{}"),
        ("llama3.1", '{"type": "object'),
        ("llama3.1", '[{"imię'),
        ("llama3.1", "[1"),
        ("llama3.1", "```python"),
        ("llama3.1", "<p"),
        ("llama3.1", "calculate the"),
        ("llama3.1", " " * 64),
        ("llama3.1", '{"parameters": {"city": "' + "a" * 60),
        ("llama3.1", "<think>tak</think> Oto fraszka"),
        ("llama3.1", "<think>" + "a" * 300),
        ("hermes", "<|python_tag|>"),
        ("mistral", "[TOOL_RESULTS]"),
        ("embedded", '{"name": "get_weather"'),
    ],
)
def test_no_call_can_follow(dialect: str, text: str) -> None:
    assert judge(text, dialect=dialect) == "default"


@every_row(
    "text",
    [
        "",
        " ",
        "<",
        "<|python_ta",
        "{",
        '{"',
        '{"na',
        '{"name": "get_',
        "```",
        "[",
        "<think>a",
        "get_w",
    ],
)
def test_more_must_be_read(text: str) -> None:
    assert judge(text) == "undecided"


def test_plain_polish_text_is_known_by_its_first_character() -> None:
    assert judge("Ż") == "default"


def test_a_call_on_the_wire_is_a_call() -> None:
    assert Judge(DIALECTS["plain"], OFFERED, LIMITS).feed_call() == "tool"


def test_what_stays_undecided_was_no_call() -> None:
    judge = Judge(DIALECTS["llama3.1"], OFFERED, LIMITS)
    judge.feed('{"name": "get_')
    assert judge.finish() == "default"


@given(TEXTS, NAMES)
@example('  <think>x</think>{"name": "get_weather"', "llama3.1")
@example(" " * 63 + "<|python_tag|>", "llama3.1")
@example(" " * 60 + "<think></think><|python_tag|>", "llama3.1")
def test_one_character_at_a_time_gives_the_same_verdict(text: str, dialect: str) -> None:
    assert judge(*text, dialect=dialect) == judge(text, dialect=dialect)


@given(TEXTS, NAMES)
def test_every_split_in_two_gives_the_same_verdict(text: str, dialect: str) -> None:
    whole = judge(text, dialect=dialect)
    splits = {judge(text[:at], text[at:], dialect=dialect) for at in range(len(text) + 1)}
    assert splits == {whole}


@given(TEXTS, TEXTS, NAMES)
def test_a_verdict_is_final(text: str, more: str, dialect: str) -> None:
    first = judge(text, dialect=dialect)
    assert first == "undecided" or judge(text + more, dialect=dialect) == first


@given(TEXTS, NAMES)
def test_at_most_64_characters_are_undecided(text: str, dialect: str) -> None:
    judge = Judge(DIALECTS[dialect], OFFERED, LIMITS)
    judge.feed(text)
    assert judge.verdict != "undecided" or len(judge.held) < 64
