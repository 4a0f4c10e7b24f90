"""Lengths, areas and volumes of the figures of school geometry."""

from chatbot.router.detector.formulas.problems.phrases import measures
from chatbot.router.detector.formulas.problems.statement import Statement


def read_figure(statement: Statement) -> str | None:
    """Return the expression of a measure of a figure whose sizes the prompt tells."""
    if any(one.is_each or one.unit == "%" for one in statement.quantities):
        return None
    return measures(statement.words, [one.text for one in statement.quantities])
