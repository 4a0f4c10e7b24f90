"""Lengths, areas and volumes of the figures of school geometry."""

import re

from chatbot.router.detector.formulas.problems.phrases import measures
from chatbot.router.detector.formulas.problems.statement import NUMBER, Quantity, Statement

_NUMBER = re.compile(r"(?<![\w.])" + NUMBER + r"(?![\w.])")


def _written(one: Quantity) -> str:
    """The size, with π where it is told so: "o obwodzie 10π"."""
    return f"({one.text}*pi)" if one.unit == "pi" else one.text


def read_figure(statement: Statement) -> str | None:
    """Return the expression of a measure of a figure whose sizes the prompt tells."""
    if any(one.is_each or one.unit in {"%", "razy"} for one in statement.quantities):
        return None
    found = measures(statement.words, [_written(one) for one in statement.quantities])
    sizes = _NUMBER.findall(statement.question)
    if found or not sizes or len(sizes) == len(statement.quantities):
        return found
    return measures(statement.question, sizes)
