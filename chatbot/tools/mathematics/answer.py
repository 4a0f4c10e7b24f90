"""The answer that a worker sends back: words and formulas, nothing of SymPy."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """``content`` is Markdown with ``$$`` formulas, ``plain`` for terminals; both in Polish.

    ``result`` is the result alone in plain characters.
    """

    content: str
    plain: str
    result: str
