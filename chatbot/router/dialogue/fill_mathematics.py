"""The calculation that a prompt wants within its conversation, where nobody better can be asked."""

import re
from collections.abc import Callable

from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue import mathematics, slots
from chatbot.router.dialogue.amounts import read_amounts
from chatbot.router.dialogue.comparing import compared, figure
from chatbot.router.dialogue.constants import holds
from chatbot.router.dialogue.exchanges import correct, exchanged
from chatbot.router.dialogue.figures import last_value
from chatbot.router.dialogue.listing import longer
from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED
from chatbot.router.dialogue.stories import based, told, unit_of
from chatbot.router.dialogue.variations import varied

_ASKS: FollowUp = FollowUp(asks=(MATHEMATICS, NEEDED[MATHEMATICS]))
_WHAT_IF = re.compile(
    r"\b(?:gdyby\w*|jakby\w*|jak (?!to)|jesli|jezeli|to samo|tak samo|zamiast|jednak|wtedy|mialo byc|"
    r"ma byc|pomyl\w*|sorry|zle|przy podstawie|a (?:dla|z|ze|od|przy|do|po|na|za|w))\b|^(?:a|i) (?!ile)"
)
_QUESTIONS = re.compile(r",? (?:a|i|oraz|a takze) (?=(?:ile|jak\w+)\b)")
_SHORT = 4


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest calculation: of the prompt itself, else with what was calculated before."""
    answered = slots.answer(scene)
    if isinstance(answered, FollowUp) and answered.calls:
        return answered
    if (found := _each_question(scene)) is not None:
        return found
    expression = _expression(scene)
    return _ASKS if expression is None else call(MATHEMATICS, expression=expression)


def _expression(scene: Scene) -> str | None:
    return next((found for rule in _order(scene) if (found := rule(scene)) is not None), None)


def _each_question(scene: Scene) -> FollowUp | None:
    """Answer "ile na zmianę, a ile w 64 dniach?" one by one, each on the same result."""
    parts = _QUESTIONS.split(scene.text)
    if len(parts) < 2 or not all(read_amounts(part) for part in parts):  # noqa: PLR2004 - one asks
        return None
    found = [_expression(scene.within(part)) for part in parts]
    calls = [one for each in found if each for one in call(MATHEMATICS, expression=each).calls]
    return FollowUp(calls=tuple(calls)) if len(calls) == len(parts) else None


def _order(scene: Scene) -> tuple[Callable[[Scene], str | None], ...]:
    """What to try, in order: exchanging numbers before using the result where the prompt says so."""
    if not scene.is_active(MATHEMATICS):
        return (_whole, compared, _on_figure, _own)
    if _WHAT_IF.search(scene.folded) or scene.size <= _SHORT:
        return (correct, varied, longer, _whole, exchanged, _on_result, compared, _own)
    return (correct, varied, longer, _whole, _on_result, exchanged, compared, _own)


def _whole(scene: Scene) -> str | None:
    """The prompt's own formula, where it needs nothing from before."""
    numbers = read_amounts(scene.text)
    if len(numbers) < 2 or any(one.pair for one in numbers):  # noqa: PLR2004 - one needs another
        return None
    for text in (scene.text, f"{scene.text.rstrip(' .?!')}. Ile razem?"):
        found = read_formula(text)
        if found and found.share == 1 and all(holds(found.expression, one.value) for one in numbers):
            return found.expression
    return None


def _on_result(scene: Scene) -> str | None:
    certain = mathematics.follow(scene)
    if isinstance(certain, FollowUp) and certain.calls:
        return str(certain.calls[0].arguments[NEEDED[MATHEMATICS]])
    value, last = last_value(scene.state), scene.state.last
    if value is None or last is None:
        return None
    return told(scene, based(scene, value), unit_of(last.reply))


def _on_figure(scene: Scene) -> str | None:
    named = figure(scene)
    return told(scene, named.text, named.unit) if named else None


def _own(scene: Scene) -> str | None:
    """Whatever formula the prompt itself has."""
    found = read_formula(scene.text)
    return None if found is None else found.expression
