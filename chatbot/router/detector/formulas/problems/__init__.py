"""Read word problems that are one calculation: purchases, journeys, shares, percentages."""

from chatbot.router.detector.formulas.problems.problem import read_problem

__all__ = ["read_problem"]
