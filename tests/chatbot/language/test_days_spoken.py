"""Days are read from Polish, resolved against a calendar and said."""

from datetime import date

import pytest
from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.language import DAYS, format_date, read_day, resolve_day, say_day

SATURDAY = date(2026, 11, 21)


@every_row(
    ("text", "day"),
    [
        ("dziś", "today"),
        ("dzisiaj wieczorem", "today"),
        ("teraz", "today"),
        ("jutro", "tomorrow"),
        ("jutrzejsza pogoda", "tomorrow"),
        ("pojutrze", "day_after_tomorrow"),
        ("w sobotę", "saturday"),
        ("w sobote w krakowie", "saturday"),
        ("w środę", "wednesday"),
        ("w przyszły piątek", "friday"),
        ("w poniedziałek rano", "monday"),
        ("na weekend", "weekend"),
        ("weekendowa prognoza", "weekend"),
        ("na najbliższe dni", "next_days"),
        ("przez najbliższe trzy dni", "next_days"),
        ("na 7 dni", "next_days"),
        ("za dwa dni", "day_after_tomorrow"),
        ("w tym tygodniu", "next_days"),
        ("15 lipca", "--07-15"),
        ("piętnastego lipca", "--07-15"),
        ("dwudziestego pierwszego listopada", "--11-21"),
        ("15.07", "--07-15"),
        ("15 VII", "--07-15"),
        ("1 stycznia 2027 r.", "2027-01-01"),
        ("15.07.2026", "2026-07-15"),
        ("Jaka będzie pogoda jutro w Łodzi?", "tomorrow"),
    ],
)
def test_a_day_is_read(text: str, day: str) -> None:
    assert read_day(text) == day


@every_row(
    "text",
    [
        "",
        "wczoraj",
        "co słychać",
        "w Środzie Wielkopolskiej",
        "za trzy dni",
        "31 lutego",
        "Ile to 1/2 z 3",
    ],
)
def test_what_names_no_day_to_come_is_none(text: str) -> None:
    assert read_day(text) is None


@every_row("day", [*DAYS, "2026-07-15", "--07-15"])
def test_a_canonical_day_reads_as_itself(day: str) -> None:
    assert read_day(day) == day


def test_with_a_calendar_dates_and_distances_become_iso_dates() -> None:
    assert read_day("15 lipca", today=SATURDAY) == "2027-07-15"
    assert read_day("za trzy dni", today=SATURDAY) == "2026-11-24"
    assert read_day("za tydzień", today=SATURDAY) == "2026-11-28"


@every_row(
    ("day", "dates"),
    [
        ("today", (21,)),
        ("tomorrow", (22,)),
        ("day_after_tomorrow", (23,)),
        ("sunday", (22,)),
        ("saturday", (28,)),
        ("weekend", (21, 22)),
        ("next_days", (21, 22, 23, 24, 25)),
        ("2026-11-30", (30,)),
        ("--11-21", (21,)),
    ],
)
def test_a_day_is_resolved_seen_from_a_saturday(day: str, dates: tuple[int, ...]) -> None:
    assert resolve_day(day, SATURDAY) == tuple(date(2026, 11, number) for number in dates)


def test_on_a_sunday_the_weekend_is_what_is_left_of_it() -> None:
    assert resolve_day("weekend", date(2026, 11, 22)) == (date(2026, 11, 22),)


def test_the_29th_of_february_waits_for_a_leap_year() -> None:
    assert resolve_day("--02-29", SATURDAY) == (date(2028, 2, 29),)


@pytest.mark.parametrize("day", ["środa", "2026-02-30", "--02-30", ""])
def test_a_value_that_is_no_day_is_refused(day: str) -> None:
    with pytest.raises(ValueError, match="day"):
        resolve_day(day, SATURDAY)


@every_row(
    ("day", "said"),
    [
        ("today", "dziś"),
        ("tomorrow", "jutro"),
        ("day_after_tomorrow", "pojutrze"),
        ("sunday", "jutro"),
        ("saturday", "w sobotę, 28 listopada"),
        (date(2026, 11, 24), "we wtorek, 24 listopada"),
        (date(2027, 1, 5), "we wtorek, 5 stycznia 2027"),
        (date(2026, 11, 20), "wczoraj"),
        ("weekend", "w weekend, 21–22 listopada"),
        ("next_days", "w najbliższych dniach"),
    ],
)
def test_a_day_is_said(day: str | date, said: str) -> None:
    assert say_day(day, SATURDAY) == said


def test_a_date_is_written_in_full() -> None:
    assert format_date(SATURDAY) == "21 listopada 2026"


@given(st.sampled_from(DAYS), st.dates(max_value=date(9990, 1, 1)))
def test_no_day_lies_in_the_past(day: str, today: date) -> None:
    assert all(one >= today for one in resolve_day(day, today))


@given(st.text(max_size=60), st.dates(max_value=date(9000, 1, 1)))
def test_whatever_is_read_can_be_resolved(text: str, today: date) -> None:
    day = read_day(text, today=today)
    assert day is None or resolve_day(day, today)
