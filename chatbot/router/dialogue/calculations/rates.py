"""The last result in another unit, or for another time: "w kilogramach?", "a miesięcznie?"."""

import re
from dataclasses import dataclass
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts, written
from chatbot.router.dialogue.calculations.constants import exchange
from chatbot.router.dialogue.calculations.figures import last_expression, last_value, variable_of
from chatbot.router.dialogue.calculations.measures import factor, is_time, kind_of
from chatbot.router.dialogue.calculations.quantities import read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_SIZES: tuple[tuple[tuple[str, str, Fraction], ...], ...] = (
    (
        ("mg", r"miligram\w*", Fraction(1, 1000)),
        ("g", r"gram\w*", Fraction(1)),
        ("dag", r"deka\w*", Fraction(10)),
        ("kg", r"kilo|kilogram\w*", Fraction(1000)),
        ("t", r"ton\w*", Fraction(10**6)),
    ),
    (
        ("mm", r"milimetr\w*", Fraction(1, 1000)),
        ("cm", r"centymetr\w*", Fraction(1, 100)),
        ("dm", r"decymetr\w*", Fraction(1, 10)),
        ("m", r"metr\w*", Fraction(1)),
        ("km", r"kilometr\w*", Fraction(1000)),
    ),
    (
        ("ml", r"mililitr\w*", Fraction(1)),
        ("l", r"litr\w*", Fraction(1000)),
    ),
    (
        ("s", r"sek\w*", Fraction(1)),
        ("min", r"minut\w*", Fraction(60)),
        ("h", r"godz\w*", Fraction(3600)),
    ),
    (("gr", r"grosz\w*", Fraction(1)), ("zł", r"zl|zlot\w*", Fraction(100))),
)
_ASKED = regex(
    r"^(?:(?:a|i|no|to|teraz|ok|podaj|przelicz|zamien|ile|jest|bedzie|wynik|prosze) )*"
    r"(?:to )?(?:w|na) (?P<unit>[a-z]+)\W*$"
)
_SHOWN = regex(r"\d[\d ]*(?:,\d+)? ?(?P<unit>[^\W\d]+)(?P<power>[²³])?(?P<per>/)?")
_NAMED: tuple[tuple[str, Fraction, str], ...] = (
    (
        (
            r"\brocznie\b|\bco roku\b|\bw skali roku\b|"
            r"\b(?:za|na|w|we|przez|po) (?:caly |jeden )?rok(?:u)?\b(?! dluz| kroc)"
        ),
        Fraction(1),
        "lat",
    ),
    (r"\bpol roku\b|\bpolroczn\w+", Fraction(6), "mies"),
    (r"\bpoltora roku\b", Fraction(18), "mies"),
    (r"\bkwartaln\w+|\b(?:za|na|w|przez) kwartal\w*", Fraction(3), "mies"),
    (
        r"\bmiesiecznie\b|\bco miesiac\b|\b(?:za|na|w|przez|po) (?:caly |jeden )?miesiac(?:u)?\b",
        Fraction(1),
        "mies",
    ),
    (
        r"\btygodniowo\b|\bco tydzien\b|\b(?:na|w|przez) (?:caly |jeden )?(?:tydzien|tygodniu)\b",
        Fraction(1),
        "tydz",
    ),
    (r"\bdziennie\b|\bcodziennie\b|\bna (?:dzien|dobe)\b", Fraction(1), "dni"),
)
_BEFORE = regex(r"\b(?:przez|za|na|w|po|w ciagu) (?:te |kolejn\w+ |cale )?$")
_DAYS = frozenset({"dni", "tydz", "mies", "lat"})
_COUNTED = {
    ("lat", "mies"): 12, ("lat", "tydz"): 52, ("lat", "dni"): 365, ("mies", "tydz"): 4,
    ("mies", "dni"): 30, ("tydz", "dni"): 7,
}  # fmt: skip
_GROWS = regex(r"%|proc|\b(?:lokat|odset|inflacj)\w*")
_APPLIED = regex(r"\b(?:plus|minus|dodaj|odejmij|podziel|razy)\b")
_SPREAD = regex(r"(?:(?:a|i|no|to|jak|jesli) )*na (?!pol)\w+ \w+\W*$")
_UNTIL = regex(r"\b(?:po|za|przez|na) il[eu] (\w+)")
_SPEED = regex(
    r"\b(?P<length>km|m|cm|kilometr\w*|metr\w*|centymetr\w*) ?(?:/|na|w) ?"
    r"(?:jed\w+ )?(?P<time>h|s|min|sek\w*|minut\w*|godz\w*)\b"
)
_LONGEST = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class _Span:
    """A span of time, and where a text names it."""

    start: int
    end: int
    count: Fraction
    unit: str

    def holds(self, other: "_Span") -> bool:
        """Whether another span stands within this one."""
        return self.start <= other.start < self.end


def in_unit(scene: Scene) -> str | None:
    """Convert the last result into the unit that a short prompt names."""
    value, last = _value(scene), scene.state.last
    if value is not None and last is not None and (speed := _speed(scene, last.reply)):
        return f"({value})*{speed}"
    asked = _ASKED.match(scene.folded)
    shown = _SHOWN.findall(last.reply) if last is not None else []
    if value is None or asked is None or not shown:
        return None
    unit, power, per = shown[-1]
    if power or per:
        return None
    for sizes in _SIZES:
        old = next((size for name, said, size in sizes if _names(unit, name, said)), None)
        new = next((size for name, said, size in sizes if _names(asked["unit"], name, said)), None)
        if old is not None and new is not None and old != new:
            return f"({value})*{written(old / new)}"
    return None


def _speed(scene: Scene, reply: str) -> str | None:
    """What a speed is multiplied by to be told in other units of length and time."""
    told, asked = _SPEED.search(fold_evenly(reply)), _SPEED.search(scene.folded)
    if told is None or asked is None:
        return None
    lengths, times = (
        factor(kind_of(told[name]), kind_of(asked[name])) for name in ("length", "time")
    )
    return None if not lengths or not times or lengths == times else written(lengths / times)


def at_rate(scene: Scene) -> str | None:
    """Give for another span of time what was calculated for one: "a przez 3 lata?"."""
    last = scene.state.last
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    if last is None or value is None or variable_of(value) or scene.size > _LONGEST:
        return None
    told = fold_evenly(last.prompt)
    old = (_spans(last.reply) or _spans(last.prompt))[-1:]
    if not old or "**" in value or _is_time(last.reply):
        return None
    return _until(scene, value, old[0]) or _for_span(scene, value, old[0], told)


def _for_span(scene: Scene, value: str, old: _Span, told: str) -> str | None:
    """The result for the one span that a few words name."""
    new = _spans(scene.text)
    if len(new) != 1 or _APPLIED.search(scene.folded) or not _accounts(new[0], scene.text):
        return None
    if _GROWS.search(told) and new[0].count != 1:
        return None
    is_divided = "/" in value
    is_of_work = old.unit == "dni" and " dni" in told  # days that are none of the calendar
    if is_divided and (_SPREAD.match(scene.folded) or is_of_work or old.count != 1):
        return None
    scale = _scale(new[0].unit, old.unit) * new[0].count / old.count
    found = None if is_divided else _put(scene, new[0])
    return None if scale == 1 else found or f"({value})*{written(scale)}"


def _accounts(span: _Span, text: str) -> bool:
    """Whether a span has every number of a text in it."""
    return all(span.start <= one.start < span.end for one in read_amounts(text))


def _put(scene: Scene, new: _Span) -> str | None:
    """The calculation with another number of the days, weeks … that it was made with."""
    expression, last = last_expression(scene.state), scene.state.last
    told = read_quantities(last.prompt) if last is not None else ()
    same = [one for one in told if one.unit == new.unit and not one.per]
    if expression is None or len(same) != 1:
        return None
    return exchange(expression, same[0].value, new.count)


def _until(scene: Scene, value: str, old: _Span) -> str | None:
    """After how much time an amount is reached: "po ilu miesiącach będę miał 5000?"."""
    asked, amounts = _UNTIL.search(scene.folded), read_amounts(scene.text)
    unit = kind_of(asked[1]) if asked else ""
    if unit not in _DAYS or len(amounts) != 1 or amounts[0].unit not in {"", "zl"}:
        return None
    scale = _scale(unit, old.unit) / old.count
    return f"{amounts[0].text}/(({value})*{written(scale)})"


def _scale(one: str, other: str) -> Fraction:
    """How many of the other span one is, as people count: 12 months, 52 weeks, 365 days a year."""
    if (one, other) in _COUNTED:
        return Fraction(_COUNTED[one, other])
    if (other, one) in _COUNTED:
        return Fraction(1, _COUNTED[other, one])
    return Fraction(1)


def _spans(text: str) -> list[_Span]:
    """The spans of time that a text names, in their order: "rocznie", "przez pół roku"."""
    folded = fold_evenly(text)
    named = [
        _Span(start=one.start(), end=one.end(), count=count, unit=unit)
        for said, count, unit in _NAMED
        for one in re.finditer(said, folded)
    ]
    counted = [
        _Span(start=one.start, end=one.end, count=one.value, unit=one.unit)
        for one in read_quantities(text)
        if one.unit in _DAYS and not one.per and _BEFORE.search(folded[: one.start])
    ]
    apart = [one for one in counted if not any(each.holds(one) for each in named)]
    return sorted((*named, *apart), key=lambda one: one.start)


def _is_time(reply: str) -> bool:
    """Whether what was calculated is itself a time."""
    told = [one for one in read_quantities(reply) if not one.is_year]
    return bool(told) and all(is_time(one.unit) for one in told)


def _value(scene: Scene) -> str | None:
    """The last result, where a few words without a number may ask for it otherwise."""
    if not scene.is_active(MATHEMATICS) or scene.size > _LONGEST or read_amounts(scene.text):
        return None
    value = last_value(scene.state)
    return None if value is None or variable_of(value) else value


def _names(text: str, name: str, said: str) -> bool:
    folded = fold_evenly(text)
    return folded == fold_evenly(name) or re.fullmatch(said, folded) is not None
