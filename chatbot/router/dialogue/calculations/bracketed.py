"""What stands in a bracket of the last calculation, put right: "tam jest 3x w nawiasie"."""

import re
from collections.abc import Iterator

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.figures import last_expression, variable_of
from chatbot.router.dialogue.calculations.takebacks import RAISED, as_term
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_PLACES = (
    (
        regex(r"\b(?:w|wewnatrz) (?:nawias|srodk|argumen)\w*"),
        r"(?:sin|cos|tan|cot|log|exp|sqrt)?",
    ),
    (regex(r"\bpod (?:\w+ )?pierwiast\w+"), "sqrt"),
    (regex(r"\b(?:pod|w|przy) (?:\w+ )?(?:sinus\w*|sin)\b"), "sin"),
    (regex(r"\b(?:pod|w|przy) (?:\w+ )?(?:co|ko)s(?:inus\w*)?\b"), "cos"),
    (regex(r"\b(?:pod|w|przy) (?:\w+ )?(?:tangens\w*|tg)\b"), "tan"),
    (regex(r"\b(?:pod|w|przy) (?:\w+ )?(?:logarytm\w*|ln|log)\b"), "log"),
    (regex(r"\bw (?:wykladnik|poted)\w*"), r"(?:exp|E\*\*|e\*\*)"),
)
_MISWRITTEN = regex(
    r"\b(?:ups|oj|ojej|zle|pomyl\w+|sorry|sorki|przepraszam|wybacz|czekaj|tam|jednak)\b"
    r".*\b(?:jest|bylo|byc)\b"
)
_TERM = regex(
    r"(?<![\w.,^/*(])(?<!przy )(?<!przed )-?(?:\d+(?:[.,]\d+)?)?[xytn](?:\^\d+)?"
    r"(?: ?[-+] ?(?:\d*[xytn](?:\^\d+)?|\d+))*(?![\w^(*/])"
)
_LIKE = r"(?<![\w.*/])(?<!, )(?<!, \()(?:\d+(?:\.\d+)?\*)?{}(?![\w*/])"
_LONGEST, _ONE = 12, 1


def with_inner(scene: Scene) -> str | None:
    """The last calculation with the prompt's term in the bracket, under the root, after the sine.

    A single term takes the place of the like term beside others: "5x" in ``log(3*x + 1)``.
    """
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or scene.size > _LONGEST or variable_of(expression) is None:
        return None
    name = next((name for place, name in _PLACES if place.search(scene.folded)), None)
    if name is None and not _MISWRITTEN.search(scene.folded):
        return None
    told = _TERM.findall(fold_evenly(scene.text.translate(RAISED)))
    new = as_term(told[0]) if len(told) == _ONE else None
    if new is None or variable_of(new) != variable_of(expression):
        return None
    if name is None:
        return _with_like(expression, new)
    places = list(_bracketed(expression, name))
    if len(places) != _ONE:
        return None
    start, end = places[0]
    changed = _exchanged(expression[start:end], new)
    found = f"{expression[:start]}{changed}{expression[end:]}" if changed else None
    return found if found != expression else None


def _bracketed(expression: str, name: str) -> Iterator[tuple[int, int]]:
    """Where innermost brackets with a variable stand, behind a function of this name."""
    for found in re.finditer(rf"(?<![A-Za-z]){name}\(([^(),]+)(?=[),])", expression):
        is_bound = expression[found.end()] == "," and not found[0].startswith("log")
        if variable_of(found[1]) is not None and not is_bound:
            yield found.span(1)


def _exchanged(inner: str, new: str) -> str | None:
    """The inside of a bracket with a new term, or another inside."""
    if re.search(r" [-+] ", new) or not re.search(r" [-+] ", inner):
        return new
    return _with_like(inner, new)


def _with_like(text: str, new: str) -> str | None:
    """A new term in the place of the only one that has the same power of the variable."""
    bare = re.sub(r"^-?(?:\d+(?:\.\d+)?\*)?", "", new)
    like = list(re.finditer(_LIKE.format(re.escape(bare)), text))
    if len(like) != _ONE:
        return None
    return f"{text[: like[0].start()]}{new}{text[like[0].end() :]}"
