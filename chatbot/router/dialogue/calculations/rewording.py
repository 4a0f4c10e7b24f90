"""The last question read again with one of its words exchanged: "a pole?" after "obwód …"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.constants import holds
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_CLASSES = tuple(
    regex(rf"\b(?:{words})(?!\w)")
    for words in (
        r"(?:co|ko)?sinus\w*|(?:co|ko)?tangens\w*|sin|cos|c?tg",
        (
            r"pol[ea]m? (?:powierzchni|boczne|calkowite)\w*|pol[ea]m?|powierzchni\w+|obwod\w*|"
            r"przekatn\w+|objetosc\w*|odchyleni\w+ standardow\w+|wariancj\w+|"
            r"median\w+|rozstep\w*|sredni\w+ (?:arytm|geom|harm)\w+|sredni[aaey]|"
            r"sum[aeyo]|roznic[aey]|iloczyn\w*|iloraz\w*"
        ),
        r"do (?:kwadratu|szescianu)",
        r"kwadratow\w+|szescienn\w+|(?:trzeci|czwart|piat|szost)ego stopnia",
        (
            r"kwadratu|prostokata|trojkata (?:rownobocznego|prostokatnego)|trojkata|rombu|kola|"
            r"kuli|szescianu|walca|stozka|sfery|okregu|ostroslupa"
        ),
        r"arytmetyczn\w+|geometryczn\w+|harmoniczn\w+",
        r"wieksz\w+|mniejsz\w+",
        r"nieparzyst\w+|parzyst\w+",
        r"nw[wd]|najwieksz\w+ wspoln\w+ dzielnik\w*|najmniejsz\w+ wspoln\w+ wielokrotn\w+",
        r"naturaln\w+|dziesietn\w+",
        (
            r"(?:pierwsz|drug|trzec|czwart|piat|szost|siodm|osm|dziewiat|dziesiat|jedenast|dwunast|"
            r"trzynast|czternast|pietnast|szesnast|siedemnast|osiemnast|dziewietnast|dwudziest|"
            r"trzydziest|czterdziest|piecdziest|piecdziesiat|setn)(?:y|i|a|ego|iego|ej)"
        ),
    )
)
_DENIED = regex(r"\b(?:nie|zamiast) (?:o |z |ze )?$")
_FUNCTIONS = {
    "sin": "sin", "cos": "cos", "kos": "cos", "tan": "tg", "tg": "tg", "cot": "ctg", "kot": "ctg",
    "ctg": "ctg",
}  # fmt: skip
_SQUARE_ROOT = regex(r"\bpierwiast\w+(?! \w+owy)")
_DEGREE = regex(r"\b(?:szescienn\w+|(?:trzeci|czwart|piat|szost)ego stopnia)")
_ON_RESULT = regex(r"\b(?:tego|temu|tym|wynik\w*|stad|it)\b")
_SIGNS = (
    ("*", regex(r"\b(?:iloczyn\w*|(?:po|prze|wy)mnoz\w*|mnozone|razy)\b")),
    ("/", regex(r"\b(?:iloraz\w*|(?:po|wy)?dziel\w*|dzielone|przez siebie)\b")),
    ("-", regex(r"\b(?:roznic\w+|odejm\w*|odjac|minus)\b")),
    ("+", regex(r"\b(?:sum[aeyo]|zsumuj\w*|doda[jcm]\w*|plus)\b")),
)
_OPERAND = r"(?:-?\d+(?:\.\d+)?|Rational\(-?\d+, \d+\)|\(?\d+/\d+\)?)"
_TWO = regex(rf"^(?P<a>{_OPERAND}) ?(?P<sign>[-+*/]) ?(?P<b>{_OPERAND})$")
_MEASURE = regex(r"\b(?:pol[ea](?: powierzchni)?|obwod\w*|objetosc\w*|przekatn[aąeęy])(?!\w)")
_SHAPE = regex(
    r"^(?:(?:a|i|no|to|jeszcze|teraz|dla) )*(?=(?:kwadratu|prostokata|trojkata|rombu|kola|okregu|"
    r"kuli|szescianu|walca|stozka|trapezu|rownolegloboku|prostopadloscianu)\b)"
)
_LONGEST, _LONGEST_SHAPE = 7, 14


def reworded(scene: Scene) -> str | None:
    """Read the last prompt with a word of the same kind in the place of its own."""
    expression, last = last_expression(scene.state), scene.state.last
    if expression is None or last is None or not _is_short(scene):
        return None
    told = fold_evenly(last.prompt)
    for words in _CLASSES:
        new, old = _meant(scene, words), words.search(told)
        if new is not None and old is not None and new[0] != old[0]:
            said = _as_written(old[0], _said(scene, new))
            return _read(
                f"{last.prompt[: old.start()]}{said}{last.prompt[old.end() :]}", expression
            )
    return _other_root(scene, last.prompt, expression) or reoperated(scene)


def of_other_shape(scene: Scene) -> str | None:
    """Ask the last measure of another shape: "a kwadratu o boku 6?" after "pole prostokąta …"."""
    last, shape = scene.state.last, _SHAPE.match(scene.folded)
    measure = _MEASURE.search(fold_evenly(last.prompt)) if last else None
    if last is None or shape is None or measure is None or not scene.is_active(MATHEMATICS):
        return None
    if scene.size > _LONGEST_SHAPE or not read_amounts(scene.text):
        return None
    said = last.prompt[measure.start() : measure.end()]
    return _read(f"{said} {scene.text[shape.end() :]}", "")


def reoperated(scene: Scene) -> str | None:
    """Do another operation to the two numbers of the last: "a różnica?", "a odjąć?"."""
    found = _TWO.match(last_expression(scene.state) or "")
    if found is None or not _is_short(scene):
        return None
    signs = [sign for sign, pattern in _SIGNS if pattern.search(scene.folded)]
    if len(signs) != 1 or signs[0] == found["sign"]:
        return None
    spaced = f" {signs[0]} " if signs[0] in "+-" else signs[0]
    return f"{_bare(found['a'])}{spaced}{_bare(found['b'])}"


def _is_short(scene: Scene) -> bool:
    """Whether a few words without a number ask for it, and nothing is done to the result."""
    is_free = not re.search(r"\d", scene.folded) and not read_amounts(scene.text)
    is_apart = _ON_RESULT.search(scene.folded) is None
    return scene.is_active(MATHEMATICS) and scene.size <= _LONGEST and is_free and is_apart


def _meant(scene: Scene, words: re.Pattern[str]) -> re.Match[str] | None:
    """The word of a kind that a prompt does not take back."""
    found = words.finditer(scene.folded)
    return next((one for one in found if not _DENIED.search(scene.folded[: one.start()])), None)


def _as_written(old: str, new: str) -> str:
    """A function by its sign where the last question had a sign."""
    if old not in _FUNCTIONS.values():
        return new
    folded = fold_evenly(new)
    return next((sign for stem, sign in _FUNCTIONS.items() if folded.startswith(stem)), new)


def _said(scene: Scene, found: re.Match[str]) -> str:
    return scene.text[found.start() : found.end()]


def _other_root(scene: Scene, prompt: str, expression: str) -> str | None:
    """Take the cube root of what the square root was asked of."""
    degree, root = _DEGREE.search(scene.folded), _SQUARE_ROOT.search(fold_evenly(prompt))
    if degree is None or root is None:
        return None
    return _read(f"{prompt[: root.end()]} {_said(scene, degree)}{prompt[root.end() :]}", expression)


def _read(text: str, before: str) -> str | None:
    """What the changed question asks for, where every number of it has its part."""
    found = read_formula(text)
    if found is None or found.expression == before:
        return None
    if found.expression.startswith("solve") and not before.startswith("solve"):
        return None
    is_whole = all(holds(found.expression, one.value) for one in read_amounts(text))
    return found.expression if is_whole else None


def _bare(operand: str) -> str:
    """An operand in brackets where it is written as a quotient."""
    return f"({operand.strip('()')})" if re.fullmatch(r"\(?\d+/\d+\)?", operand) else operand
