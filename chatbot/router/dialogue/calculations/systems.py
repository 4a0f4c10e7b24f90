"""Another equation, another side or number in one equation of the last system."""

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.constants import exchange
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene

_SYSTEM = regex(r"^solve\(\[(?P<equations>Eq\(.+\))\], (?P<unknowns>\[[\w, ]+\])\)$")
_ONE = regex(r"Eq\((?P<f>(?:[^(),]|\([^()]*\))+), (?P<g>(?:[^(),]|\([^()]*\))+)\)")
_SOLVED = regex(r"^solve\(Eq\((?P<f>.+), (?P<g>[^,]+)\), [a-z]\)$")
_WHICH = regex(r"(?<!\bnie )(?<!\bnie w )\b(?:(?P<first>pierwsz)|(?P<second>drug)|trzeci)\w*")
_RIGHT = regex(r"\bpo prawej\b|\bpraw(?:a|ej) stron\w*|\b(?:rowna|ma)(?: sie)?(?: byc)? \S+\W*$")
_TERMS = regex(
    r"(?<![\w.,])[-−–+]?\s?\d*[a-z](?![\w])(?:[²³]|\^\d)?"
    r"(?:\s?[-−–+*·/]\s?\d*[a-z]?(?![\w])(?:[²³]|\^\d)?){0,6}(?:\s?=\s?[-−–]?\s?\d+(?:[.,]\d+)?)?"
)
_TWO = 2


def with_equation(scene: Scene) -> str | None:
    """Correct one equation of the last system: "w drugim powinno być 2x − y"."""
    expression = last_expression(scene.state)
    system = _SYSTEM.match(expression) if expression else None
    if system is None:
        return None
    told = [found[0] for found in _ONE.finditer(system["equations"])]
    at = _place(scene, told)
    if at is None or at >= len(told):
        return None
    corrected = _corrected(scene, told[at], system["unknowns"])
    if corrected is None or corrected == told[at]:
        return None
    equations = [*told[:at], corrected, *told[at + 1 :]]
    return f"solve([{', '.join(equations)}], {system['unknowns']})"


def _place(scene: Scene, told: list[str]) -> int | None:
    """Which equation is meant: by its place, or by what it was before."""
    if (which := _WHICH.search(scene.folded)) is not None:
        return 0 if which["first"] else 1 if which["second"] else 2
    sides = [_sides(one)[0] for one in told]
    named = [sides.index(f) for f, _ in _own(scene) if f in sides]
    return named[0] if len(named) == 1 else None


def _corrected(scene: Scene, equation: str, unknowns: str) -> str | None:
    """An equation with the prompt's own side, right side, or number in the place of another."""
    f, g = _sides(equation)
    own = [(left, right) for left, right in _own(scene) if left != f or right is not None]
    if own:
        left, right = own[-1]
        is_of_these = {letter for letter in left if letter.isalpha()} <= set(unknowns)
        return f"Eq({left}, {right or g})" if is_of_these else None
    amounts = [
        one
        for one in read_amounts(scene.text)
        if not _WHICH.match(scene.folded[one.start : one.end])
    ]
    if amounts and _RIGHT.search(scene.folded):
        return f"Eq({f}, {amounts[-1].text})"
    is_exchanged = len(amounts) == _TWO
    return exchange(equation, amounts[0].value, amounts[1].value) if is_exchanged else None


def _own(scene: Scene) -> list[tuple[str, str | None]]:
    """The sides of the equations, or the terms alone, that a prompt writes in letters."""
    found = []
    for one in _TERMS.finditer(scene.text):
        written = one[0].strip()
        if len(written) > 1 and (read := read_formula(written)) is not None:
            solved = _SOLVED.match(read.expression)
            found.append((solved["f"], solved["g"]) if solved else (read.expression, None))
    return found


def _sides(equation: str) -> tuple[str, str]:
    found = _ONE.match(equation)
    return (found["f"], found["g"]) if found else ("", "")
