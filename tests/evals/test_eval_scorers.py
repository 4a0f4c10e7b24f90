"""Scores: the right tool, strict Polish names, days by meaning, free text by its gist."""

from datetime import date

import pytest

from chatbot.types import JsonValue
from evals.cases import Case
from evals.scorers import Score, Scorer, measures
from evals.solver import Solution

SATURDAY = date(2026, 11, 21)


def score(
    expected: dict[str, JsonValue],
    given: dict[str, JsonValue],
    *,
    tool: str | None = "t",
    called: str | None = "t",
    accept: dict[str, tuple[JsonValue, ...]] | None = None,
) -> Score:
    case = Case(id="c", prompt="p", tool=tool, arguments=expected, accept=accept or {})
    solution = Solution(
        tool=called,
        arguments=given,
        tools=(called,) if called else (),
        reason="called",
        verdict_ms=1,
        decision_ms=1.0,
    )
    return Scorer(measures(SATURDAY)).score(case, solution)


def is_right(name: str, expected: JsonValue, given: JsonValue) -> bool:
    return score({name: expected}, {name: given}).arguments_right is True


def test_the_right_tool_with_the_right_arguments() -> None:
    assert score({"city": "Łódź"}, {"city": "Łódź", "day": "today"}) == Score(
        tool_right=True, arguments_right=True
    )


def test_wrong_arguments_are_named() -> None:
    found = score({"city": "Łódź", "day": "today"}, {"city": "Lodz", "day": "today"})
    assert found == Score(tool_right=True, arguments_right=False, wrong_arguments=("city",))


def test_a_missing_argument_is_wrong() -> None:
    assert score({"city": "Łódź"}, {}).wrong_arguments == ("city",)


def test_arguments_of_a_wrong_tool_are_not_scored() -> None:
    found = score({"city": "Łódź"}, {"city": "Łódź"}, called="other")
    assert found == Score(tool_right=False)


def test_the_default_is_right_where_no_tool_is() -> None:
    assert score({}, {}, tool=None, called=None) == Score(tool_right=True)
    assert score({}, {}, tool=None, called="t") == Score(tool_right=False)


def test_other_accepted_values_are_right() -> None:
    found = score(
        {"query": "Wisła"}, {"query": "Wisła (rzeka)"}, accept={"query": ("Wisła (rzeka)",)}
    )
    assert found.arguments_right is True


@pytest.mark.parametrize("given", ["Lądek-Zdrój", "La\u0328dek-Zdro\u0301j", " Lądek-Zdrój "])
def test_the_same_letters_are_the_same_name(given: str) -> None:
    assert is_right("city", "Lądek-Zdrój", given)


@pytest.mark.parametrize(
    "given", ["Lądku-Zdroju", "Ladek-Zdroj", "Lådek-Zdrój", "lądek-zdrój", None]
)
def test_any_other_letter_is_another_name(given: JsonValue) -> None:
    assert not is_right("city", "Lądek-Zdrój", given)


@pytest.mark.parametrize(
    ("expected", "given", "right"),
    [
        ("tomorrow", "jutro", True),
        ("saturday", "w sobotę", True),
        ("3 maja", "2027-05-03", True),
        ("--05-03", "2027-05-03", True),
        ("za dwa dni", "2026-11-23", True),
        ("day_after_tomorrow", "2026-11-23", True),
        ("today", "2026-11-22", False),
        ("today", "weekend", False),
        ("today", "tomorrow", False),
        ("today", "kiedyś", False),
        ("today", None, False),
    ],
)
def test_days_are_compared_by_meaning(expected: str, given: JsonValue, *, right: bool) -> None:
    assert is_right("day", expected, given) is right


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ("pies i kot na łące", True),
        ("psa i kota na zielonej łące", True),
        ("łąka", False),
        ("", False),
    ],
)
def test_free_text_is_compared_by_its_content_words(given: str, *, right: bool) -> None:
    assert is_right("description", "pies i kot na łące", given) is right
