"""Joins what was asked with what it comes to: exact, decimal, in Markdown and in plain text."""

import re
from dataclasses import dataclass
from typing import Literal

import sympy
from sympy import Expr, Integer, Rational

from chatbot.errors import ToolError
from chatbot.tools.mathematics.answer import Answer
from chatbot.tools.mathematics.expression import Expression
from chatbot.tools.mathematics.formulas import write
from chatbot.tools.mathematics.wording import (
    Wording,
    approximate,
    exact_decimal,
    is_shown_whole,
    is_terminating,
    word_value,
)

LONG = 140
SHORT = 40


@dataclass(frozen=True, slots=True)
class Result:
    """A value and the sign that it deserves: nothing where it already begins with one."""

    sign: Literal["=", "≈", ""]
    value: Wording

    @property
    def latex_sign(self) -> str:
        """The sign in LaTeX, with a space behind it."""
        return {"=": "= ", "≈": "\\approx ", "": ""}[self.sign]


def describe(value: Expr, *, is_decimal: bool = False, longest: int = LONG) -> Result:
    """A number exactly and as a decimal: ``= √2 ≈ 1,414214``, ``= 0,3``, ``≈ 0,333333``.

    ``is_decimal``: the question had decimal fractions, so a common fraction is no answer to it.
    An exact form of more than ``longest`` characters is left out.
    """
    if isinstance(value, Integer) or not value.is_number:
        wording = word_value(value)
        return Result("" if wording.plain.startswith("≈") else "=", wording)
    if is_terminating(value):
        decimal = exact_decimal(value)
        return Result("=", decimal if is_decimal else _both(word_value(value), "=", decimal))
    return _describe_endless(value, is_decimal=is_decimal, longest=longest)


def _describe_endless(value: Expr, *, is_decimal: bool, longest: int) -> Result:
    rounded = approximate(value)
    if rounded is None or all(isinstance(part, Integer) for part in value.as_real_imag()):
        return Result("=", word_value(value))
    sign: Literal["=", "≈"] = "=" if is_shown_whole(value) else "≈"
    are_rational = all(isinstance(part, Rational) for part in value.as_real_imag())
    if value.has(sympy.Float, sympy.CRootOf) or (is_decimal and are_rational):
        return Result(sign, rounded)
    exact = _word_briefly(value, SHORT if is_decimal else longest)
    if exact is None:
        return Result(sign, rounded)
    return Result("=", _both(exact, sign, rounded))


def _word_briefly(value: Expr, longest: int) -> Wording | None:
    """The exact form; ``None`` where it has more characters than ``longest``."""
    try:
        exact = word_value(value)
    except ToolError:
        return None
    return exact if len(exact.plain) <= longest else None


def _both(exact: Wording, sign: str, decimal: Wording) -> Wording:
    latex_sign = "\\approx" if sign == "≈" else sign
    return Wording(
        f"{exact.latex} {latex_sign} {decimal.latex}", f"{exact.plain} {sign} {decimal.plain}"
    )


def equate(tree: Expression, result: Result) -> Answer:
    """What was asked, and what it comes to; the question is left out where it is the answer."""
    asked, value = write(tree), result.value
    is_repeated = re.match(re.escape(_bare(asked)) + r"(\\approx|=|$)", _bare(value.latex))
    formula = value.latex if is_repeated else f"{asked} {result.latex_sign}{value.latex}"
    match result.sign:
        case "≈":
            return show(formula, f"Wynik ≈ {value.plain}", f"≈ {value.plain}")
        case "=":
            return show(formula, f"Wynik: {value.plain}", value.plain)
        case _:
            return show(formula, f"Wynik {value.plain}", value.plain)


def _bare(latex: str) -> str:
    """LaTeX without the spaces and braces in which two writers differ."""
    return re.sub(r"[\s{}]", "", latex)


def show(formula: str, sentence: str, result: str) -> Answer:
    """An answer of one formula and one sentence."""
    return Answer(content=f"$${formula}$$\n\n{escape(sentence)}", plain=sentence, result=result)


def escape(text: str) -> str:
    """Plain text as Markdown: the two signs of markup that a formula can hold."""
    return text.replace("*", "\\*").replace("_", "\\_")
