"""Every string in two languages; plural forms, numbers, durations, sizes and dates."""

import string
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import UTC, date, datetime

import pytest
from scripted.tables import every_row

from ui.texts import (
    ENGLISH,
    POLISH,
    Forms,
    Parameter,
    Texts,
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

LANGUAGES = (POLISH, ENGLISH)
TODAY = date(2026, 11, 21)
SPACE = "\N{NO-BREAK SPACE}"


def strings_of(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Every string below ``value`` with its path."""
    match value:
        case str():
            yield name, value
        case Texts() | Forms() | Parameter():
            for one in fields(value):
                yield from strings_of(getattr(value, one.name), f"{name}.{one.name}")
        case Mapping():
            for key, one in value.items():
                yield from strings_of(one, f"{name}.{key}")
        case tuple():
            for place, one in enumerate(value):
                yield from strings_of(one, f"{name}.{place}")
        case _:
            raise TypeError(name)


def placeholders_of(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("texts", LANGUAGES, ids=["pl", "en"])
def test_every_string_says_something(texts: Texts) -> None:
    assert [name for name, text in strings_of(texts) if not text.strip()] == []


def test_both_languages_have_the_same_strings() -> None:
    assert {name for name, _ in strings_of(POLISH)} == {name for name, _ in strings_of(ENGLISH)}


def test_both_languages_fill_in_the_same_places() -> None:
    polish, english = dict(strings_of(POLISH)), dict(strings_of(ENGLISH))
    differ = {n for n in polish if placeholders_of(polish[n]) != placeholders_of(english[n])}
    assert differ == set()


@pytest.mark.parametrize("texts", LANGUAGES, ids=["pl", "en"])
def test_a_year_has_twelve_months(texts: Texts) -> None:
    assert len(texts.months) == len(texts.months_in_dates) == 12


def test_polish_quotes_are_polish_and_english_ones_english() -> None:
    assert not [text for _, text in strings_of(POLISH) if "“" in text or '"' in text]
    assert not [text for _, text in strings_of(ENGLISH) if "„" in text or '"' in text]


@every_row(
    ("number", "said"),
    [
        (0, "0 rozmów"),
        (1, "1 rozmowa"),
        (2, "2 rozmowy"),
        (4, "4 rozmowy"),
        (5, "5 rozmów"),
        (12, "12 rozmów"),
        (14, "14 rozmów"),
        (21, "21 rozmów"),
        (22, "22 rozmowy"),
        (25, "25 rozmów"),
        (101, "101 rozmów"),
        (102, "102 rozmowy"),
        (112, "112 rozmów"),
        (1002, f"1{SPACE}002 rozmowy"),
    ],
)
def test_polish_nouns_agree_with_their_number(number: int, said: str) -> None:
    assert say_count(POLISH, POLISH.found, number) == said


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 chats"), (1, "1 chat"), (2, "2 chats"), (21, "21 chats")]
)
def test_english_nouns_have_two_forms(number: int, said: str) -> None:
    assert say_count(ENGLISH, ENGLISH.found, number) == said


@every_row(
    ("ms", "polish", "english"),
    [
        (0, "0,1 s", "0.1 s"),
        (40, "0,1 s", "0.1 s"),
        (830, "0,8 s", "0.8 s"),
        (9_940, "9,9 s", "9.9 s"),
        (9_960, "10 s", "10 s"),
        (59_400, "59 s", "59 s"),
        (59_600, "1 min 0 s", "1 min 0 s"),
        (65_000, "1 min 5 s", "1 min 5 s"),
    ],
)
def test_durations_are_short_and_have_the_language_s_sign(
    ms: int, polish: str, english: str
) -> None:
    assert say_duration(POLISH, ms) == polish.replace(" ", SPACE)
    assert say_duration(ENGLISH, ms) == english.replace(" ", SPACE)


@every_row(
    ("size", "said"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1 kB"),
        (12_400, "12 kB"),
        (999_400, "999 kB"),
        (999_600, "1,0 MB"),
        (1_440_000, "1,4 MB"),
    ],
)
def test_sizes_go_in_thousands(size: int, said: str) -> None:
    assert say_size(POLISH, size) == said.replace(" ", SPACE)


def test_numbers_have_a_decimal_comma_and_a_real_minus_in_polish() -> None:
    assert say_number(POLISH, -1234.56, 2) == f"−1{SPACE}234,56"
    assert say_number(POLISH, -0.001, 2) == "0,00"
    assert say_number(ENGLISH, 0.5, 1) == "0.5"


@every_row(
    ("day", "polish", "english"),
    [
        (date(2026, 11, 22), "Dzisiaj", "Today"),
        (date(2026, 11, 21), "Dzisiaj", "Today"),
        (date(2026, 11, 20), "Wczoraj", "Yesterday"),
        (date(2026, 11, 19), "Poprzednie 7 dni", "Previous 7 days"),
        (date(2026, 11, 14), "Poprzednie 7 dni", "Previous 7 days"),
        (date(2026, 11, 13), "Poprzednie 30 dni", "Previous 30 days"),
        (date(2026, 10, 22), "Poprzednie 30 dni", "Previous 30 days"),
        (date(2026, 10, 21), "Październik 2026", "October 2026"),
        (date(2025, 12, 31), "Grudzień 2025", "December 2025"),
    ],
)
def test_conversations_stand_under_headings_of_time(day: date, polish: str, english: str) -> None:
    assert say_group(POLISH, day, TODAY) == polish
    assert say_group(ENGLISH, day, TODAY) == english


def test_dates_take_the_genitive_of_their_month() -> None:
    assert say_date(POLISH, TODAY) == "21 listopada 2026"
    assert say_date(ENGLISH, TODAY) == "21 November 2026"


def test_moments_are_told_in_the_reader_s_time() -> None:
    assert say_moment(POLISH, datetime(2026, 7, 1, 22, 5, tzinfo=UTC)) == "2 lipca 2026, 0:05"


def test_a_tool_is_named_in_the_page_s_language() -> None:
    assert say_tool(POLISH, "get_weather", "Pogoda") == "Pogoda"
    assert say_tool(ENGLISH, "get_weather", "Pogoda") == "Weather"
    assert say_tool(ENGLISH, "exchange_rate", "Kursy walut") == "Kursy walut"
    assert say_tool(POLISH, "exchange_rate", "") == "exchange_rate"


def test_the_wrong_tool_is_told_in_its_own_words() -> None:
    assert say_not_about(POLISH, "get_weather", "Pogoda") == "To nie było pytanie o pogodę"
    other = say_not_about(POLISH, "exchange_rate", "Kursy walut")
    assert other == "To nie było zadanie dla narzędzia „Kursy walut”"


def test_an_error_is_told_by_its_code_then_by_the_gateway_s_words() -> None:
    assert "powstaje" in say_error(POLISH, "conversation_busy", "busy")
    assert say_error(POLISH, "brand_new", "Coś nowego") == "Coś nowego"
    assert say_error(ENGLISH, "brand_new") == ENGLISH.error_unknown


def test_of_a_limit_the_gateways_own_words_are_told_in_the_language_of_the_page() -> None:
    told = "Spróbuj ponownie za 18 s. / Try again in 18 s."
    assert say_error(POLISH, "rate_limit_exceeded", told) == "Spróbuj ponownie za 18 s."
    assert say_error(ENGLISH, "budget_exceeded", told) == "Try again in 18 s."
    assert say_error(POLISH, "rate_limit_exceeded") == POLISH.errors["rate_limit_exceeded"]
    assert say_error(POLISH, "queue_full", told) == POLISH.errors["queue_full"]
