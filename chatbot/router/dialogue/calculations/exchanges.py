"""The last calculation with other numbers, each in the place of the one of its unit or role."""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import log10

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import KINDS, Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import (
    constants,
    exchange,
    form_of,
    holds,
    replaced,
)
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.measures import is_same
from chatbot.router.dialogue.calculations.quantities import read_quantities
from chatbot.router.dialogue.calculations.rereading import read_again, understood
from chatbot.router.dialogue.scene import Scene

_NOT = regex(
    r"\bnie (?:ma byc |bylo |mialo byc |o |z |na |po |do |od )?#(?P<old>\d)\W{0,3}"
    r"(?:(?:a|ale|lecz|tylko|bo|mialo byc|jest|to)\b[^#]{0,12})?#(?P<new>\d)"
    r"|#(?P<new2>\d)\W{0,3}(?:a )?nie (?:zadn\w+ |o |z |na |po |do |od )?#(?P<old2>\d)"
    r"|\bzami?a?s?t [^#]{0,14}#(?P<old3>\d)[^#]{1,20}#(?P<new3>\d)"
    r"|#(?P<new4>\d)\b[^#]{0,20} (?:zami?a?s?t|w miejsce) [^#]{0,14}#(?P<old4>\d)"
    r"|\b(?:zamien|podmien|zmien)\w* [^#]{0,14}#(?P<old5>\d) na [^#]{0,12}#(?P<new5>\d)"
    r"|\bz #(?P<old6>\d) (?:zrob|robi)\w* (?:sie )?#(?P<new6>\d)"
)
_SUCH = regex(r"#0 tak(?:ich|ie|i|a) ([a-z]{3,})")
_MEANT = regex(
    r"\b(?:mial[aoy]?|powin\w+) (?:tam |to |przeciez )?byc\b|\bprzestawi\w+ cyfr\w*|"
    r"\bprzecinek nie\b|\b(?:pomyl\w+ sie|literowk\w*|zle (?:wpis|przepis|poda|napis)\w+)\b"
)
_ONE_OF = regex(r"\bjedn(?:ej|ego|a|ym|emu) $")
_OF_TERM = regex(r" ?[*/^·] ?\(?[a-z]\b|[xyntk]\b(?! [a-z]{3})")
_SIGNED = regex(r"([-−+]) ?\d")
_INTO = regex(
    r"^(?:(?:i|no|to) )?(?:a|a jak|a jesli|a gdyby|a gdyby bylo) (?:na|przez|dla|w|za) $|"
    r"\b(?P<spread>rozbi\w+|rozloz\w*|rozlozon\w+|rozklada\w*|rozpisz\w*|rozpisan\w+) "
    r"(?:(?:to|ja|go|wszystko|calosc|reszte) )?na $"
)
_TERMS = frozenset({"rat", "mies"})
_BY_HOW_MUCH = regex(r"\bo il[eu] (?:to )?(wiecej|mniej|drozej|taniej|dluzej|krocej)\b")
_SO_MANY_MORE = regex(
    r"#0 (?:\w+ )?(?:wiecej|dluz(?:ej|sz\w+)|dalej|starsz\w+|wyzsz\w+)|"
    r"\bo #0 (?:\w+ )?(?:wieksz\w+|szersz\w+|wyzej|pozniej)|"
    r"\b(?:dojd\w+|doszl\w+|przyj[ds]\w+|dolacz\w+)\b.*#0"
)
_SO_MANY_LESS = regex(
    r"#0 (?:\w+ )?(?:mniej|krocej|krotsz\w+|blizej|mlodsz\w+|nizsz\w+)|"
    r"\bo #0 (?:\w+ )?(?:mniejsz\w+|wezsz\w+|wczesniej)|"
    r"\b(?:zgni\w+|zeps\w+|potluk\w+|stluk\w+|zgub\w+|zgin\w+|usch\w+|zabrak\w+|"
    r"nie (?:przy\w+|bedzie|dojed\w+)|odpad\w+|zrezygn\w+)\b.*#0|"
    r"#0 (?:\w+ )?(?:zgni\w+|zeps\w+|potluk\w+|stluk\w+|zgub\w+|zgin\w+|usch\w+|zabrak\w+|"
    r"nie (?:przy\w+|bedzie|dojed\w+)|odpad\w+|zrezygn\w+)"
)
_ONE_LONGER = regex(
    r"(?<!\d )\b(?:rok|godzine|dzien|miesiac|minute|kilometr|metr) (?:dluz|kroc|dalej|wiecej|mniej)"
)
_LEAST = 0.8
_SURE, _ENOUGH = 2.0, 1.0
_MOST = 4


def marked(scene: Scene, amounts: Sequence[Amount]) -> str:
    """The folded prompt with each number as "#" and its place in the list."""
    text = scene.folded
    for place, one in reversed(list(enumerate(amounts))):
        text = f"{text[: one.start]}#{place}{text[one.end :]}"
    return text


def corrected_pair(text: str) -> tuple[int, int] | None:
    """Which of the marks "#0", "#1" … of a text is taken back, and which is put for it."""
    found = _NOT.search(text)
    if found is None:
        return None
    groups = {name[:3]: int(place) for name, place in found.groupdict().items() if place}
    return groups["old"], groups["new"]


def correct(scene: Scene) -> str | None:
    """Follow "nie 73, tylko 37" and "zamiast dwunastki dziesiątka"."""
    expression = last_expression(scene.state)
    amounts = read_amounts(scene.text)
    pair = corrected_pair(marked(scene, amounts)) if expression else None
    if expression is None or pair is None:
        return None
    old, new = amounts[pair[0]], amounts[pair[1]]
    if _OF_TERM.match(scene.folded, old.end) or _OF_TERM.match(scene.folded, new.end):
        return None
    if _ONE_OF.search(scene.folded[: old.start]):
        return re.sub(rf"(?<![\w.]){old.text}(?![\w.])", new.text, expression, count=1)
    return exchange(expression, old.value, new.value, share="%" in {old.unit, new.unit})


def of_such(scene: Scene) -> str | None:
    """Another number of what was counted: "a osiem takich jogurtów?" after "12 jogurtów"."""
    expression, last = last_expression(scene.state), scene.state.last
    amounts = read_amounts(scene.text)
    such = _SUCH.search(marked(scene, amounts)) if len(amounts) == 1 else None
    if expression is None or last is None or such is None:
        return None
    told = [
        one
        for one in read_quantities(last.prompt)
        if one.unit not in KINDS and is_same(one.unit, such[1])
    ]
    return exchange(expression, told[0].value, amounts[0].value) if len(told) == 1 else None


def mistyped(scene: Scene) -> str | None:
    """Put the one number that was meant for what it is most like: "0,9 miało być"."""
    expression = last_expression(scene.state)
    amounts = read_amounts(scene.text)
    if expression is None or len(amounts) != 1 or not _MEANT.search(scene.folded):
        return None
    new, before = amounts[0], _before(scene, expression)
    if not before:
        return None
    old = max(before, key=lambda one: _likeness(new, one) + _slip(new, one))
    if old.value == new.value and (sign := _SIGNED.search(scene.text)):
        written = rf"[+-] (?={re.escape(new.text)}(?![\d.]))"
        return re.sub(written, f"{'+' if sign[1] == '+' else '-'} ", expression)
    found = _put(expression, [(old, new)]) or _read_again(scene, [(old, new)])
    return found if found != expression else None


def as_many(scene: Scene) -> str | None:
    """Divide by another number of the same: "a na 18 rat?" after "na 12 rat"."""
    expression, last = last_expression(scene.state), scene.state.last
    amounts = read_amounts(scene.text)
    if expression is None or last is None or len(amounts) != 1 or not amounts[0].unit:
        return None
    into = _INTO.search(scene.folded[: amounts[0].start])
    if into is None:
        return None
    is_term = into["spread"] or amounts[0].unit in _TERMS
    if is_term and (found := _spread(scene, expression, amounts[0])) is not None:
        return found
    told = [one for one in read_amounts(last.prompt) if one.unit == amounts[0].unit]
    told = [one for one in told if one.cue == amounts[0].cue or "/" in expression]
    return exchange(expression, told[0].value, amounts[0].value) if len(told) == 1 else None


def _spread(scene: Scene, expression: str, new: Amount) -> str | None:
    """Put so many months for the instalments told at any time, or the other way round."""
    told = {
        one.value
        for turn in scene.state.turns
        for one in read_amounts(turn.prompt)
        if one.unit in _TERMS and holds(expression, one.value)
    }
    is_term = new.unit in _TERMS and len(told) == 1 and "/" in expression
    return exchange(expression, told.pop(), new.value) if is_term else None


def _slip(new: Amount, old: Amount) -> float:
    """How much two numbers look like one typed wrongly: the same figures, one more or fewer."""
    one, other = (re.sub(r"[^1-9]", "", f"{float(each.value):g}") for each in (new, old))
    if not one or not other:
        return 0.0
    return 3.0 if sorted(one) == sorted(other) else 1.0 if one in other or other in one else 0.0


def exchanged(scene: Scene) -> str | None:
    """Put every number of the prompt for the one of its unit or role; ``None`` if one fits none."""
    expression = last_expression(scene.state)
    amounts = [one for one in read_amounts(scene.text) if one.value not in _ages(scene)]
    if expression is None or not 0 < len(amounts) <= _MOST:
        return None
    if (found := _reread(scene, amounts, expression)) is not None:
        return found
    before = _before(scene, expression)
    if any(one.pair == 1 for one in amounts) and (found := _measures(expression, amounts, before)):
        return found
    pairs = _assigned(amounts, before)
    if pairs is None or len(pairs) != len(amounts):
        return None
    found = _put(expression, pairs) or _read_again(scene, pairs)
    return found if found != expression else None


def _reread(scene: Scene, amounts: Sequence[Amount], expression: str) -> str | None:
    """Read the last prompt with the numbers exchanged, where it is known to be read rightly."""
    told, last = understood(scene), scene.state.last
    if {"h", "min"} <= {one.unit for one in told}:
        return None  # "3 h 30 min" is one time
    if not told or last is None or any(one.pair for one in (*amounts, *told)):
        return None
    pairs = _assigned(amounts, told)
    if pairs is None or len(pairs) != len(amounts) or any(_are_apart(*pair) for pair in pairs):
        return None
    found = read_again(last.prompt, scene.text, pairs)
    is_whole = found is not None and all(holds(found, new.value) for _, new in pairs)
    return found if is_whole and found != expression else None


def _are_apart(old: Amount, new: Amount) -> bool:
    """Whether two numbers count different things."""
    return bool(old.unit and new.unit) and old.unit != new.unit


def compared_with_before(scene: Scene) -> str | None:
    """How much more or less it is with the prompt's numbers: "o ile więcej wtedy?"."""
    asked = _BY_HOW_MUCH.search(scene.folded)
    before = last_expression(scene.state)
    after = exchanged(scene) if asked and before else None
    if asked is None or after is None:
        return None
    is_less = asked[1].startswith(("mniej", "taniej", "krocej"))
    return f"({before}) - ({after})" if is_less else f"({after}) - ({before})"


def shifted(scene: Scene) -> str | None:
    """Change a number by so many of its unit: "sześć osób mniej", "a jak dojdą dwie osoby"."""
    expression = last_expression(scene.state)
    if one := _ONE_LONGER.search(scene.folded):
        scene = scene.within(f"{scene.text[: one.start()]}1 {scene.text[one.start() :]}")
    amounts = read_amounts(scene.text)[:1]
    if expression is None or not amounts or amounts[0].unit in {"", "%", "zl"}:
        return None
    text = marked(scene, amounts)
    is_more, is_less = _SO_MANY_MORE.search(text), _SO_MANY_LESS.search(text)
    old = next((one for one in _before(scene, expression) if one.unit == amounts[0].unit), None)
    if old is None or not (is_more or is_less):
        return None
    change = -amounts[0].value if is_less else amounts[0].value
    if old.value + change <= 0:
        return None
    return exchange(expression, old.value, old.value + change)


def _ages(scene: Scene) -> frozenset[Fraction]:
    """Numbers that only point at an exercise: "zadanie 4"."""
    found = re.findall(r"\b(?:zadan\w+|zad|nr|punkt\w*|rubry\w+) (\d+)", scene.folded)
    return frozenset(Fraction(one) for one in found)


def _before(scene: Scene, expression: str) -> list[Amount]:
    """The numbers that the last calculation was made of, as the prompts had them."""
    values = {one.value for one in constants(expression)}
    last = scene.state.last
    told = list(read_amounts(last.prompt)) if last else []
    if not told or not _used(told, expression):
        told += [
            one for turn in reversed(scene.state.turns[:-1]) for one in read_amounts(turn.prompt)
        ]
    used = _used(told, expression)
    said = {one.value for one in told}
    others = [Amount(value=value, start=0, end=0) for value in sorted(values - said)]
    return [*used, *_unexplained(used, expression)] or others


def _unexplained(used: Sequence[Amount], expression: str) -> list[Amount]:
    """The constants that no number of the prompts accounts for: the 3 of "trzyosobowych"."""
    known = {
        form[0]
        for one in used
        if (form := form_of(expression, one.value, one.value, share=one.unit == "%"))
    }
    values = dict.fromkeys(one.value for one in constants(expression))
    return [Amount(value=value, start=0, end=0) for value in values if value not in known]


def _used(told: Sequence[Amount], expression: str) -> list[Amount]:
    return [
        one
        for one in told
        if exchange(expression, one.value, one.value, share=one.unit == "%") is not None
    ]


def _measures(expression: str, amounts: Sequence[Amount], before: Sequence[Amount]) -> str | None:
    """Put "50 na 50" for "30 × 30", though only their product may stand in the expression."""
    new = [one for one in amounts if one.pair]
    told = [one for one in before if one.pair]
    values = {one.value for one in constants(expression)}
    candidates = [
        (told[at], told[at + 1]) for at in range(len(told) - 1) if told[at].pair == 1
    ] or [(one, one) for one in before]
    scored = sorted(candidates, key=lambda pair: -_likeness(new[0], pair[0]))
    for one, other in scored:
        for scale in (Fraction(1), Fraction(1, 100), Fraction(1, 10_000)):
            product = one.value * other.value * scale
            if product in values:
                return replaced(expression, {product: new[0].value * new[1].value * scale})
        changed = exchange(expression, one.value, new[0].value)
        if changed and one.value != other.value:
            changed = exchange(changed, other.value, new[1].value)
        if changed:
            return changed
    return None


def _assigned(
    amounts: Sequence[Amount], before: Sequence[Amount]
) -> list[tuple[Amount, Amount]] | None:
    """Give each new number the old one that is most like it, the surest first."""
    if (same := _in_order(amounts, before)) is not None:
        return same
    left, free = list(amounts), list(before)
    pairs: list[tuple[Amount, Amount]] = []
    sure = False
    while left and free:
        score, new, old = max(
            ((_likeness(new, old), new, old) for new in left for old in free),
            key=lambda found: found[0],
        )
        if score < _ENOUGH and sure:
            return pairs
        if score < _LEAST and not (len(free) == 1 and score > -1):
            return None
        sure = sure or score >= _SURE
        pairs.append((old, new))
        left.remove(new)
        free = [one for one in free if one.value != old.value]
    return pairs if sure or not left else None


def _in_order(
    amounts: Sequence[Amount], before: Sequence[Amount]
) -> list[tuple[Amount, Amount]] | None:
    """Two or more numbers that stand as the last ones did: "z 50 na 60" after "z 40 na 50"."""
    roles, told = ([one.cue for one in each] for each in (amounts, before))
    is_alike = len(roles) > 1 and roles == told and all(roles) and len(set(roles)) == len(roles)
    return list(zip(before, amounts, strict=True)) if is_alike else None


def _likeness(new: Amount, old: Amount) -> float:
    """How much a number looks like standing for another."""
    score = 0.0
    if new.unit and old.unit:
        score += 3.0 if new.unit == old.unit else -1.0 if {new.unit, old.unit} <= KINDS else 0.0
    if (new.unit == "%") != (old.unit == "%") and new.unit:
        score -= 3.0
    if new.near and old.near and new.near & old.near:
        score += 2.0
    if _names(new, old) or _names(old, new):
        score += 2.5
    if new.cue and new.cue == old.cue:
        score += 2.0
    if new.cue == "po" and not new.unit and old.unit == "zl" and _is_near(new, old):
        score += 2.0
    if old.value and new.value:
        ratio = abs(new.value / old.value)
        score += max(0.0, 1.0 - abs(log10(ratio.numerator) - log10(ratio.denominator)) / 2)
    if new.value.denominator == old.value.denominator == 1:
        score += 0.2
    return score


def _names(one: Amount, other: Amount) -> bool:
    """Whether the noun before one number is what the other counts: "ulgowych jest pięć"."""
    return any(word == other.unit[: len(word)] for word in one.near if other.unit)


def _is_near(new: Amount, old: Amount) -> bool:
    """Whether two numbers are of one order of magnitude, as two prices of one thing are."""
    return bool(old.value) and Fraction(1, 12) < abs(new.value / old.value) < 12  # noqa: PLR2004


def _put(expression: str, pairs: Sequence[tuple[Amount, Amount]]) -> str | None:
    forms = [
        form_of(expression, old.value, new.value, share="%" in {old.unit, new.unit})
        for old, new in pairs
    ]
    known = [form for form in forms if form is not None]
    return replaced(expression, dict(known)) if len(known) == len(forms) else None


def _read_again(scene: Scene, pairs: Sequence[tuple[Amount, Amount]]) -> str | None:
    """Read the last prompt with its numbers exchanged."""
    last = scene.state.last
    return None if last is None else read_again(last.prompt, scene.text, pairs)
