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
        ("solve(Eq(x**2, 9), x)", "solve(x**2 - 9, x)"),
        ("solve(Eq(x**2, 9), x)", "solve(9 = x^2)"),
        ("solve(Eq(x, 3), x)", "solve(Eq(-x, -3), x)"),
        ("solve([a + b - 7, a - b], [a, b])", "solve([a - b, a + b = 7], (b, a))"),
        ("solve(v - s/t, t)", "v = s/t"),
        ("solve(2*e - 4, e)", "solve(2*e = 4, e)"),
        ("2 != x", "x != 2"),
        ("1 < x < 3", "solve(x < 3 and x > 1, x)"),
        ("solve(x < 1 or x > 3)", "3 < x or x < 1"),
        ("solve([1 < x < 3, y = 2])", "[y = 2, 3 > x > 1]"),
        ("2+2=4", "4 = 2 + 2"),
        ("2+2=4", "2+2-4 = 0"),
        ("0.5 = 1/2", "1/2 = 2/4"),
        ("2/3 < 3/4", "3/4 > 2/3"),
        ("solve(2*x + 3 = 2*x + 5)", "solve(2*x + 3 - (2*x + 5), x)"),
        ("sin(x)**2 + cos(x)**2 = 1", "sin(x)**2 + cos(x)**2 - 1 = 0"),
        ("isprime(2047)", "isprime(2**11 - 1)"),
        ("not isprime(7)", "not isprime(3 + 4)"),
        ("isprime(7) and isprime(11)", "isprime(11) and isprime(7)"),
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
        ("x < 2 or x > 3", "x < 2 and x > 3"),
        ("solve(v - s/t, s)", "solve(v - s/t, t)"),
        ("solve(a*x + b, x)", "solve(a*x + b, b)"),
        ("solve([a + b - c, a - b], [a, b])", "solve([a + b - c, a - b], [a, c])"),
        ("2+2=4", "3+3=6"),
        ("2+2=5", "3+3=7"),
        ("2+2=5", "3+3=8"),
        ("2 < 3", "3 < 4"),
        ("2 < 3 < 4", "5 < 6 < 7"),
        ("x = x", "2*y = 2*y"),
        ("sin(x)**2 + cos(x)**2 = 1", "(x + 1)**2 = x**2 + 2*x + 1"),
        ("isprime(7)", "isprime(11)"),
        ("isprime(8)", "isprime(9)"),
        ("isprime(7)", "7 = 7"),
        ("not isprime(7)", "not isprime(11)"),
        ("isprime(7) and isprime(11)", "isprime(7) and isprime(13)"),
        ("isprime(7) and isprime(8)", "isprime(7) or isprime(8)"),
        ("(isprime(7), isprime(11))", "(isprime(13), isprime(17))"),
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
