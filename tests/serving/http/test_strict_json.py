from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from scripted.effort import ratio
from scripted.tables import every_row

from chatbot.errors import InvalidRequest
from serving.gateway.completion import encode
from serving.http.strict_json import read_json
from serving.settings import LimitsSettings

LIMITS = LimitsSettings()
HONEST = b'{"a":"' + b"x" * 1_999_000 + b'"}'
MOST = 8.0
"""How many times longer than the honest body, of the same length, a refusal may take."""

HOSTILE = {
    "deep lists": b"[" * 1_000_000,
    "deep objects": b'{"a":' * 300_000,
    "many keys": b"{" + b",".join(b'"k%d":1' % number for number in range(170_000)) + b"}",
    "many values": b'{"a":[' + b"1," * 1_000_000 + b"1]}",
    "many strings": b'{"a":[' + b'"",' * 600_000 + b'""]}',
    "quotes without end": b'"\\' * 1_000_000,
    "only quotes": b'"' * 2_000_000,
    "backslashes without end": b'{"a":"' + b"\\\\" * 999_999,
    "a number of two million digits": b'{"a":' + b"9" * 2_000_000 + b"}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_are_refused_quickly(name: str) -> None:
    def read_or_refuse(body: bytes) -> None:
        with suppress(InvalidRequest):
            read_json(body, LIMITS)

    with pytest.raises(InvalidRequest):
        read_json(HOSTILE[name], LIMITS)
    assert ratio(read_or_refuse, HONEST, HOSTILE[name], below=MOST) < MOST


@every_row(
    ("body", "words"),
    [
        (b'{"a":"\xff"}', "not valid UTF-8 at byte 6"),
        (b'{"a":"\xc0\xaf"}', "not valid UTF-8 at byte 6"),
        (b'{"a":"\xed\xa0\x80"}', "not valid UTF-8 at byte 6"),
        (b"\xef\xbb\xbf{}", "byte order mark at byte 0"),
        (b'{"a":["x","ab\\ud800"]}', r"a\.1 has U\+D800 at character 2"),
        (b'{"a":"\\u0000"}', r"a has U\+0000 at character 0"),
        (b'{"a":"\xef\xbf\xbe"}', r"U\+FFFE"),
        (b'{"\\ud800":1}', r"a key has U\+D800"),
        (b'{"a":NaN}', "NaN"),
        (b'{"a":-Infinity}', "-Infinity"),
        (b'{"a":1e999}', "too large"),
        (b'{"a":1' + b"0" * 5000 + b"}", "too long"),
        (b'{"a":1 2}', "line 1 column 8"),
        (b"", "not valid JSON"),
        (b"[]", "must be a JSON object"),
        (b"[" * 65 + b"]" * 65, "more than 64 levels"),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_position(body: bytes, words: str) -> None:
    with pytest.raises(InvalidRequest, match=words):
        read_json(body, LIMITS)


@every_row("escape", ["\\u0000", "\\uD8aB", "\\udFff", "\\uFFFE", "\\ufFfF"])
@every_row("body", ['{"a":{"b":"x%s"}}', '{"%s":1}', '{"zażółć \\u0119":["%s"]}'])
def test_an_escape_of_what_is_no_text_is_found_however_it_is_written(
    escape: str, body: str
) -> None:
    with pytest.raises(InvalidRequest, match=r"U\+.* which is not text"):
        read_json((body % escape).encode(), LIMITS)


def test_of_a_key_given_twice_the_last_counts() -> None:
    assert read_json(b'{"a":1,"a":2}', LIMITS) == {"a": 2}


def test_a_pair_of_surrogates_is_a_character() -> None:
    assert read_json(b'{"a":"\\ud83d\\ude00"}', LIMITS) == {"a": "😀"}


def test_brackets_and_quotes_inside_text_are_text() -> None:
    text = '[[[{{{"\\' * 100
    assert read_json(encode({"a": text}), LIMITS) == {"a": text}


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abż"), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text("abż"), VALUES, max_size=4))
def test_ordinary_json_is_read_as_it_is(value: dict[str, object]) -> None:
    assert read_json(encode(value), LIMITS) == value
