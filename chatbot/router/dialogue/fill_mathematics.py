"""The calculation that a prompt wants within its conversation, where nobody better can be asked."""

import re
from collections.abc import Callable

from chatbot.router.dialogue import mathematics, slots
from chatbot.router.dialogue.amounts import read_amounts
from chatbot.router.dialogue.comparing import compared, figure
from chatbot.router.dialogue.exchanges import correct, exchanged
from chatbot.router.dialogue.figures import last_value
from chatbot.router.dialogue.listing import longer
from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED
from chatbot.router.dialogue.stories import told, unit_of
from chatbot.router.dialogue.variations import varied

_ASKS: FollowUp = FollowUp(asks=(MATHEMATICS, NEEDED[MATHEMATICS]))
_WHAT_IF = re.compile(
    r"\b(?:gdyby\w*|jakby\w*|jak (?!to)|jesli|jezeli|to samo|tak samo|zamiast|jednak|wtedy|mialo byc|"
    r"ma byc|pomyl\w*|sorry|zle|przy podstawie|a (?:dla|z|ze|od|przy|do|po|na|za|w))\b|^(?:a|i) (?!ile)"
)
_SHORT = 4


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest calculation: of the prompt itself, else with what was calculated before."""
    answered = slots.answer(scene)
    if isinstance(answered, FollowUp) and answered.calls:
        return answered
    for rule in _order(scene):
        if (found := rule(scene)) is not None:
            return call(MATHEMATICS, expression=found)
    return _own(scene) or _ASKS


def _order(scene: Scene) -> tuple[Callable[[Scene], str | None], ...]:
    """What to try, in order: exchanging numbers before using the result where the prompt says so."""
    if not scene.is_active(MATHEMATICS):
        return (_whole, compared, _on_figure)
    if _WHAT_IF.search(scene.folded) or scene.size <= _SHORT:
        return (correct, varied, longer, exchanged, _whole, _on_result, compared)
    return (correct, varied, longer, _whole, _on_result, exchanged, compared)


def _whole(scene: Scene) -> str | None:
    """The prompt's own formula, where it needs nothing from before."""
    own = _own(scene)
    expression = str(own.calls[0].arguments[NEEDED[MATHEMATICS]]) if own else ""
    numbers = read_amounts(scene.text)
    is_whole = len(numbers) > 1 and all(str(one.value.numerator) in expression for one in numbers)
    return expression if is_whole and own and len(own.calls) == 1 else None


def _on_result(scene: Scene) -> str | None:
    certain = mathematics.follow(scene)
    if isinstance(certain, FollowUp) and certain.calls:
        return str(certain.calls[0].arguments[NEEDED[MATHEMATICS]])
    value, last = last_value(scene.state), scene.state.last
    return told(scene, value, unit_of(last.reply)) if value and last else None


def _on_figure(scene: Scene) -> str | None:
    named = figure(scene)
    return told(scene, named.text, named.unit) if named else None


def _own(scene: Scene) -> FollowUp | None:
    own = tuple(one for one in scene.detected(MATHEMATICS) if NEEDED[MATHEMATICS] in one.arguments)
    return FollowUp(calls=own) if own else None
