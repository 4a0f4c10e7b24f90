"""The one number of a prompt put to the operand, or the result, that its noun or unit names."""

from dataclasses import dataclass
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts, written
from chatbot.router.dialogue.calculations.constants import exchange
from chatbot.router.dialogue.calculations.figures import is_number, last_expression
from chatbot.router.dialogue.calculations.listing import longer
from chatbot.router.dialogue.calculations.measures import KNOWN, is_same, is_time, kind_of
from chatbot.router.dialogue.calculations.quantities import Quantity, nouns_in, read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_MORE = regex(
    r"\b(?:doku[pć]\w*|dojd\w*|dosz[el]\w*|dojech\w*|przyby\w*|przyjech\w*|doczep\w*|dosta\w*|"
    r"wzros\w*|urosni\w*|zwieksz\w*|powieksz\w*|wydluz\w*|podnios\w*|wiecej|dluzej|dolacz\w*|"
    r"dorzuc\w*|doloz\w*|dowiez\w*|dowioz\w*|dosadz\w*|dorob\w*|dopisz\w*)\b"
)
_LESS = regex(
    r"\b(?:odczep\w*|ubyl\w*|ubed\w*|zgub\w*|zgin\w*|zuzy\w*|zjad\w*|zjed\w*|sprzeda\w*|odda\w*|"
    r"zmale\w*|spad\w*|zmniejsz\w*|skroc\w*|mniej|krocej|odpad\w*|wyjm\w*|zabra\w*|zabier\w*|"
    r"zepsu\w*|stluk\w*|potluk\w*|zajet\w*|wyda\w*|zabrakn\w*|wypi\w*|rozda\w*|odjech\w*|wysia\w*|"
    r"popsu\w*|usch\w*|wyrzuc\w*|zamkn\w*|uszkodz\w*|zgni\w*|zepsul\w*|zniszcz\w*|pust\w+)\b"
)
_SET = regex(
    r"\b(?:gdyby\w*|jakby\w*|jesli|jezeli|jak|jednak|mial[aoy]? byc|tylko|zamiast|zalozmy)\b|"
    r"^(?:a|i|no a|to|ojej|ups|sorki|oj)\b"
)
_SUPPOSED = regex(r"\b(?:gdyb\w*|jakb\w*|jesli|jezeli|zalozmy)\b|^a jak\b")
_OTHERWISE = regex(
    r"\b(?:podziel\w*|pomnoz\w*|razy|sum[aeyę]|dodaj|odejmij|dolicz|plus|minus|procent\w*|reszt\w*|"
    r"na osobe|na glowe|po ilu|ile dni|kazd\w+|takich samych)\b|%|/|\bprzez \d+\W*$"
)
_PAID = regex(r"\b(?:wynos|wynies|koszt|plac|zarab|cen)\w*\b")
_TO = regex(r"\bdo $")
_COUNTED = regex(r"^\s*(?:tak(?:ie|ich|i|a) )?(?P<noun>[^\W\d]{2,})(?: (?P<next>[^\W\d]{3,}))?")
_NONE = frozenset({"zl", "to", "ile", "na", "w", "z", "za", "po", "do", "i", "a", "od", "ale"})
_LEAST, _LONGEST, _EVEN = 3, 12, 0


@dataclass(frozen=True, kw_only=True, slots=True)
class _Edit:
    """The number of a prompt, what it counts, whether it is a price, and the nouns around it."""

    amount: Amount
    unit: str
    is_price: bool
    nouns: tuple[str, ...]


def edited(scene: Scene) -> str | None:
    """Set, raise or lower the operand that the prompt names, or the result where it counts that."""
    expression, last = last_expression(scene.state), scene.state.last
    if expression is None or last is None or not is_number(expression):
        return None
    edit = _edit(scene) if scene.is_active(MATHEMATICS) else None
    if edit is None or scene.size > _LONGEST or _OTHERWISE.search(scene.folded):
        return None
    old = _operand(edit, last.prompt, expression)
    sign = _sign(scene, edit)
    if sign and old is not None and not _is_of_result(edit, old, last.reply):
        return _exchanged(expression, old, old.value + sign * edit.amount.value)
    if sign and not _SUPPOSED.search(scene.folded) and _counts_result(edit, last.reply):
        return f"({expression}) {'+' if sign > 0 else '-'} {edit.amount.text}"
    is_set = not sign and old is not None and _SET.search(scene.folded)
    return _exchanged(expression, old, edit.amount.value) if is_set and old else None


def _edit(scene: Scene) -> _Edit | None:
    amounts = read_amounts(scene.text)
    if len(amounts) != 1 or amounts[0].unit == "%" or amounts[0].pair or longer(scene):
        return None
    one = amounts[0]
    if 0 < one.value < 1:
        return None
    unit = _unit(scene.folded[one.end :])
    is_paid = one.cue == "po" or _PAID.search(scene.folded[: one.start]) is not None
    is_price = one.unit == "zl" or (is_paid and not unit)
    return _Edit(amount=one, unit=unit, is_price=is_price, nouns=nouns_in(scene.text))


def _unit(after: str) -> str:
    """What is counted: the word after the number, "such" left out."""
    found = _COUNTED.match(after)
    if found is None or found["noun"] in _NONE - {"zl"}:
        return ""
    kind = kind_of(found["noun"])
    is_adjective = kind not in KNOWN and found["next"] and not nouns_in(f"x {found['noun']}")
    return kind_of(found["next"]) if is_adjective else kind


def _sign(scene: Scene, edit: _Edit) -> int:
    """Whether the number is put to something (1), taken off (-1) or stands for it (0)."""
    if _TO.search(scene.folded[: edit.amount.start]) or is_time(edit.unit):
        return 0
    is_more, is_less = _MORE.search(scene.folded), _LESS.search(scene.folded)
    return int(bool(is_more)) - int(bool(is_less))


def _operand(edit: _Edit, prompt: str, expression: str) -> Quantity | None:
    """The number of the last prompt that the edit means: by what it counts, then by its nouns."""
    told = [
        one
        for one in read_quantities(prompt)
        if exchange(expression, one.value, one.value) is not None
    ]
    scored = sorted(((_likeness(edit, one), at) for at, one in enumerate(told)), reverse=True)
    if not scored or scored[0][0] < _LEAST:
        return None
    is_clear = len(scored) == 1 or scored[0][0] > scored[1][0]
    return told[scored[0][1]] if is_clear else None


def _likeness(edit: _Edit, one: Quantity) -> int:
    is_money = one.unit == "zl"
    if edit.is_price != is_money and (edit.is_price or edit.unit in KNOWN):
        return _EVEN
    score = _EVEN
    if edit.unit and one.unit:
        if is_same(edit.unit, one.unit):
            score += 3
        elif edit.unit in KNOWN and one.unit in KNOWN:
            return _EVEN
    if edit.is_price and is_money:
        score += 2
    if not edit.is_price and any(is_same(one.unit, noun) for noun in edit.nouns):
        score += 3
    owners = [*one.names, *([one.per] if one.per else [])]
    shared = [noun for noun in edit.nouns if any(is_same(name, noun) for name in owners)]
    is_named = shared and (edit.is_price or not is_money)
    return score + ((2 if edit.unit else 3) if is_named else _EVEN)


def _is_of_result(edit: _Edit, old: Quantity, reply: str) -> bool:
    """Whether the result counts the same as the edit, and the operand has no name of its own."""
    is_named = any(old.is_of(noun) for noun in edit.nouns if not is_same(noun, edit.unit))
    return _counts_result(edit, reply) and bool(edit.unit) and not is_named


def _counts_result(edit: _Edit, reply: str) -> bool:
    """Whether the result is counted in what the edit counts, or the edit does not say what."""
    found = read_quantities(reply)
    unit = found[-1].unit if found else ""
    if edit.is_price:
        return unit == "zl"
    return not edit.unit or is_same(edit.unit, unit) or bool(unit and unit in edit.nouns)


def _exchanged(expression: str, old: Quantity, value: Fraction) -> str | None:
    is_possible = value > 0 or old.value <= 0
    return exchange(expression, old.value, value) if is_possible and written(value) else None
