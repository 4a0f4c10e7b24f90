"""The calculation that a prompt wants within its conversation, where nobody better can be asked."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.formulas.stories import read_calculation
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue import slots
from chatbot.router.dialogue.calculations import mathematics
from chatbot.router.dialogue.calculations.additions import (
    another_such,
    charged,
    joined,
    plainly,
    priced,
    priced_after_change,
    put_to,
    repriced,
)
from chatbot.router.dialogue.calculations.aims import aimed
from chatbot.router.dialogue.calculations.alike import each
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.bracketed import with_inner
from chatbot.router.dialogue.calculations.comparing import compared, figure
from chatbot.router.dialogue.calculations.consecutive import asks_for_two, one_after_another
from chatbot.router.dialogue.calculations.digits import of_digits
from chatbot.router.dialogue.calculations.edits import edited
from chatbot.router.dialogue.calculations.enclosures import enclosed
from chatbot.router.dialogue.calculations.exchanges import (
    as_many,
    compared_with_before,
    correct,
    exchanged,
    mistyped,
    of_such,
    shifted,
)
from chatbot.router.dialogue.calculations.exponents import with_exponent
from chatbot.router.dialogue.calculations.extremes import apart, resized
from chatbot.router.dialogue.calculations.factors import of_factors, taken_apart
from chatbot.router.dialogue.calculations.figures import last_expression, last_value, plain
from chatbot.router.dialogue.calculations.forms import in_other_form
from chatbot.router.dialogue.calculations.functions import (
    at_point,
    of_other,
    of_same,
    with_other_side,
    with_sign,
)
from chatbot.router.dialogue.calculations.gains import for_each, gained
from chatbot.router.dialogue.calculations.items import of_items
from chatbot.router.dialogue.calculations.layers import layered
from chatbot.router.dialogue.calculations.listing import longer
from chatbot.router.dialogue.calculations.marks import remarked
from chatbot.router.dialogue.calculations.multiples import scaled
from chatbot.router.dialogue.calculations.operations import operated
from chatbot.router.dialogue.calculations.ordinals import placed
from chatbot.router.dialogue.calculations.paces import at_pace
from chatbot.router.dialogue.calculations.pairs import on_both
from chatbot.router.dialogue.calculations.parts import of_others, part
from chatbot.router.dialogue.calculations.periods import for_period
from chatbot.router.dialogue.calculations.pieces import for_one
from chatbot.router.dialogue.calculations.quotients import with_part
from chatbot.router.dialogue.calculations.rates import at_rate, in_unit
from chatbot.router.dialogue.calculations.reckoning import (
    meant,
    packed,
    reasked,
    reckoned,
    told_quantities,
)
from chatbot.router.dialogue.calculations.rereading import with_term
from chatbot.router.dialogue.calculations.rewording import of_other_shape, reworded
from chatbot.router.dialogue.calculations.root_degrees import of_degree
from chatbot.router.dialogue.calculations.same_shares import by_same_share
from chatbot.router.dialogue.calculations.series import summed
from chatbot.router.dialogue.calculations.shifts import shifted_by
from chatbot.router.dialogue.calculations.solids import of_solid
from chatbot.router.dialogue.calculations.steps import step
from chatbot.router.dialogue.calculations.stories import based, told, unit_of
from chatbot.router.dialogue.calculations.summands import with_summand
from chatbot.router.dialogue.calculations.swaps import swapped
from chatbot.router.dialogue.calculations.takebacks import put_right
from chatbot.router.dialogue.calculations.told_formulas import in_told_formula
from chatbot.router.dialogue.calculations.unequal_shares import unevenly
from chatbot.router.dialogue.calculations.variations import varied
from chatbot.router.dialogue.calculations.wholes import applied, whole
from chatbot.router.dialogue.scene import FollowUp, Scene, calculate, call
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED

_Rule: TypeAlias = Callable[[Scene], str | None]
_ASKS: FollowUp = FollowUp(asks=(MATHEMATICS, NEEDED[MATHEMATICS]))
_WHAT_IF = regex(
    r"\b(?:gdyby\w*|jakby\w*|jak (?!to)|jesli|jezeli|to samo|tak samo|zamiast|jednak|"
    r"wtedy|mialo byc|"
    r"ma byc|pomyl\w*|sorry|zle|przy podstawie|a (?:dla|z|ze|od|przy|do|na|za|w|"
    r"po(?! (?:kup|zakup|zapl|opla|odda|wyda|odj))))\b|"
    r"^(?:a|i) (?!ile)|^(?:oj |och )?nie,? "
)
_WHY = regex(
    r"\b(?:dlaczego|czemu|skad|po co|wyjasnij|wytlumacz|o co (?:biega|chodzi)|przepis\w*)\b"
)
_RATE = regex(
    r"\b(?:na|za) (?:1 |jed\w+ )?(?:kilometr|km|kilogram|kg|osob\w|sztuk\w|litr|metr|"
    r"godzin\w|dzien|glow\w|"
    r"porcj\w|ton\w|miesiac)\b|\b(?:dziennie|miesiecznie|tygodniowo)\b"
)
_QUESTIONS = regex(r",? (?:a|i|oraz|a takze) (?=(?:ile|jak\w+)\b)")
_SPOKEN = regex(r"\b(?:iks\w*|igrek\w*|ygrek\w*)\b", re.IGNORECASE)
_APPLIED = regex(r"\b([fgh])\((-?\d+(?:[.,/]\d+)?)\)")
_DERIVED = regex(r"^diff\((.+), x\)$")
_SENTENCE = regex(r"[.;!?]\s+|[.!?]$")
_SUCH = regex(r"\btaki(?:e|ch|mi)\b")
_RETURNS = regex(r"\b(?:wro[ct]\w*|wracaj\w*|wracam\w*|sprzed chwili|tamt\w+|poprzedni\w*)\b")
_STEP = regex(
    r"\b(?:odejmij|dodaj|dolicz|podziel|pomnoz|przemnoz)\b|"
    r"^(?:a |i |to |jeszcze |teraz )*(?:razy|minus|plus)\b|\brazy\W*$"
)
_BY = regex(r"^(?:(?:a|i|to|teraz|jeszcze) )*przez \d[\d ,]*\W*$")
_PERCENTAGE = regex(r"\b(?:jaki|ile) to procent\b")
_SHORT = 4


_FIRST: tuple[_Rule, ...] = (
    unevenly, layered, enclosed, remarked, with_inner, with_exponent, with_summand, with_sign,
    with_part, another_such, of_others, priced_after_change, operated, in_other_form,
    of_other_shape, of_digits, shifted_by, of_degree, by_same_share, at_pace, at_rate,
    with_term, of_factors, taken_apart, aimed, mathematics.turned, apart, resized, reasked,
    packed, for_period, for_one, of_items, of_such, as_many, summed, placed, scaled, on_both,
    swapped, put_right, mathematics.at_derivative, at_point, with_other_side, of_other, of_same,
    charged, put_to, repriced, for_each, gained, priced, joined, edited, correct, mistyped, part,
    of_solid, varied, longer, reworded, in_unit,
)  # fmt: skip


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest calculation: of the prompt itself, else with what was calculated before."""
    answered = slots.answer(scene)
    if isinstance(answered, FollowUp) and answered.calls:
        return answered
    if _WHY.search(scene.folded) and not read_amounts(scene.text):
        return None
    rules = (_answered, _each_question, _alike, _both)
    if (several := next((found for rule in rules if (found := rule(scene))), None)) is not None:
        return several
    return _found(plainly(_back(scene))) or _ASKS


def _back(scene: Scene) -> Scene:
    """The prompt in the conversation as it was when something was last calculated."""
    if scene.is_active(MATHEMATICS):
        return scene.past_thanks()
    if not _RETURNS.search(scene.folded):
        return scene
    turns = scene.state.turns
    made = [at for at, turn in enumerate(turns) if turn.uses(MATHEMATICS)]
    return scene.after(turns[: made[-1] + 1]) if made else scene


def _answered(scene: Scene) -> FollowUp | None:
    """What an open question of a while ago was waiting for, and a value of the last function."""
    for turn in reversed(scene.state.turns):
        if turn.calls:
            break
        if turn.asked is not None and turn.asked[0] == MATHEMATICS:
            text = f"{turn.prompt} {_SPOKEN.sub(_letter, scene.text)}"
            found = read_formula(text) or read_formula(text.partition(" ")[2])
            return call(MATHEMATICS, expression=found.expression) if found else None
    return _value_of_function(scene)


def _letter(found: re.Match[str]) -> str:
    return "x" if found[0].lower().startswith("iks") else "y"


def _value_of_function(scene: Scene) -> FollowUp | None:
    """Put a number into the function that a prompt before has defined: "f(-1/2)="."""
    asked = _APPLIED.search(scene.text)
    if asked is None:
        return None
    for turn in reversed(scene.state.turns):
        if defined := re.search(rf"\b{asked[1]}\(x\) ?= ?([^,;?]+)", turn.prompt):
            body = re.sub(r"(?<=[\d)²³x ]) ?\(?$", "", defined[1])
            found = _DERIVED.match(getattr(read_formula(f"pochodna {body}"), "expression", ""))
            point = plain(asked[2])
            return call(MATHEMATICS, expression=f"limit({found[1]}, x, {point})") if found else None
    return None


def _found(scene: Scene) -> FollowUp | None:
    for rule in _order(scene):
        if (expression := rule(scene)) is not None:
            is_settled = rule in mathematics.SETTLED
            return replace(call(MATHEMATICS, expression=expression), is_settled=is_settled)
    return None


def _each_question(scene: Scene) -> FollowUp | None:
    """Answer "ile na zmianę, a ile w 64 dniach?" one by one, each on the same result."""
    parts = _QUESTIONS.split(scene.text)
    if len(parts) < 2 or not all(read_amounts(part) for part in parts):  # noqa: PLR2004 - one asks
        return None
    found = [_found(scene.within(part)) for part in parts]
    calls = [one for each in found if each for one in each.calls]
    return FollowUp(calls=tuple(calls)) if len(calls) == len(parts) else None


def _alike(scene: Scene) -> FollowUp | None:
    """The last calculation for each number of a list: "a z 300 i 700?"."""
    several = each(scene)
    return calculate(*several) if several else None


def _both(scene: Scene) -> FollowUp | None:
    """Two wishes, the second of which is the first done otherwise: "i potem to samo do 50"."""
    both = one_after_another(scene, _expression) if asks_for_two(scene) else ()
    return calculate(*both) if both else None


def _expression(scene: Scene) -> str | None:
    found = _found(scene)
    return str(found.calls[0].arguments[NEEDED[MATHEMATICS]]) if found else None


def _order(scene: Scene) -> tuple[_Rule, ...]:
    """What to try, in order; numbers are exchanged first where the prompt supposes something."""
    rules: tuple[_Rule, ...]
    if not scene.is_active(MATHEMATICS):
        return (in_told_formula, on_both, reckoned, whole, applied, compared, _on_figure, _own)
    is_step = _STEP.search(scene.folded) is not None
    is_supposed = _WHAT_IF.search(scene.folded) or (scene.size <= _SHORT and not is_step)
    if is_supposed and not _SUCH.search(scene.folded) and not _divides(scene):
        rules = (whole, compared_with_before, _changed, exchanged, _on_result, compared, _own)
    else:
        rules = (whole, compared_with_before, _changed, _on_result, exchanged, compared, _own)
    return (*_FIRST, *rules)


def _divides(scene: Scene) -> bool:
    """Whether "a przez 6?" follows what has no divisor that the number could stand for."""
    expression, last = last_expression(scene.state), scene.state.last
    if expression is None or last is None or _BY.match(scene.folded) is None:
        return False
    return "/" not in expression and "przez" not in last.prompt.casefold()


def _on_result(scene: Scene) -> str | None:
    certain = None if _PERCENTAGE.search(scene.folded) else mathematics.follow(scene)
    if isinstance(certain, FollowUp) and certain.calls:
        return str(certain.calls[0].arguments[NEEDED[MATHEMATICS]])
    value, last = last_value(scene.state), scene.state.last
    if value is None or last is None:
        return None
    base = based(scene, value)
    if base != value and not read_amounts(scene.text):
        return base
    is_rate = _RATE.search(fold_evenly(last.reply)) is not None
    return told(scene, base, unit_of(last.reply), is_rate=is_rate)


def _changed(scene: Scene) -> str | None:
    """So many more or fewer of something, and what else is told after that."""
    value = shifted(scene)
    numbers = read_amounts(scene.text)
    if value is None or len(numbers) <= 1:
        return value
    return told(scene.within(scene.text[numbers[0].end :]), f"({value})")


def _on_figure(scene: Scene) -> str | None:
    pointed = meant(scene, told_quantities(scene))
    named = pointed or figure(scene)
    if named is None:
        return None
    sentences = [one for one in _SENTENCE.split(scene.text) if one.strip()] or [scene.text]
    if _STEP.search(scene.folded) and (done := step(sentences[-1], named.text)) is not None:
        return done
    return told(scene, named.text, named.unit) or step(sentences[-1], named.text)


def _own(scene: Scene) -> str | None:
    """Whatever formula or story the prompt itself has."""
    found = read_calculation(scene.text)
    return None if found is None else found.expression
