"""Another exponent wherever the last calculation had one: "a z sześcianami zamiast kwadratów?"."""

import re

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_POWER = (
    r"(?:do )?(?:kwadrat\w*|szescian\w*|poteg\w* \w+|[a-z]{4,}(?:ej|ich|ych|imi|ymi|iej|e)"
    r" poteg\w*|(?<=do )[a-z]{4,}ej)"
)
_SEVERAL = r"(?:(?:kwadrat|szescian)(?:y|ow|ami|ach)|[a-z]{4,}(?:e|ych|ich|ymi|imi) poteg\w*)"
_FORMS = tuple(
    regex(form)
    for form in (
        rf"(?P<new>{_POWER})(?: \w+)? (?:zamiast|w miejsce) (?P<old>{_POWER})",
        rf"\bzamiast (?P<old>{_POWER})[ ,]+(?:\w+ ){{0,3}}?(?P<new>{_POWER})",
        rf"\bnie (?P<old>{_POWER}),? (?:tylko|a|ale|lecz) (?P<new>{_POWER})",
        rf"(?P<new>{_POWER}),? (?:a )?nie (?P<old>{_POWER})",
        (
            r"^(?=a |i |no |gdyby|jakby|z |dla |jak )(?:(?:a|i|no|gdyby|jakby|jak|jesli|z|ze|przy|"
            r"dla|na|to|tu|tam|byly|beda|byloby|zrobic|dac|wziac|samymi|samych) )*"
            rf"(?P<new>{_SEVERAL})\W*$"
        ),
    )
)
_NAMED = {"kwadrat": 2, "szescian": 3}
_RAISED = regex(r"\*\*(\d+)(?![\d.])")
_ONE_POWER = 1


def with_exponent(scene: Scene) -> str | None:
    """Raise to the power that the prompt names what was raised to another."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or "**" not in expression:
        return None
    found = next((one for form in _FORMS if (one := form.search(scene.folded))), None)
    new = _degree(found["new"]) if found else None
    if found is None or new is None:
        return None
    told = {int(one) for one in _RAISED.findall(expression)}
    old = _degree(found["old"]) if "old" in found.groupdict() else None
    if old is None:
        old = told.pop() if len(told) == _ONE_POWER else None
    if old is None or old == new:
        return None
    made = re.sub(rf"\*\*{old}(?![\d.])", f"**{new}", expression)
    return made if made != expression else None


def _degree(said: str | None) -> int | None:
    """The exponent that a word names: "kwadratów", "do czwartej", "potęgi 5"."""
    for word in (said or "").split():
        named = next((value for stem, value in _NAMED.items() if word.startswith(stem)), None)
        number = named or (None if word.startswith(("do", "poteg")) else read_number(word))
        if number is not None and number == int(number):
            return int(number)
    return None
