"""The letters without which a pattern cannot fit."""

import pytest
from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.language.literals import Guarded, any_of, needed


@every_row(
    ("pattern", "literals"),
    [
        (r"\bpierwiast\w*", {"pierwiast"}),
        (r"(?:rzut|losow)\w* (?:kostk|monet)", {"rzut", "losow"}),
        (r"(?:dwa )?kola?", {"kol"}),
        (r"(?:osob|ucz\w+)+ na", {" na"}),
        (r"(?<=liczby )z ?=", {"liczby "}),
        (r"\d+ ?%", {"%"}),
        (r"(?!silnia)\d+", set()),
        (r"suma|\d+", set()),
        (r"a", set()),
    ],
)
def test_literals_of_a_pattern(pattern: str, literals: set[str]) -> None:
    assert set(needed(pattern)) == literals


@pytest.mark.parametrize("text", ["ile to 7%", "7 %", "nic", "%"])
def test_a_guard_changes_no_result(text: str) -> None:
    guarded = Guarded(r"\d ?%")
    found = guarded.search(text)
    assert (found is not None) == any(True for _ in guarded.finditer(text))
    assert guarded.sub("x", text) == text.replace("7%", "x").replace("7 %", "x")


@given(text=st.lists(st.sampled_from(["suma", "iloczyn", "7", "%", "prze", " ", "a"])).map("".join))
def test_what_no_pattern_of_several_may_fit_is_told_at_once(text: str) -> None:
    patterns = [
        Guarded(r"suma|iloczyn\w"),
        Guarded(r"prze?suma"),
        Guarded(r"\d ?%"),
        Guarded(r"\d"),
    ]
    fits = any(one.search(text) is not None for one in patterns)
    assert not fits or any_of(patterns, other=r"\d").search(text) is not None


def test_patterns_that_need_no_letters_have_no_sign_of_their_own() -> None:
    with pytest.raises(ValueError, match="need no letters"):
        any_of([Guarded(r"suma"), Guarded(r"\d")])
