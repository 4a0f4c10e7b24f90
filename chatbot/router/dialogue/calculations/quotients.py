"""Another numerator or denominator of the last quotient: "u góry 8!, a na dole 5! zamiast 9!"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue.calculations.figures import last_expression, variable_of
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_PLACE = regex(
    r"\b(?:(?P<above>w liczniku|u gory|na gorze|nad kreska)|w mianowniku|u dolu|na dole|pod kreska)"
    r" (?:(?:ma byc|mialo byc|bedzie|byloby|bylo|jest|dac|daj|stoi|wstaw|dajmy) )?"
)
_ENDS = regex(r"(?:,|\bi\b|\ba\b|\boraz\b|\s|[.?;](?=\s|$)|(?<!\d)!)+$")
_INSTEAD = regex(r" (?:zamiast|w miejsce|a nie|nie) ")
_SIDE = r"(\((?:[^()]|\([^()]*\))+\)|\w+\([^()]+\)|\b\w+)"
_QUOTIENT = regex(rf"{_SIDE}/{_SIDE}")
_DERIVED = regex(r"^diff\((.+), [a-z]\)$")
_TWO = 2


def with_part(scene: Scene) -> str | None:
    """Put what the prompt says above or below the line of the one quotient of the last."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    places = list(_PLACE.finditer(scene.folded)) if expression else []
    quotients = list(_QUOTIENT.finditer(expression)) if expression and places else []
    if expression is None or len(quotients) != 1 or len(places) > _TWO:
        return None
    sides = [quotients[0][1], quotients[0][2]]
    for place, after in zip(places, [*places[1:], None], strict=True):
        said = scene.text[place.end() : after.start() if after else None]
        at = 0 if place["above"] else 1
        made = _side(sides[at], _ENDS.sub("", said), has_variable=bool(variable_of(expression)))
        if made is None:
            return None
        sides[at] = made
    return (
        f"{expression[: quotients[0].start()]}{'/'.join(sides)}{expression[quotients[0].end() :]}"
    )


def _side(side: str, said: str, *, has_variable: bool) -> str | None:
    """A side with another term for one of its own, or another side for all of it."""
    new, *old = _INSTEAD.split(said)
    terms = [_term(one, has_variable=has_variable) for one in (new, *old)]
    if None in terms or len(terms) > _TWO:
        return None
    if len(terms) == 1:
        is_product = "*" in side.replace("**", "")
        return None if is_product and not has_variable else _bracketed(terms[0] or "")
    told = re.compile(rf"(?<![\w.]){re.escape(terms[1] or '')}(?![\w.])")
    return told.sub(terms[0] or "", side) if len(told.findall(side)) == 1 else None


def _bracketed(term: str) -> str:
    return term if re.fullmatch(r"\w+(?:\([^()]*\))?", term) else f"({term})"


def _term(text: str, *, has_variable: bool) -> str | None:
    """A term as an expression writes it."""
    if has_variable:
        read = read_formula(f"pochodna {text}")
        inner = _DERIVED.match(read.expression) if read and read.share == 1 else None
        return inner[1] if inner else None
    if text.strip().isdigit():
        return text.strip()
    read = read_formula(text)
    return read.expression if read and read.share == 1 else None
