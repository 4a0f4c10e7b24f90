"""The last result in another unit, or for another time: "w kilogramach?", "a miesięcznie?"."""

import re
from fractions import Fraction

from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.amounts import read_amounts, written
from chatbot.router.dialogue.figures import last_value, variable_of
from chatbot.router.dialogue.measures import factor, kind_of
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
_ASKED = re.compile(
    r"^(?:(?:a|i|no|to|teraz|ok|podaj|przelicz|zamien|ile|jest|bedzie|wynik|prosze) )*"
    r"(?:to )?(?:w|na) (?P<unit>[a-z]+)\W*$"
)
_SHOWN = re.compile(r"\d[\d ]*(?:,\d+)? ?(?P<unit>[^\W\d]+)(?P<power>[²³])?(?P<per>/)?")
_TIMES: tuple[tuple[str, int], ...] = (
    (r"\brocznie\b|\b(?:za|na|w) (?:caly )?rok(?:u)?\b|\bw skali roku\b", 12),
    (r"\bkwartaln\w+|\b(?:za|na|w) kwartal\w*", 3),
    (r"\bmiesiecznie\b|\b(?:za|na|w) (?:jeden )?miesiac(?:u)?\b", 1),
)
_SPEED = re.compile(
    r"\b(?P<length>km|m|cm|kilometr\w*|metr\w*|centymetr\w*) ?(?:/|na|w) ?"
    r"(?:jed\w+ )?(?P<time>h|s|min|sek\w*|minut\w*|godz\w*)\b"
)
_MONTHS = {"lat": 12, "mies": 1}
_FOR = re.compile(r"^(?:(?:a|i|no|to) )*(?:ile )?(?:przez|za|na|w|po) ")
_LONGEST = 8


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
    """Give for a month, a quarter or a year what was calculated for another of them."""
    last = scene.state.last
    told = fold_evenly(last.prompt) if last is not None else ""
    if (several := _several(scene, told)) is not None:
        return several
    value = _value(scene)
    if value is None:
        return None
    new, old = _time(scene.folded), _time(told)
    if new is None or old is None or new == old:
        return None
    return f"({value})*{new // old}" if new > old else f"({value})/{old // new}"


def _several(scene: Scene, told: str) -> str | None:
    """For so many years what was calculated for one: "a przez dwa lata?"."""
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    amounts, time = read_amounts(scene.text), _time(told)
    if value is None or time is None or len(amounts) != 1 or "%" in told or "proc" in told:
        return None
    months = _MONTHS.get(amounts[0].unit)
    is_told = any(one.unit in _MONTHS for one in read_amounts(told))
    if months is None or is_told or not _FOR.search(scene.folded):
        return None
    return f"({value})*{amounts[0].text}" if months == time else None


def _value(scene: Scene) -> str | None:
    """The last result, where a few words without a number may ask for it otherwise."""
    if not scene.is_active(MATHEMATICS) or scene.size > _LONGEST or read_amounts(scene.text):
        return None
    value = last_value(scene.state)
    return None if value is None or variable_of(value) else value


def _names(text: str, name: str, said: str) -> bool:
    folded = fold_evenly(text)
    return folded == fold_evenly(name) or re.fullmatch(said, folded) is not None


def _time(folded: str) -> int | None:
    """The months of the time that a text names last."""
    found = [(one.start(), months) for said, months in _TIMES for one in re.finditer(said, folded)]
    return max(found)[1] if found else None
