"""Read mathematics written in Polish words and symbols into an expression in SymPy's syntax."""

from chatbot.router.detector.formulas.reading import Reading, read_formula
from chatbot.router.detector.formulas.several import read_formulas

__all__ = ["Reading", "read_formula", "read_formulas"]
