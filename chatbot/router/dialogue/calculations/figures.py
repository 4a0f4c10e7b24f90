"""The numbers of a conversation: the last result, and the figures that a text has."""

import re
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.state import MATHEMATICS, DialogueState

_FIGURE = regex(r"(?<![\w.,])[-−–]?\d{1,3}(?:[  ]\d{3})+(?:,\d+)?|(?<![\w.,])[-−–]?\d+(?:[.,]\d+)?")
_RESULT = regex(
    r"(?:=|≈|\b[Ww]ynik:?|\bto|\bwynosi|\brazem|\bdaje|\bjest|^(?=[-−]?[\d  ,/]+[^\W\d]*\.?$))"
    r"\s*([-−]?\d[\d  ]*(?:,\d+)?(?:/\d+)?)"
)
_NUMBER = regex(r"-?\d+(?:\.\d+)?")
YEAR = regex(r"^(?:1\d{3}|20\d{2})$")
_VALUES = frozenset({"solve", "Eq", "limit"})
_NO_NUMBERS = frozenset({"isprime", "factorint", "divisors", "Matrix"})
_SIGN = regex(r"(?<=[\w)\]])(?<!\de) *([-+]) *(?=[\w(])")
_COMMA = regex(r", *")
_FACTOR = regex(r" *(\*\*?|/) *")
_SCALES = (("tys", 3), ("mln", 6), ("milion", 6), ("mld", 9), ("miliard", 9))


def last_expression(state: DialogueState) -> str | None:
    """The expression of the exchange just before, whatever it is."""
    last = state.last
    found = [
        str(made.arguments["expression"])
        for made in (last.calls if last is not None else ())
        if made.name == MATHEMATICS and "expression" in made.arguments
    ]
    return _spaced(found[-1]) if found else None


def _spaced(expression: str) -> str:
    """The expression with spaces where the rules look for them, however the model wrote it."""
    expression = _SIGN.sub(r" \1 ", expression)
    return _FACTOR.sub(r"\1", _COMMA.sub(", ", expression))


def last_value(state: DialogueState) -> str | None:
    """The last expression that has a value, else the last number of the reply."""
    last = state.last
    if last is None:
        return None
    expression = last_expression(state)
    shown = _results(last.reply)
    if expression is not None and not last.is_told and is_number(expression) and shown:
        return plain(shown[-1]) if "≈" not in last.reply else expression
    if expression is not None and not any(word in expression for word in _VALUES):
        return expression
    if expression is not None:
        return plain(shown[-1]) if shown else None
    figures = [figure for figure in read_figures(last.reply) if not YEAR.match(figure)]
    return figures[0] if len(figures) == 1 and last.calls else None


def _results(reply: str) -> list[str]:
    """What a reply tells as results; nothing beside a power of ten, which would be cut off."""
    return [] if "·10^" in reply else _RESULT.findall(reply)


def shown_value(state: DialogueState, expression: str) -> Fraction | None:
    """The result that the reply told for an expression, where it is a plain number."""
    for turn in reversed(state.turns):
        made = (str(one.arguments.get("expression", "")) for one in turn.calls)
        if any(expression in {one, _spaced(one)} for one in made):
            shown = _results(turn.reply)
            number = plain(shown[-1]) if shown else ""
            return Fraction(number) if _NUMBER.fullmatch(number) else None
    return Fraction(expression) if _NUMBER.fullmatch(expression) else None


def is_number(expression: str) -> bool:
    """Whether an expression has nothing but numbers, so that its result is one."""
    words = _VALUES | _NO_NUMBERS
    return variable_of(expression) is None and not any(word in expression for word in words)


def variable_of(expression: str) -> str | None:
    """Return the variable of an expression, if it has one."""
    return next(
        (letter for letter in ("x", "y", "t", "z", "n") if re.search(rf"\b{letter}\b", expression)),
        None,
    )


def read_figures(text: str) -> list[str]:
    """Return the numbers of a text as expressions; "330 tysięcy" is ``330*10**3``."""
    found = (text[one.start() :] for one in _FIGURE.finditer(text))
    return [_scaled(one) for one in found]


def _scaled(text: str) -> str:
    """The figure that opens a text, with the word that multiplies it: "330 tysięcy"."""
    figure = _FIGURE.match(text)
    number = plain(figure[0]) if figure else ""
    rest = fold_evenly(text[figure.end() : figure.end() + 12] if figure else "")
    scale = next((zeros for stem, zeros in _SCALES if rest.lstrip().startswith(stem)), None)
    return f"{number}*10**{scale}" if scale else number


def plain(number: str) -> str:
    """Write a Polish number as an expression has it: point, no spaces, a plain minus."""
    bare = re.sub(r"[  ]", "", number).replace(",", ".")
    return re.sub(r"^[−–]", "-", bare)
