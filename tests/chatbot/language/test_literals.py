"""The letters without which a pattern cannot fit."""

import pytest
from scripted.tables import every_row

from chatbot.language.literals import Guarded, needed


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
