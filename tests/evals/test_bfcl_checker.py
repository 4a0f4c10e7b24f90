"""BFCL's judgement of calls, case by case; `tests/parts` compares it with the published one."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from scripted.tables import every_row

from chatbot.types import JsonObject, JsonValue
from evals.bfcl.checker import Fault, find_fault
from evals.bfcl.entries import Entry, read_entries
from evals.bfcl.variants import make_variants
from evals.solver import DecidedCall

SAMPLE = Path(__file__).parent / "bfcl"
SIMPLE = read_entries(SAMPLE, "simple_python")
TRAM, BREAD, PARCEL, VARIABLE, MEALS, RANK = SIMPLE
JUDGED = ("simple_python", "multiple", "parallel", "parallel_multiple")

ADDRESS: JsonObject = {"street": "Długa 5", "town": "Gdańsk"}
PARCEL_CALL: JsonObject = {"address": ADDRESS, "weight": 2.5, "size": [20, 30]}
BREAD_CALL: JsonObject = {"flours": ["rye", "spelt"], "grams": [400.0, 250.5], "celsius": 220}
SOUP: JsonObject = {"name": "soup", "count": 2}
CAKE: JsonObject = {"name": "cake", "count": 1}


def fault(entry: Entry, **arguments: JsonValue) -> Fault | None:
    name = entry.functions[0].spec.name
    return find_fault(entry, [DecidedCall(tool=name, arguments=arguments)])


@pytest.mark.parametrize("category", JUDGED)
def test_what_is_right_is_right(category: str) -> None:
    for entry in read_entries(SAMPLE, category):
        assert find_fault(entry, next(make_variants(entry))) is None


def test_another_function_is_wrong() -> None:
    call = DecidedCall(tool="tram.find_line", arguments={"start": "Rynek", "stop": "Dworzec"})
    assert find_fault(TRAM, [call]) == "wrong function"
    assert find_fault(TRAM, [call, call]) == "wrong count"
    assert find_fault(TRAM, []) == "no call"


@every_row(
    ("arguments", "found"),
    [
        ({"start": "Rynek", "stop": "Dworzec"}, None),
        ({"start": "Rynek", "stop": "dworzec, GŁÓWNY"}, None),
        ({"start": "RYNEK.", "stop": "dworzec_główny"}, None),
        ({"start": "Rynek", "stop": "Dworzec Glowny"}, "wrong value"),
        ({"start": "Rynek"}, "missing argument"),
        ({"start": "Rynek", "stop": "Dworzec", "line": 4}, "unexpected argument"),
        ({"start": "Rynek", "stop": "Dworzec", "hour": 8}, None),
        ({"start": "Rynek", "stop": "Dworzec", "hour": 9}, "wrong value"),
        ({"start": "Rynek", "stop": "Dworzec", "hour": 8.0}, "wrong type"),
        ({"start": "Rynek", "stop": "Dworzec", "hour": "8"}, "wrong type"),
        ({"start": "Rynek", "stop": "Dworzec", "low_floor": 0}, "wrong type"),
        ({"start": "Rynek", "stop": "Dworzec", "hour": None}, "wrong type"),
    ],
)
def test_arguments(arguments: Mapping[str, JsonValue], found: Fault | None) -> None:
    assert fault(TRAM, **arguments) == found


def test_an_argument_that_only_the_answer_demands_is_missing() -> None:
    without_days = DecidedCall(tool="clock_set_alarm", arguments={"time": "6:30"})
    wake = read_entries(SAMPLE, "multiple")[0]
    assert find_fault(wake, [without_days]) == "missing argument"


@every_row(
    ("changed", "found"),
    [
        ({"celsius": 220.0}, None),
        ({"celsius": 10**400}, "wrong value"),
        ({"celsius": "220"}, "wrong type"),
        ({"flours": ["Rye", "spelt"]}, None),
        ({"flours": ["spelt", "rye"]}, None),
        ({"flours": ["rye"]}, "wrong value"),
        ({"flours": ["rye", 4]}, "wrong type"),
        ({"flours": "rye, spelt"}, "wrong type"),
        ({"grams": [400, 250.5]}, None),
        ({"grams": [250.5, 400]}, "wrong value"),
    ],
)
def test_lists(changed: Mapping[str, JsonValue], found: Fault | None) -> None:
    assert fault(BREAD, **{**BREAD_CALL, **changed}) == found


@every_row(
    ("changed", "found"),
    [
        ({"address": {**ADDRESS, "flat": 7}}, None),
        ({"address": {**ADDRESS, "flat": 8}}, "wrong value"),
        ({"address": {"street": "Długa 5"}}, "wrong value"),
        ({"address": {**ADDRESS, "post_code": "80-831"}}, "wrong value"),
        ({"address": {**ADDRESS, "street": "UL. DŁUGA 5"}}, None),
        ({"address": "Długa 5, Gdańsk"}, "wrong type"),
        ({"size": [30, 20]}, "wrong value"),
        ({"note": ""}, None),
    ],
)
def test_objects(changed: Mapping[str, JsonValue], found: Fault | None) -> None:
    assert fault(PARCEL, **{**PARCEL_CALL, **changed}) == found


@every_row(
    ("meals", "found"),
    [
        ([SOUP, CAKE], None),
        ([SOUP, {"name": "Cake"}], None),
        ([CAKE, SOUP], "wrong value"),
        ([SOUP], "wrong value"),
        ([SOUP, "cake"], "wrong type"),
        ([], "wrong value"),
    ],
)
def test_lists_of_objects_are_in_order(meals: JsonValue, found: Fault | None) -> None:
    assert fault(MEALS, meals=meals) == found


def test_quotes_of_either_kind_are_the_same() -> None:
    assert fault(MEALS, meals=[SOUP, CAKE], payer='anna o"brien') is None


@every_row(
    ("changed", "found"),
    [
        ({}, None),
        ({"address": "That_Address"}, "wrong value"),
        ({"address": {"street": "that_address"}}, "wrong value"),
        ({"weight": 2}, "wrong value"),
        ({"weight": 1.0}, None),
        ({"note": "12"}, "wrong value"),
        ({"size": []}, None),
        ({"size": [10, 11]}, "wrong value"),
    ],
)
def test_an_answer_of_another_type_is_a_variable_and_compared_as_it_is(
    changed: Mapping[str, JsonValue], found: Fault | None
) -> None:
    given: JsonObject = {"address": "that_address", "weight": "weight_kg", "note": 12, **changed}
    assert fault(VARIABLE, **given) == found


def test_nested_lists_are_compared_by_value() -> None:
    assert fault(RANK, rows=[[1, 2], [2, 4]]) is None
    assert fault(RANK, rows=[[2, 4], [1, 2]]) == "wrong value"
    assert fault(RANK, rows=[1, 2]) == "wrong type"


def test_parallel_calls_are_right_in_any_order() -> None:
    entry = read_entries(SAMPLE, "parallel")[0]
    first, second = next(make_variants(entry))
    assert find_fault(entry, [second, first]) is None
    assert find_fault(entry, [first, first]) == "no match"
    assert find_fault(entry, [first]) == "wrong count"


def test_each_expected_call_takes_the_first_that_is_right_as_the_published_checker_does() -> None:
    both = read_entries(SAMPLE, "parallel")[1]
    one: JsonObject = {"start": "A", "stop": "B", "hour": 9}
    other: JsonObject = {"start": "A", "stop": "C", "hour": 9}
    calls = [DecidedCall(tool="tram_find_line", arguments=given) for given in (one, other)]
    assert find_fault(both, calls) is None
    assert find_fault(both, [calls[1], calls[0]]) is None
    assert find_fault(both, [calls[1], calls[1]]) == "no match"


def test_equal_numbers_of_other_types_are_not_taken_for_each_other() -> None:
    entry = read_entries(SAMPLE, "parallel")[1]
    wrong: JsonObject = {"start": "A", "stop": "B", "hour": 9.0}
    right: JsonObject = {"start": "A", "stop": "B", "hour": 9}
    calls = [DecidedCall(tool="tram_find_line", arguments=given) for given in (wrong, right)]
    assert find_fault(entry, calls) == "no match"


def test_where_nothing_fits_any_call_is_needless() -> None:
    entry = read_entries(SAMPLE, "irrelevance")[0]
    assert find_fault(entry, []) is None
    assert find_fault(entry, [DecidedCall(tool="x", arguments={})]) == "needless call"


def test_where_something_fits_any_call_will_do() -> None:
    entry = read_entries(SAMPLE, "live_relevance")[0]
    assert find_fault(entry, []) == "no call"
    assert find_fault(entry, [DecidedCall(tool="x", arguments={})]) is None
