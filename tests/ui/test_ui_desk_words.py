"""What the pages beside the chat say: words, figures, moments and a chart, without a gateway."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from scripted.tables import every_row

import ui.desk
from ui.desk.allowance import read_left
from ui.desk.chart import draw_columns
from ui.desk.rendering import say_column, say_money
from ui.desk.usage import choose_month, months_until
from ui.desk.words import FORMS, WORDS
from ui.fields import JsonObject
from ui.texts import ENGLISH, POLISH, say_count

SPACE = "\N{NO-BREAK SPACE}"


def test_both_languages_say_the_same_things() -> None:
    assert WORDS["pl"].keys() == WORDS["en"].keys()
    assert FORMS["pl"].keys() == FORMS["en"].keys()


def test_no_template_shows_a_method_in_place_of_a_word() -> None:
    templates = Path(ui.desk.__file__).parent.glob("*.j2")
    named = {
        name for one in templates for name in re.findall(r"\bw\.(\w+)", one.read_text("utf-8"))
    }
    assert {"sign_in", "copy_key"} & named
    assert not [name for name in named if hasattr(dict, name)]


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 obraz"), (3, "3 obrazy"), (5, "5 obrazów"), (22, "22 obrazy")]
)
def test_nouns_follow_their_numbers(number: int, said: str) -> None:
    assert say_count(POLISH, FORMS["pl"]["images"], number) == said


@every_row(
    ("micro", "said"),
    [
        (1_250_000, "1,25"),
        (40_000, "0,04"),
        (882_784, "0,8828"),
        (123, "0,000123"),
        (None, "0,00"),
    ],
)
def test_money_has_a_decimal_comma(micro: int | None, said: str) -> None:
    assert say_money(POLISH, micro, "PLN") == f"{said}{SPACE}PLN"


def test_a_budget_says_whose_it_is_and_when_it_is_renewed() -> None:
    told: JsonObject = {
        "name": "images_per_day",
        "group": "lab",
        "limit": 10,
        "left": -2,
        "resets_at": "2026-11-25T00:00:00Z",
    }
    (left,) = read_left(POLISH, {"limits": [told]}, "PLN")
    assert left.name == "Obrazy na dzień, wspólnie w grupie lab"
    assert (left.left, left.share) == ("Pozostało 0 z 10", 0)
    assert left.renewed == "Odnowi się 25 listopada 2026, 1:00"


def test_a_limit_of_a_minute_tells_how_long_it_takes_to_be_whole() -> None:
    now = datetime(2026, 11, 25, 10, tzinfo=UTC)
    told: JsonObject = {"name": "requests_per_minute", "limit": 10, "left": 8}
    moments = ("2026-11-25T10:00:11.2Z", "2026-11-25T10:00:00Z")
    limits = [{**told, "resets_at": moment} for moment in moments]
    taken, whole = read_left(POLISH, {"limits": limits}, "PLN", now=now)
    assert (taken.renewed, whole.renewed) == (f"Wróci do pełna za 12{SPACE}s", "")


def test_months_go_back_over_the_turn_of_the_year() -> None:
    known = months_until(date(2026, 1, 31))
    assert [one.say(POLISH) for one in known[:2]] == ["styczeń 2026", "grudzień 2025"]
    assert choose_month("2025-12", known) is known[1]
    assert choose_month("9999-99", known) is known[0]
    assert known[0].say(ENGLISH) == "January 2026"


def test_the_largest_value_fills_the_chart_and_the_least_is_seen() -> None:
    drawn = draw_columns([0, 1, 1000], ["", "jeden", "<tysiąc>"], "opis")
    assert drawn.count("<rect") == 2
    assert 'height="100.0"' in drawn
    assert 'height="1.5"' in drawn
    assert "&lt;tysiąc&gt;" in drawn


def test_amounts_of_a_column_have_as_many_digits() -> None:
    rows = [("a", {"charged": 586_200}), ("b", {"charged": 650_000}), ("c", {"charged": 0})]
    say = say_column(POLISH, rows, "charged", "PLN")
    assert [say(row["charged"]) for _, row in rows] == [
        f"{amount}{SPACE}PLN" for amount in ("0,5862", "0,6500", "0,0000")
    ]
