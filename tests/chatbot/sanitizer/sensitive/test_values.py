"""JSON is screened by its values, and nothing passes that was not looked at."""

import json

from scripted.rules import PESEL, rules
from scripted.tables import every_row

from chatbot.sanitizer.sensitive import screen_json

SHOW = rules().show


@every_row(
    "text",
    [
        f'{{"a": "{PESEL}", "a": "x"}}',
        f'{{"a": {PESEL}, "a": 1}}',
        f'[{{"b": {{"a": "{PESEL}", "a": "x"}}}}]',
        f'{{"{PESEL}": 1, "a": {{"b": "{PESEL}"}}, "a": 2}}',
        f'{{"a": "\\u0034{PESEL[1:]}", "\\u0061": "x"}}',
    ],
)
def test_a_name_that_comes_twice_hides_nothing(text: str) -> None:
    shown = screen_json(text, SHOW)
    assert PESEL not in shown
    assert PESEL[1:] not in shown
    assert "[PESEL]" in shown or json.loads(shown) == json.loads(text)


@every_row("text", ['{"a" : 1,"b":[ "x", null, 1e2, {"a":2} ]}', "[]", "NaN", "no {json", '{"a":'])
def test_json_in_which_nothing_is_found_stays_as_it_was_written(text: str) -> None:
    assert screen_json(text, SHOW) == text


def test_the_last_of_two_values_stays() -> None:
    assert screen_json('{"a": 1, "b": 2, "a": 3}', SHOW) == '{"a": 3, "b": 2}'
