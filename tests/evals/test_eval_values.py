"""Expressions are the same if they ask for the same computation."""

from collections.abc import AsyncIterator

import pytest
from scripted.patience import PATIENCE_S

from chatbot.tools.workers import ProcessWorkers
from evals.expressions import match_expression
from evals.values import have_same_value


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sqrt(289)", "289**(1/2)"),
        ("2,5*2", "2.5*2"),
        ("15% * 240", "0.15*240"),
        ("integrate(x**3, (x, 0, 2))", "integrate(x^3,x,0,2)"),
        ("solve(Eq(x**2, 4), x)", "x^2 = 4"),
        ("solve([Eq(2*a + b, 7), Eq(a - b, 2)], [a, b])", "solve((a-b=2, 2*a+b=7))"),
        ("solve(x > 2)", "2 < x"),
        ("factor(x**2 - 1)", "factor(-1 + x^2)"),
        ("Matrix([[1, 2], [3, 4]]).det()", "det([[1, 2], [3, 4]])"),
    ],
)
def test_the_same_question_in_other_words(left: str, right: str) -> None:
    assert have_same_value(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("2+2", "2*3"),
        ("factor(x**2 - 1)", "expand(x**2 - 1)"),
        ("x**2 = 4", "x**2 = 5"),
        ("x > 2", "x >= 2"),
        ("1/0", "1/0 + 1"),
        ("limit(n/(n + 1), n, n)", "1"),
        ("__import__('os')", "1"),
    ],
)
def test_another_question(left: str, right: str) -> None:
    assert not have_same_value(left, right)


@pytest.fixture
async def workers() -> AsyncIterator[ProcessWorkers]:
    async with ProcessWorkers(workers=1) as pool:
        yield pool


async def test_expressions_are_compared_in_a_worker(workers: ProcessWorkers) -> None:
    matches = match_expression(workers, limit_s=PATIENCE_S)
    assert matches("2+2", "2 + 2")
    assert not matches("2+2", "5")
    assert not matches("2+2", None)
