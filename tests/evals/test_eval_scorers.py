"""Scores: the right tool, strict Polish names, days by meaning, free text by its gist."""

from datetime import date

import pytest
from scripted.tables import every_row

from chatbot.types import JsonValue
from evals.cases import Case, Expected, ExpectedCall
from evals.full_call import match_every_word
from evals.scorers import Score, Scorer, measures
from evals.solver import DecidedCall, Solution

SATURDAY = date(2026, 11, 21)


def score(
    expected: dict[str, JsonValue],
    given: dict[str, JsonValue],
    *,
    tool: str | None = "t",
    called: str | None = "t",
    accept: dict[str, tuple[JsonValue, ...]] | None = None,
) -> Score:
    right = () if tool is None else (call(tool, expected, accept),)
    case = Case(id="c", prompt="p", expected=Expected(calls=right))
    return score_case(
        case, *(() if called is None else (DecidedCall(tool=called, arguments=given),))
    )


def call(
    tool: str,
    arguments: dict[str, JsonValue],
    accept: dict[str, tuple[JsonValue, ...]] | None = None,
) -> ExpectedCall:
    return ExpectedCall(tool=tool, arguments=arguments, accept=accept or {})


def score_case(case: Case, *calls: DecidedCall, asked: str | None = None) -> Score:
    solution = Solution(
        tool=calls[0].tool if calls else None,
        calls=() if asked else calls,
        asked=asked,
        reason="called",
        verdict_ms=1,
        decision_ms=1.0,
    )
    return Scorer(measures(SATURDAY)).score(case, solution)


def is_right(name: str, expected: JsonValue, given: JsonValue) -> bool:
    return score({name: expected}, {name: given}).arguments_right is True


def test_the_right_tool_with_the_right_arguments() -> None:
    found = score({"city": "Łódź"}, {"city": "Łódź", "day": "today"})
    assert (found.tool_right, found.arguments_right, found.wrong_arguments) == (True, True, ())


def test_wrong_arguments_are_named() -> None:
    found = score({"city": "Łódź", "day": "today"}, {"city": "Lodz", "day": "today"})
    assert (found.tool_right, found.arguments_right) == (True, False)
    assert found.wrong_arguments == ("t.city",)


def test_a_missing_argument_is_wrong() -> None:
    assert score({"city": "Łódź"}, {}).wrong_arguments == ("t.city",)


def test_arguments_of_a_wrong_tool_are_not_scored() -> None:
    found = score({"city": "Łódź"}, {"city": "Łódź"}, called="other")
    assert (found.tool_right, found.arguments_right, found.arguments) == (False, None, ())


def test_the_default_is_right_where_no_tool_is() -> None:
    assert score({}, {}, tool=None, called=None).is_right
    assert not score({}, {}, tool=None, called="t").tool_right


def test_other_accepted_values_are_right() -> None:
    found = score(
        {"query": "Wisła"}, {"query": "Wisła (rzeka)"}, accept={"query": ("Wisła (rzeka)",)}
    )
    assert found.arguments_right is True


@pytest.mark.parametrize("given", ["Lądek-Zdrój", "La\u0328dek-Zdro\u0301j", " Lądek-Zdrój "])
def test_the_same_letters_are_the_same_name(given: str) -> None:
    assert is_right("city", "Lądek-Zdrój", given)


@every_row("given", ["Lądku-Zdroju", "Ladek-Zdroj", "Lådek-Zdrój", "lądek-zdrój", None])
def test_any_other_letter_is_another_name(given: JsonValue) -> None:
    assert not is_right("city", "Lądek-Zdrój", given)


@every_row(
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


@pytest.mark.parametrize(
    ("expected", "given", "right"),
    [
        ("jeż jadący na hulajnodze", "jeż, co jedzie na hulajnodze", True),
        ("jamnik stoi na przystanku", "jamnik, żeby stał na przystanku", True),
        ("baca z psem", "bacę z psem", True),
        ("Herb na bramie", "herb na bramie", True),
        ("rudy lis w lesie", "lis w lesie", False),
        ("stary zamek", "nowy zamek", False),
        ("jamnik stoi na przystanku", "jamnik siedzi na przystanku", False),
    ],
)
def test_a_description_keeps_every_word_in_any_form(
    expected: str, given: str, *, right: bool
) -> None:
    assert match_every_word(expected, given) is right


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ("bitwa pod Grunwaldem", True),
        ("Bitwa  pod Grunwaldem", True),
        ("bitwa pod grunwaldem", False),
    ],
)
def test_titles_begin_with_either_case(given: str, right: bool) -> None:
    assert is_right("query", "Bitwa pod Grunwaldem", given) is right


LODZ = call("get_weather", {"city": "Łódź"})
RADOM = call("get_weather", {"city": "Radom"})


def decided(tool: str = "get_weather", **arguments: JsonValue) -> DecidedCall:
    return DecidedCall(tool=tool, arguments=arguments)


def test_every_call_has_to_be_there_in_any_order_and_no_other() -> None:
    case = Case(id="c", prompt="p", expected=Expected(calls=(LODZ, RADOM)))
    both = (decided(city="Radom"), decided(city="Łódź"))
    assert score_case(case, *both).arguments_right is True
    assert score_case(case, both[0]).wrong_arguments == ("get_weather.city",)
    assert score_case(case, *both, both[0]).arguments_right is False
    assert score_case(case, both[0], decided("other")).arguments_right is False


def test_the_right_question_is_as_good_as_a_call() -> None:
    asking = Expected(calls=(call("get_weather", {"day": "tomorrow"}),), ask="city")
    case = Case(id="c", prompt="p", expected=asking)
    assert score_case(case, decided(), asked="city").arguments_right is True
    assert score_case(case, decided(), asked="day").wrong_arguments == ("get_weather.city",)
    assert score_case(case, decided(city="Łódź")).arguments_right is False


def test_another_decision_that_can_be_defended_is_right() -> None:
    case = Case(id="c", prompt="p", expected=Expected(calls=(LODZ,)), also=(Expected(),))
    assert score_case(case).is_right
    assert score_case(case, decided(city="Łódź")).arguments_right is True
    assert score_case(case, decided(city="Radom")).arguments_right is False
