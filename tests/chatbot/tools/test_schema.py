import re
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from chatbot.errors import ToolArgumentError
from chatbot.tools import Name, ToolContext, tool
from chatbot.types import JsonValue


class Node(BaseModel):
    name: str
    children: list["Node"] = []


class Point(BaseModel):
    x: int
    title: str = Field(default="", description="Label")


@tool()
def draw_map(
    city: Annotated[
        str, Name("place"), Field(json_schema_extra={"question": "Dla jakiego miasta?"})
    ],
    ctx: ToolContext,
    *,
    author: Annotated[str, Name("person")] | None = None,
    style: Literal["plain", "night"] = "plain",
    zoom: Annotated[int, Field(ge=1, le=9)] = 3,
    marks: list[Point] | None = None,
) -> str:
    """Draw a map.

    Not for plans of flats.

    Args:
        city: The city, in its
            base form.
        zoom (int): How near.

    Returns:
        A map.
    """
    return f"{city} {style} {zoom} {marks}"


def test_the_description_is_the_docstring_before_its_sections() -> None:
    assert draw_map.spec.description == "Draw a map.\n\nNot for plans of flats."


def test_the_schema_comes_from_signature_and_docstring() -> None:
    assert draw_map.spec.parameters["required"] == ["city"]
    assert draw_map.spec.parameters["properties"] == {
        "city": {
            "type": "string",
            "description": "The city, in its base form.",
            "x-name": "place",
        },
        "author": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "default": None,
            "x-name": "person",
        },
        "style": {"type": "string", "enum": ["plain", "night"], "default": "plain"},
        "zoom": {
            "type": "integer",
            "minimum": 1,
            "maximum": 9,
            "default": 3,
            "description": "How near.",
        },
        "marks": {
            "anyOf": [
                {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "x": {"type": "integer"},
                            "title": {
                                "type": "string",
                                "default": "",
                                "description": "Label",
                            },
                        },
                        "required": ["x"],
                    },
                },
                {"type": "null"},
            ],
            "default": None,
        },
    }


def test_arguments_are_coerced_completed_and_stripped() -> None:
    validated = draw_map.validate({"city": " Łódź ", "zoom": "5", "unit": "celsius"})
    assert validated == {
        "city": "Łódź",
        "author": None,
        "style": "plain",
        "zoom": 5,
        "marks": None,
    }


@pytest.mark.parametrize("city", [None, "", "  "])
def test_a_blank_required_argument_is_missing(city: str | None) -> None:
    with pytest.raises(ToolArgumentError) as caught:
        draw_map.validate({"city": city})
    assert caught.value.is_missing
    assert caught.value.argument == "city"


def test_an_unusable_argument_is_named_in_polish() -> None:
    with pytest.raises(ToolArgumentError, match="Nie rozumiem wartości „blisko”") as caught:
        draw_map.validate({"city": "Łódź", "zoom": "blisko"})
    assert not caught.value.is_missing
    assert caught.value.argument == "zoom"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b[31mblisko\ud800\n\u202ez", "[31mblisko z"),
        ("x" * 100, "x" * 59 + "…"),
        ([10**5000], "?"),
    ],
)
def test_what_is_quoted_back_is_one_clean_short_line(given: JsonValue, shown: str) -> None:
    with pytest.raises(ToolArgumentError, match=re.escape(f"„{shown}”")):
        draw_map.validate({"city": "Łódź", "zoom": given})


def test_an_optional_argument_left_blank_has_its_default() -> None:
    assert draw_map.validate({"city": "Łódź", "zoom": "", "style": None})["zoom"] == 3


def test_an_unknown_choice_lists_the_possible_ones() -> None:
    with pytest.raises(ToolArgumentError, match="„plain” albo „night”"):
        draw_map.validate({"city": "Łódź", "style": "nocny"})


def test_a_missing_argument_has_its_own_question() -> None:
    assert draw_map.ask("city") == "Dla jakiego miasta?"


def test_a_name_has_a_question_of_its_kind() -> None:
    assert draw_map.ask("author") == "O kogo chodzi?"


def test_any_other_argument_has_a_general_question() -> None:
    assert draw_map.ask("zoom") == "Jaką wartość ma mieć „zoom” (narzędzie „draw_map”)?"


def test_a_summary_shows_what_differs_from_the_defaults() -> None:
    arguments = draw_map.validate({"city": "Łódź", "zoom": 9})
    assert draw_map.summarise(arguments) == "draw_map · Łódź · 9"


def test_a_summary_is_one_clean_line() -> None:
    arguments = draw_map.validate({"city": "Łódź\x1b[2J\n\u2028nocą"})
    assert draw_map.summarise(arguments) == "draw_map · Łódź [2J nocą"


def test_a_type_that_contains_itself_is_refused() -> None:
    def walk(node: Node) -> str:
        return node.name

    with pytest.raises(TypeError, match="contains itself"):
        tool()(walk)


def test_variadic_arguments_are_refused() -> None:
    def add(*numbers: int) -> str:
        return str(sum(numbers))

    with pytest.raises(TypeError, match="variadic"):
        tool()(add)


def test_an_argument_without_a_type_is_refused() -> None:
    def guess(number):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - that is the point
        return str(number)

    with pytest.raises(TypeError, match="has no type"):
        tool()(guess)


def test_a_name_that_pydantic_keeps_is_refused() -> None:
    def show(json: str) -> str:
        return json

    with pytest.raises(TypeError, match="rename it"):
        tool()(show)


def test_a_sync_generator_is_refused() -> None:
    def count(to: int):  # type: ignore[no-untyped-def]  # noqa: ANN202 - no type fits a wrong tool
        yield from range(to)

    with pytest.raises(TypeError, match="generator"):
        tool()(count)


def test_a_tool_needs_a_name() -> None:
    with pytest.raises(TypeError, match="no name"):
        tool()(lambda: "")
