"""The last calculation with another operation: "nie plus, tylko minus", "najpierw dodać"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts, written
from chatbot.router.dialogue.calculations.exchanges import corrected_pair
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.takebacks import taken_back
from chatbot.router.dialogue.scene import Scene

_NAMED: tuple[tuple[str, str], ...] = (
    ("+", r"plus\w*|dod(?:aj|ac|am|aw\w*|ani\w*)|\+"),
    ("-", r"minus\w*|odejm\w*|odj(?:ac|ecie|eci\w*)|[-−](?= )"),
    ("*", r"razy|(?:po|prze|wy)?mnoz\w*|[×·*]"),
    ("/", r"(?:po)?dziel\w*|[:÷/]"),
)
_OPERATION = regex(
    "|".join(rf"(?P<s{at}>(?<![a-z])(?:{words})(?![a-z]))" for at, (_, words) in enumerate(_NAMED))
)
_ONLY = regex(
    r"\b(?:mial[oy]? (?:tam )?byc|powin\w+ byc|chodzi\w* (?:mi )?o|pomyl\w* znak\w*|a gdyby|"
    r"a jakby)\b[^#]{0,12}#0|^(?:oj,? )?nie,? (?:tylko )?#0\W*$"
)
_OPERAND = regex(
    r"\b(?:gdyby|jakby)\w*\b[^#\d]{0,14}\b(plus|minus|razy|dziel(?:one|ic)|podziel\w*) (?:przez )?"
)
_FIRST = regex(r"\bnajpierw #0|#0 najpierw|\bw nawias\w*[^#]{0,8}#0|#0[^#]{0,8} w nawias")
_SIGN = r"(?<=[\w)]) ?(?:{}) ?(?=[\w(])"
_MEANT = regex(r"\b(?:mial[aoy]?|powin\w+) (?:tam |to |przeciez )?byc\b|^(?:oj |no )?nie,? nie\b")
_BEFORE = (
    ("+", r"\bplus \d"), ("-", r"\bminus \d"), ("*", r"\brazy \d"),
    ("/", r"\b(?:przez|podzieli\w*(?: przez| na)?) \d"),
)  # fmt: skip
_LAST = regex(r"^(?P<left>[^()+-]+?)(?P<sign> ?[-+*/] ?)(?P<right>\d+(?:\.\d+)?)$")
_WRITTEN = {"+": r"\+", "-": "-", "*": r"(?<!\*)\*(?!\*)", "/": "/"}
_PERCENT = regex(r"Rational\((\d+), 100\)")
_SUM_FIRST = (
    (regex(r"^([^()*/]+ [+-] [^()*/ ]+)([*/].+)$"), r"(\1)\2"),
    (regex(r"^([^()+-]+[*/])([^()*/+ -]+ [+-] [^()*/]+)$"), r"\1(\2)"),
)
_WHOLE, _TWO = 100, 2


def swapped(scene: Scene) -> str | None:
    """Exchange the operation that the prompt corrects, or do the sum before the product."""
    named = [
        sign
        for found in _OPERATION.finditer(scene.folded)
        for at, (sign, _) in enumerate(_NAMED)
        if found[f"s{at}"]
    ]
    expression = last_expression(scene.state)
    if expression is None:
        return None
    rules = (_taken_back, _operated, _supposed)
    made = next((made for rule in rules if (made := rule(scene, expression))), None)
    if made is not None or not named:
        return made
    places = iter(range(len(named)))
    text = _OPERATION.sub(lambda _: f"#{next(places)}", scene.folded)
    is_first = named[0] in "+-" and _FIRST.search(text) is not None
    if is_first and (len(named) > 1 or not re.search(r"\d", text.replace("#0", ""))):
        forms = (form.sub(put, expression) for form, put in _SUM_FIRST if form.match(expression))
        return next(forms, None)
    return _exchanged(expression, text, named)


def _supposed(scene: Scene, expression: str) -> str | None:
    """Put a number behind the same operation: "a gdyby było razy 28?"."""
    found = _OPERAND.search(scene.folded)
    amounts = read_amounts(scene.text) if found else ()
    if found is None or len(amounts) != 1:
        return None
    sign = next(sign for sign, words in _NAMED if re.fullmatch(words, found[1]))
    behind = re.compile(rf"({_WRITTEN[sign]} ?)(\d+(?:\.\d+)?|Rational\(\d+, \d+\))(?![\w.])")
    if len(behind.findall(expression)) != 1:
        return None
    return behind.sub(lambda one: f"{one[1]}{amounts[0].text}", expression)


def _taken_back(scene: Scene, expression: str) -> str | None:
    """Exchange two operations of which the prompt takes one back: "minus miał być, nie plus"."""
    taken = taken_back(scene)
    signs = [_sign(part) for part in (taken.old, taken.new)] if taken else []
    if len(signs) != _TWO or signs[0] is None or signs[1] is None:
        return None
    return _with(expression, signs[0], signs[1])


def _sign(part: str) -> str | None:
    folded = fold_evenly(part)
    return next((sign for sign, words in _NAMED if re.fullmatch(words, folded)), None)


def _operated(scene: Scene, expression: str) -> str | None:
    """Do another operation with the last number: "przez 14 miało być" after "36 razy 14"."""
    found = _LAST.match(expression)
    amounts = read_amounts(scene.text) if _MEANT.search(scene.folded) else ()
    said = [sign for sign, words in _BEFORE if re.search(words, scene.folded)]
    if found is None or len(amounts) != 1 or len(said) != 1 or found["sign"].strip() == said[0]:
        return None
    sign = f" {said[0]} " if said[0] in "+-" else said[0]
    return f"{found['left']}{sign}{written(abs(amounts[0].value))}"


def _exchanged(expression: str, text: str, named: list[str]) -> str | None:
    pair = corrected_pair(text)
    if pair is not None:
        return _with(expression, named[pair[0]], named[pair[1]])
    if len(named) != 1 or not _ONLY.search(text) or re.search(r"\d", text.replace("#0", "")):
        return None
    had = [sign for sign in _WRITTEN if re.search(_SIGN.format(_WRITTEN[sign]), expression)]
    return _with(expression, had[0], named[0]) if len(had) == 1 else None


def _with(expression: str, old: str, new: str) -> str | None:
    """Write the one sign instead of the other; a share is taken off instead of added."""
    share = _PERCENT.search(expression)
    pattern = _SIGN.format(_WRITTEN[old])
    found = re.findall(pattern, expression)
    if share is not None and {old, new} == {"+", "-"} and not found:
        return _PERCENT.sub(f"Rational({2 * _WHOLE - int(share[1])}, 100)", expression)
    spaced = f" {new} " if new in "+-" else new
    return re.sub(pattern, spaced, expression) if found else None
