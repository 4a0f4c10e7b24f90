"""BFCL's files: what is read of them, and how a model is shown their functions."""

import json
from pathlib import Path

import pytest

from evals.bfcl.entries import BfclDataError, read_entries

SAMPLE = Path(__file__).parent / "bfcl"


def copy(folder: Path, category: str, **changed: object) -> Path:
    """The first line of a category's question, changed, with its answer."""
    (folder / "possible_answer").mkdir()
    for name in (f"BFCL_v4_{category}.json", f"possible_answer/BFCL_v4_{category}.json"):
        line = json.loads((SAMPLE / name).read_text(encoding="utf-8").splitlines()[0])
        line.update({key: value for key, value in changed.items() if key in line})
        (folder / name).write_text(json.dumps(line), encoding="utf-8")
    return folder


def test_types_become_those_of_json_schema() -> None:
    parcel = read_entries(SAMPLE, "simple_python")[2].functions[0].spec
    assert parcel.parameters["type"] == "object"
    properties = parcel.parameters["properties"]
    assert isinstance(properties, dict)
    kinds = {name: one.get("type") for name, one in properties.items()}
    assert kinds == {"address": "object", "weight": "number", "size": "array", "note": None}
    assert properties["address"]["properties"]["flat"] == {"type": "integer"}
    assert properties["size"]["items"] == {"type": "integer"}


def test_items_of_lists_become_those_of_json_schema() -> None:
    bread, order = (read_entries(SAMPLE, "simple_python")[place] for place in (1, 4))
    grams = bread.functions[0].spec.parameters["properties"]["grams"]  # type: ignore[index,call-overload]
    meals = order.functions[0].spec.parameters["properties"]["meals"]  # type: ignore[index,call-overload]
    assert grams["items"] == {"type": "number"}  # type: ignore[index,call-overload]
    assert meals["items"]["type"] == "object"  # type: ignore[index,call-overload]


def test_a_model_sees_no_dots_in_names() -> None:
    entry = read_entries(SAMPLE, "simple_python")[0]
    assert entry.functions[0].spec.name == "tram_find_line"
    assert entry.right[0].function is entry.functions[0]


def test_what_the_system_says_stands_before_the_question() -> None:
    prompt = read_entries(SAMPLE, "live_relevance")[0].prompt
    assert prompt == "Answer shortly.\n\nFrom Rynek to Most, low floor!"


def test_where_only_presence_counts_no_answers_are_needed() -> None:
    assert [entry.right for entry in read_entries(SAMPLE, "irrelevance")] == [(), ()]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BfclDataError, match=r"BFCL_v4_multiple\.json"):
        read_entries(tmp_path, "multiple")


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"question": []}, "question"),
        ({"function": [{"name": "f", "description": "d", "parameters": {}}]}, "properties"),
        ({"ground_truth": [{}]}, "an answer is one function"),
        ({"ground_truth": [{"other": {}}]}, "'other'"),
        ({"ground_truth": [{"tram.find_line": {"start": "Rynek"}}]}, "ground_truth"),
    ],
)
def test_a_line_in_another_format_is_refused_with_its_place(
    tmp_path: Path, changed: dict[str, object], complaint: str
) -> None:
    copy(tmp_path, "simple_python", **changed)
    with pytest.raises(BfclDataError, match=complaint) as refused:
        read_entries(tmp_path, "simple_python")
    assert ".json:1: " in refused.value.message


@pytest.mark.parametrize(
    "declared",
    [
        {"type": "char"},
        {"description": "no type"},
        {"type": "array"},
        {"type": "tuple", "items": 3},
    ],
)
def test_a_type_that_cannot_be_judged_is_refused(
    tmp_path: Path, declared: dict[str, object]
) -> None:
    parameters = {"type": "dict", "properties": {"a": declared}, "required": []}
    function = {"name": "tram.find_line", "description": "d", "parameters": parameters}
    copy(tmp_path, "simple_python", function=[function])
    with pytest.raises(BfclDataError, match="simple_python_0"):
        read_entries(tmp_path, "simple_python")


def test_functions_that_a_model_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    parameters = {"type": "dict", "properties": {}, "required": []}
    names = ("tram.find_line", "tram_find.line")
    functions = [{"name": n, "description": "", "parameters": parameters} for n in names]
    copy(tmp_path, "simple_python", function=functions)
    with pytest.raises(BfclDataError, match="the same name"):
        read_entries(tmp_path, "simple_python")
