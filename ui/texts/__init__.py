"""The words of the page: every string in Polish and English, plural forms, numbers and dates."""

from ui.texts.english import ENGLISH
from ui.texts.polish import POLISH
from ui.texts.saying import (
    WARSAW,
    say_count,
    say_date,
    say_duration,
    say_error,
    say_group,
    say_moment,
    say_not_about,
    say_number,
    say_size,
    say_tool,
)
from ui.texts.words import Forms, Parameter, Texts

__all__ = [
    "ENGLISH",
    "POLISH",
    "WARSAW",
    "Forms",
    "Parameter",
    "Texts",
    "say_count",
    "say_date",
    "say_duration",
    "say_error",
    "say_group",
    "say_moment",
    "say_not_about",
    "say_number",
    "say_size",
    "say_tool",
]
