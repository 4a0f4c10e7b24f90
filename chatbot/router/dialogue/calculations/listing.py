"""A further number for a list that was calculated with: a mean, a sum, NWD and NWW."""

import re
from collections.abc import Sequence

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene

_MORE = regex(
    r"\b(?:dorzuc\w*|doloz\w*|dodaj\w*|dodac|dojd\w+|doszl\w+|doszed\w+|doda\w*|dopisz\w*|"
    r"dolicz\w*|"
    r"jeszcze|dostal\w*|wpadl\w*|wstawil\w*|dopisal\w*|plus|uwzgledni\w*|"
    r"pomin(?:al|el)\w*|opusci\w*|zapomni\w*)\b"
)
_OPERATES = regex(
    r"\bdo (?:wyniku|sredniej|tej sredniej)\b|"
    r"\b(?:przez|razy|podziel\w*|pomnoz\w*|odejm\w*|minus)\b"
)
_WITHOUT = regex(r"\b(?:bez|wyrzuc\w*|usun\w*|skresl\w*|pomin(?!al|el)\w*|odrzuc\w*|odpad\w*)\b")
_LIST = regex(r"^(gcd|lcm|Max|Min)\((.+)\)$")
_SUMMED = r"[\d.]+(?:(?:\s*\+\s*)[\d.]+)+"
MEANS = (
    regex(rf"^Rational\(({_SUMMED}), (\d+)\)$"),
    regex(rf"^\(({_SUMMED})\)/(\d+)$"),
)
_ADDED = regex(rf"^{_SUMMED}$")
_COUNTED = regex(r"^(factorial)\((\d+)\)$")
_MARKS = (
    ("pal[ae]", "1"), ("luf[ae]", "1"), ("jedynke", "1"), ("dwoje", "2"), ("troje", "3"),
    ("czworke", "4"), ("piatke", "5"), ("szostke", "6"),
)  # fmt: skip
_MARK = (
    r"(?P<mark>jedyn|pal|luf|dwoj|troj|czwor|piat|pion|szost)"
    r"(?:(?:k|eczk|czyn)?[aeiy]|ek|eczek)\b"
)
_VALUES = {
    "jedyn": 1, "pal": 1, "luf": 1, "dwoj": 2, "troj": 3, "czwor": 4, "piat": 5, "pion": 5,
    "szost": 6,
}  # fmt: skip
_MARK_ALONE = regex(_MARK)
_GENITIVE = regex(r"^(dwo|tro)i$")
_TIMES = regex(rf"\b(?P<n>dwie|trzy|cztery|piec|szesc|[2-6]) {_MARK}")
_ANY_MARK = regex(rf"\b(?:(?P<n>dwie|trzy|cztery|piec|szesc|\d) )?{_MARK}")


def longer(scene: Scene) -> str | None:
    """Add the prompt's numbers to the last list, or leave one of them out."""
    expression = last_expression(scene.state)
    amounts = read_amounts(scene.text)
    numbers = _several(scene) or [one.text for one in amounts] or _marks(scene)
    if expression is None or any(one.unit == "%" for one in amounts):
        return None
    if not numbers or _OPERATES.search(scene.folded):
        return None
    if _WITHOUT.search(scene.folded):
        return _shorter(expression, numbers[0])
    return _with(expression, numbers) if _MORE.search(scene.folded) else None


def _with(expression: str, numbers: Sequence[str]) -> str | None:
    if several := _LIST.match(expression):
        inner = expression
        for number in numbers:
            inner = f"{several[1]}({inner}, {number})"
        return inner
    if counted := _COUNTED.match(expression):
        return f"factorial({' + '.join((counted[2], *numbers))})"
    if _ADDED.match(expression):
        return " + ".join((expression, *numbers))
    for form in MEANS:
        if mean := form.match(expression):
            return f"({' + '.join((mean[1], *numbers))})/{int(mean[2]) + len(numbers)}"
    return None


def _marks(scene: Scene) -> list[str]:
    """School marks by their names: "pałę"."""
    return [mark for name, mark in _MARKS if re.search(rf"\b{name}\b", scene.folded)]


def several_of(text: str) -> list[str]:
    """Marks told by how many there are of each: "dwie piątki, trójka i czwórka"; else nothing."""
    folded = fold_evenly(text)
    if _TIMES.search(folded) is None:
        return []
    values: list[str] = []
    for found in _ANY_MARK.finditer(folded):
        count = read_number(found["n"]) if found["n"] else 1
        values += [str(_VALUES[found["mark"]])] * int(count or 1)
    return values


def mark_of(word: str) -> str | None:
    """The school mark that a folded word names: "dwoje", "trojki"; else ``None``."""
    found = _MARK_ALONE.fullmatch(_GENITIVE.sub(r"\1ji", word))
    return None if found is None else str(_VALUES[found["mark"]])


def _several(scene: Scene) -> list[str]:
    """The same mark so many times: "dwie piątki"."""
    found = _TIMES.search(scene.folded)
    count = read_number(found["n"]) if found is not None else None
    return [str(_VALUES[found["mark"]])] * int(count) if found and count is not None else []


def _shorter(expression: str, number: str) -> str | None:
    for form in MEANS:
        mean = form.match(expression)
        parts = re.split(r"\s*\+\s*", mean[1]) if mean else []
        if mean and number in parts and len(parts) > 1:
            parts.remove(number)
            return f"({' + '.join(parts)})/{int(mean[2]) - 1}"
    return None
