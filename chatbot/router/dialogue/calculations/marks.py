"""A mean with one of its marks or numbers changed: "a jak tę dwóję poprawię na cztery?"."""

import re

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.listing import MEANS, mark_of
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_VERB = (
    r"(?:popra[wy]\w*|zamien\w*|zmien\w*|podnio\w+|podnie\w+|podciag\w*|wymien\w*|podwyzsz\w*|"
    r"przepis\w*|zrobi\w*)"
)
_CHANGES = regex(rf"\b(?:{_VERB}|zamian\w*|zamiast)\b|\b(?:byl[aoy]?(?:by)?|bedzie)\b")
_SKIPPED = r"(?:(?:sie|mi|ja|je|bym|potem|kiedys|jednak|u niej|u niego|to|tylko)\W+)*"
_CHANGED = regex(
    r"\b(?:(?P<all>obie|obydwie|wszystkie|kazda)\W+(?:te\W+)?|(?P<n>dwie|trzy|cztery|2|3)\W+)?"
    rf"(?P<old>\w+)\W+{_SKIPPED}(?:{_VERB}\W+{_SKIPPED})?(?:na|w|do|jako)\W+"
    rf"(?:jak\w+s\W+|sam\w\W+|same\W+|ocene\W+)?(?P<new>\w+)"
)
_BECOMES = regex(
    r"\b(?P<old>\w+)\W+(?:byl[aoy]?(?:by)?|bedzie|okaze sie)\W+(?:jednak\W+)?(?P<new>\w+)"
)
_INSTEAD = regex(
    r"\bzamiast\W+(?:t\w{1,2}\W+|jednej\W+)?(?P<old>\w+)\W+"
    r"(?:(?:mial\w*|bedzie|byl\w*|bym|mam|dostan\w+|dostal\w*|wpis\w+|jest|daj|dam)\W+)*(?P<new>\w+)"
)
_LONGEST = 18


def remarked(scene: Scene) -> str | None:
    """The last mean with another mark in the place of the one that the prompt names."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or scene.size > _LONGEST or not _CHANGES.search(scene.folded):
        return None
    mean = next((found for form in MEANS if (found := form.match(expression))), None)
    if mean is None:
        return None
    parts = re.split(r"\s*\+\s*", mean[1])
    for form in (_INSTEAD, _CHANGED, _BECOMES):
        for found in form.finditer(scene.folded):
            old, new = _value(found["old"]), _value(found["new"])
            if old is not None and old in parts and new not in {None, old}:
                changed = _exchanged(parts, old, str(new), _count(found))
                return f"({' + '.join(changed)})/{mean[2]}"
    return None


def _value(word: str) -> str | None:
    if (mark := mark_of(word)) is not None:
        return mark
    number = read_number(word)
    return str(number) if isinstance(number, int) else None


def _count(found: re.Match[str]) -> int | None:
    """How many of the same are changed; ``None``: all."""
    told = found.groupdict()
    if told.get("all"):
        return None
    number = read_number(told["n"]) if told.get("n") else 1
    return int(number or 1)


def _exchanged(parts: list[str], old: str, new: str, count: int | None) -> list[str]:
    left = len(parts) if count is None else count
    changed = []
    for one in parts:
        is_changed = one == old and left > 0
        left -= is_changed
        changed.append(new if is_changed else one)
    return changed
