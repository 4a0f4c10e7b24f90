"""Join numbers that make one amount: "3 h 40 min", "4 na 3,6 m", "6,5 l na 100 km"."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from chatbot.router.detector.formulas.problems.amounts.amount import Amount, divide, multiply
from chatbot.router.detector.formulas.problems.amounts.units import times
from chatbot.router.detector.formulas.problems.amounts.words import Words

_HOUR = 3600
_DAY = 86400
_TIMES = frozenset({"x", "*", "na", "×"})


def join_sizes(story: Words, amounts: Sequence[Amount]) -> list[Amount]:
    """Return the amounts, those that belong together as one."""
    return _intervals(story, _ratios(story, _boxes(story, _compounds(story, amounts))))


def _compounds(story: Words, amounts: Sequence[Amount]) -> list[Amount]:
    """Join "3 h 40 min", "2 m 30 cm", "5 zl 20 gr", "2 h 15"."""
    found: list[Amount] = []
    for one in amounts:
        before = found[-1] if found else None
        gap = story.all[before.end : one.start] if before else ["-"]
        if before is None or gap not in ([], ["i"]) or before.is_bare:
            found.append(one)
            continue
        is_time = before.scale == _HOUR and one.is_bare and not gap
        part = _in_minutes(one) if is_time else one
        if part.dimensions == before.dimensions and part.scale < before.scale:
            ratio = before.scale / part.scale
            found[-1] = replace(
                before,
                text=f"{before.text} + {part.text}/{ratio}",
                value=before.value + part.value / ratio,
                is_sum=True,
                end=part.end,
            )
        else:
            found.append(part)
    return found


def _in_minutes(one: Amount) -> Amount:
    return replace(one, dimensions={"time": 1}, scale=Fraction(60), is_bare=False)


def _boxes(story: Words, amounts: Sequence[Amount]) -> list[Amount]:
    """Join "4 na 3.6 m", "30 x 60 cm", "2 x 3 x 5 m" to areas and volumes."""
    has_area = bool({"mkw", "metraz", "powierzchnia", "powierzchni"} & set(story.all))
    found: list[Amount] = []
    for at, one in enumerate(amounts):
        before = found[-1] if found else None
        sign = story.all[before.end : one.start] if before else []
        if before is None or len(sign) != 1 or sign[0] not in _TIMES:
            found.append(one)
            continue
        if sign == ["na"] and one.scale > 1:  # "6.4 na 100 km"
            found.append(one)
            continue
        later = [other for other in amounts[at:] if "length" in other.dimensions]
        unit = later[0] if later and _is_row(story, amounts[at:], later[0]) else None
        if not _are_lengths(before, one, unit, has_area=has_area):
            found.append(one)
            continue
        lengths = [_as_length(part, unit or before) for part in (before, one)]
        found[-1] = multiply(*lengths)
    return found


def _ratios(story: Words, amounts: Sequence[Amount]) -> list[Amount]:
    """Join "6.5 l na 100 km", "3 litry na 27 mkw": so much for so much."""
    found: list[Amount] = []
    for one in amounts:
        before = found[-1] if found else None
        gap = story.all[before.end : one.start] if before else []
        is_held = bool({"jest", "zawiera", "ma"} & set(gap)) and story.word(
            (before.start if before else 0) - 1
        ) in {"w", "we"}
        if before is not None and is_held and len(gap) <= 4 and _is_ratio(before, one):  # noqa: PLR2004
            found[-1] = replace(divide(one, before), end=one.end, is_each=True)
        elif before is not None and gap == ["przez"] and _is_daily(before, one):
            daily = replace(before, dimensions={}, scale=before.scale / _DAY, is_each=True)
            found[-1:] = [daily, one]
        elif before is not None and gap[-1:] == ["na"] and len(gap) <= 2 and _is_ratio(before, one):  # noqa: PLR2004
            if before.is_bare:  # "spalanie 6.4 na 100 km"
                before = replace(before, dimensions={"length": 3}, scale=Fraction(1, 1000))
            found[-1] = replace(divide(before, one), end=one.end, is_each=True, is_bare=False)
        else:
            found.append(one)
    return found


def _is_daily(before: Amount, one: Amount) -> bool:
    """Whether these are hours of each day: "6 godzin przez 5 dni"."""
    return (
        one.dimensions == before.dimensions == {"time": 1}
        and one.scale == _DAY
        and before.size < _DAY
    )


def _is_ratio(before: Amount, one: Amount) -> bool:
    if one.is_bare or before.is_sum or one.is_sum or not one.value:
        return False
    if before.is_bare:
        return one.text == "100" and one.dimensions == {"length": 1} and one.scale == 1000  # noqa: PLR2004 - km
    measures = [not any(name.startswith(("#", "%")) for name in part.dimensions)
                for part in (before, one)]  # fmt: skip
    return all(measures) and dict(before.dimensions) != dict(one.dimensions)


def _intervals(story: Words, amounts: Sequence[Amount]) -> list[Amount]:
    """Write "co 12 dni" as once in so long."""
    return [
        replace(
            one,
            text=f"(1/{one.text})",
            value=1 / one.value,
            dimensions=times({}, one.dimensions, -1),
            scale=1 / one.scale,
            is_each=True,
        )
        if story.word(one.start - 1) == "co" and "time" in one.dimensions and one.value
        else one
        for one in amounts
    ]


def _is_row(story: Words, amounts: Sequence[Amount], last: Amount) -> bool:
    """Whether only signs of multiplication stand between these and ``last``."""
    row = [one for one in amounts if one.start <= last.start]
    gaps = [story.all[a.end : b.start] for a, b in pairwise(row)]
    return all(len(gap) == 1 and gap[0] in _TIMES for gap in gaps)


def _are_lengths(before: Amount, one: Amount, unit: Amount | None, *, has_area: bool) -> bool:
    known = [part for part in (before, one, unit) if part is not None and not part.is_bare]
    return (
        (bool(known) or has_area)
        and all(dict(part.dimensions) in ({"length": 1}, {"length": 2}) for part in known)
        and (one.is_bare or one.dimensions == {"length": 1})
    )


def _as_length(one: Amount, unit: Amount) -> Amount:
    if not one.is_bare:
        return one
    scale = Fraction(1) if unit.is_bare else _metre(unit)
    return replace(one, dimensions={"length": 1}, scale=scale, is_bare=False)


def _metre(unit: Amount) -> Fraction:
    """The scale of one length, where the unit may be that of an area already joined."""
    power = unit.dimensions.get("length", 1)
    return {1: unit.scale}.get(power, Fraction(1) if unit.scale == 1 else Fraction(1, 100))
