"""What an operation that was asked about is done to: "którą liczbę mam rozłożyć?", "2520"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.amounts import Amount, read_amounts

_OF_FUNCTION = (
    (re.compile(r"\bpochodn|\brozniczk"), "pochodna", "diff("),
    (re.compile(r"\bcalk"), "całka z", "integrate("),
    (re.compile(r"\bgranic"), "granica", "limit("),
    (re.compile(r"\bczynnik|\brozloz|\brozklad"), "rozłóż na czynniki", "factor("),
    (re.compile(r"\buprosc|\buproszcz"), "uprość", "simplify("),
    (re.compile(r"\bmiejsc\w* zerow|\bpierwiastk"), "miejsca zerowe", "solve("),
)
_OF_NUMBER = (
    (re.compile(r"\bczynnik"), "factorint({})"),
    (re.compile(r"\bdzielniki\b|\bdzielnikow\b"), "divisors({})"),
    (re.compile(r"\bpierwsz\w+"), "isprime({})"),
    (re.compile(r"\bpierwiast\w+ (?:trzeciego|szescienn)"), "({})**Rational(1, 3)"),
    (re.compile(r"\bpierwiast"), "sqrt({})"),
    (re.compile(r"\bsilni"), "factorial({})"),
    (re.compile(r"\bszescian"), "({})**3"),
    (re.compile(r"\bkwadrat(?!ow)"), "({})**2"),
)
_OF_LIST = (
    (re.compile(r"\bnwd\b|najwieksz\w+ wspoln"), "gcd"),
    (re.compile(r"\bnww\b|najmniejsz\w+ wspoln"), "lcm"),
    (re.compile(r"\bsredni"), "mean"),
    (re.compile(r"\bsum[aey]\b|\bzsumow|\bzsumuj|\bdoda[cj]|\brazem\b"), "+"),
    (re.compile(r"\biloczyn|\bpomnoz|\bwymnoz"), "*"),
)
_SHARED = re.compile(r"\bpodziel\w*|\bdziel\w*|\brat[aey]?\b|\browno\b|\bskladk\w*|\bna osobe\b")
_TAKEN_BACK = re.compile(r"[,.]? (?:nie|czekaj|znaczy|sorry|to znaczy|przepraszam)\b[, ]")
_OWN = re.compile(r"[-+*/^=]|\b(?:plus|minus|razy|procent|przez|z|ze|od)\b|%")
_VARIABLE = re.compile(r"\b[xyt]\b|\d[xyt]\b|\b[xyt][²³]|\be\^")
_TWO = 2


def operate(asked: str, text: str) -> str | None:
    """Do what ``asked`` names to the function, the number or the numbers of an answer."""
    asked = fold_evenly(asked)
    if _VARIABLE.search(text):
        return _on_function(asked, text)
    numbers = _meant(text)
    if len(numbers) == 1 and not _OWN.search(fold_evenly(text)):
        forms = (form for pattern, form in _OF_NUMBER if pattern.search(asked))
        form = next(forms, None)
        return None if form is None else form.format(numbers[0].text)
    return _on_list(asked, numbers, text) if len(numbers) >= _TWO else None


def _on_function(asked: str, text: str) -> str | None:
    """Read the function with the operation named before it, and without what leads up to it."""
    for pattern, named, begins in _OF_FUNCTION:
        if not pattern.search(asked):
            continue
        for function in (text, re.split(r"[,:] ", text)[-1]):
            found = read_formula(f"{named} {function}")
            if found is not None and found.expression.startswith(begins) and found.share == 1:
                return found.expression
    return None


def _meant(text: str) -> Sequence[Amount]:
    """The numbers of an answer; one that is taken back at once makes room for the next."""
    numbers = list(read_amounts(text))
    folded = fold_evenly(text)
    for one, other in pairwise(numbers):
        if _TAKEN_BACK.search(folded[one.end : other.start]):
            numbers.remove(one)
    return numbers


def _on_list(asked: str, numbers: Sequence[Amount], text: str) -> str | None:
    if _SHARED.search(asked) and len(numbers) == _TWO:
        people = next((one for one in numbers[::-1] if one.unit not in {"zl", "kg", "m"}), None)
        money = next((one for one in numbers if one is not people), None)
        return f"{money.text}/{people.text}" if people and money else None
    if re.search(r"[-+*/^=%(]", text):
        return None
    name = next((name for pattern, name in _OF_LIST if pattern.search(asked)), None)
    values = [one.text for one in numbers]
    match name:
        case None:
            return None
        case "+" | "*":
            return f" {name} ".join(values)
        case "mean":
            return f"({' + '.join(values)})/{len(values)}"
        case _:
            return f"{name}({', '.join(values)})"
