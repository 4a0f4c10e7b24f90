"""Prompts are files that need all their values."""

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from chatbot.prompts import load


def test_a_prompt_is_rendered_with_its_values() -> None:
    text = load("router_message", state=["miejsce: Łódź"], prompt="A jutro?")
    assert text.endswith("miejsce: Łódź\n\nUser's message: A jutro?")


def test_values_are_not_escaped() -> None:
    assert load("router_message", state=[], prompt="1 < 2 & „tak”") == "1 < 2 & „tak”"


def test_values_are_not_rendered_themselves() -> None:
    assert load("router_message", state=[], prompt="{{ 7 * 7 }}{% if %}") == "{{ 7 * 7 }}{% if %}"


def test_a_forgotten_value_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="prompt"):
        load("router_message", state=[])


def test_an_unknown_prompt_is_an_error() -> None:
    with pytest.raises(TemplateNotFound):
        load("no_such_prompt")
