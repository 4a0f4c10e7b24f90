"""Combine amounts by their dimensions: multiply rates, add what is alike, divide the rest."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.amount import Amount, add, divide, multiply
from chatbot.router.detector.formulas.problems.amounts.asked import Asked
from chatbot.router.detector.formulas.problems.amounts.units import Dimensions, times

_LOSS = regex(
    r"\b(?:wyda\w*|zuzy\w*|zjad\w*|sprzeda\w*|odda\w*|strac\w*|zgubi\w*|uby\w*|odesz\w*|zepsu\w*|"
    r"stluk\w*|zbi\w*|usch\w*|odja\w*|odcie\w*|odcin\w*|wycie\w*|wycin\w*|zabra\w*|potrac\w*|"
    r"odlicz\w*|wyla\w*|odla\w*|pad[lł]\w*|odlec\w*|odjech\w*|minus|bez|zwroc\w*|zwrot\w*|wysiad\w*|"
    r"wyszl\w*|okn\w+|drzwi\w*|bram\w*|taniej|rabat\w*|zaliczk\w*|zadat\w*|oprocz|poza|dofinans\w*|"
    r"zeszl\w*|limit\w*|nie (?:place|placi|wchodz)\w*|mniej|wykruszy\w*|rozda\w*|odebra\w*)\b"
)
_GAIN = regex(
    r"\b(?:doszl\w*|wsiad\w*|doda\w*|dola\w*|dosyp\w*|dorzuc\w*|przyby\w*|wplyn\w*|dokupi\w*|"
    r"przylec\w*|przyjech\w*|dolozy\w*|dosta\w*|dostaw\w*|dochodz\w*)\b"
)
_RECKONED = regex(r" (?:razy|przez|minus|podziel\w*|pomnoz\w*) ")
_TOTAL = regex(
    r"\b(?:razem|laczn\w*|w sumie|sum[aąyeę]\w*|ogolem|wszystk\w*|calosc\w*|calkowit\w*|zsumuj\w*|"
    r"podlicz\w*|koszt\w*|zaplac\w*|zaplaty|plac\w*|rachun\w*|powinno byc|wyda\w*|kasie|"
    r"do kupy|dac|dam|dodaj\w*|naleznos\w*|zuzy\w*|wynios\w*|przejech\w*|pokon\w*|potrzeb\w*|"
    r"zarob\w*|utarg\w*|przychod\w*)\b"
)
_SOLD = regex(r"\bsprzeda\w*")
_REST = regex(r"\b(?:zosta\w*|reszt\w*|pozosta\w*)")
_METER = regex(r"\b(?:licznik\w*|odczyt\w*|osiagn\w*|dojdzie do|stan (?:poczat|konc)\w*)")
_BRIDGE = regex(r"\b(?:most\w*|tunel\w*|peron\w*|wiadukt\w*)")
_PAIR = 2


def combine(amounts: list[Amount], asked: Asked, words: str) -> Amount | None:
    """Return all amounts as one with the dimensions that are asked for, if there is one way."""
    for parts in stages(amounts):
        if len({key_of(one.dimensions) for one in parts}) == 1 and _fits(
            parts[0].dimensions, asked
        ):
            if len(parts) == 1:
                return parts[0] if len(amounts) > 1 or "*" in parts[0].text else None
            return _summed(parts, asked)
    if asked.wants("rest") and len(amounts) > 1 and _is_counted(parts):
        return _summed([replace(one, dimensions=parts[0].dimensions) for one in parts], asked)
    if asked.dimensions is None:
        return _whole_pieces(parts, asked)
    groups = _groups(amounts, words, asked)
    return None if groups is None else _by_dimensions(groups, asked)


def _is_counted(parts: Sequence[Amount]) -> bool:
    """Whether all count something, and all but the first say that it came or went."""
    return all(map(is_count, parts)) and all(_gains(one) or _loses(one) for one in parts[1:])


def is_count(one: Amount) -> bool:
    """Whether this is so many of something."""
    return len(one.dimensions) == 1 and all(
        name.startswith("#") and power == 1 for name, power in one.dimensions.items()
    )


def key_of(dimensions: Dimensions) -> tuple[tuple[str, int], ...]:
    """The dimensions in a form that can be compared and looked up."""
    return tuple(sorted(dimensions.items()))


def _fits(dimensions: Dimensions, asked: Asked) -> bool:
    """Whether these may be the dimensions of the answer."""
    if asked.dimensions is None:
        return bool(dimensions) and all(power > 0 for power in dimensions.values())
    return dict(dimensions) == dict(asked.dimensions)


def stages(amounts: list[Amount]) -> Iterator[list[Amount]]:
    """The amounts, then with rates multiplied by what they are for, one after the other."""
    parts = amounts
    yield parts
    for _ in range(len(amounts)):
        closer = _closer(parts)
        if closer is None:
            return
        parts = closer
        yield parts


def _closer(parts: list[Amount]) -> list[Amount] | None:
    """Multiply the first rate by the amount it is for; by their sum where one rate is for all."""
    for at, rate in enumerate(parts):
        below = {name: -power for name, power in rate.dimensions.items() if power < 0}
        if not below:
            continue
        fitting = [one for one in parts if not one.is_rate and dict(one.dimensions) == below]
        if not fitting:
            continue
        near = min(fitting, key=lambda one: _distance(one, rate))
        others = [one for one in fitting if one is not near]
        rivals = [
            r
            for r in parts
            if r is not rate
            and r.is_rate
            and below == {n: -p for n, p in r.dimensions.items() if p < 0}
        ]
        if others and not rivals:
            return None
        joined = multiply(near, rate) if near.start < rate.start else multiply(rate, near)
        joined = replace(joined, start=min(near.start, rate.start))
        return [*(one for one in parts[:at] if one is not near), joined,
                *(one for one in parts[at + 1 :] if one is not near)]  # fmt: skip
    return None


def _distance(one: Amount, rate: Amount) -> tuple[bool, int]:
    return one.start > rate.start, abs(one.start - rate.start)


def _summed(parts: list[Amount], asked: Asked) -> Amount | None:
    """Add or take away amounts of one kind, as the words around each of them say."""
    if asked.wants("gap") and len(parts) == 2:  # noqa: PLR2004 - a pair
        low, high = sorted(parts, key=lambda one: one.size)
        return add([high, low], [1, -1])
    if asked.wants("rest") or asked.wants("lack"):
        first = max(parts, key=lambda one: one.size)
        others = [one for one in parts if one is not first]
        result = add([first, *others], [1, *(1 if _gains(one) else -1 for one in others)])
        if result.value >= 0:
            return result
        return add([*others, first], [*(1 for _ in others), -1]) if asked.wants("lack") else None
    signs = [-1 if _loses(one) else 1 for one in parts]
    is_sum = _TOTAL.search(asked.text) or asked.wants("total")
    is_sum = is_sum or _is_told_with_plus(parts)
    if not is_sum or (signs[0] < 0 and len(set(signs)) == 1):
        return None
    result = add(parts, signs)
    return result if result.value > 0 else None


def _is_told_with_plus(parts: list[Amount]) -> bool:
    """Whether "plus" joins what is told; "312 razy 4 plus 8" is a formula."""
    clauses = [f" {one.clause} " for one in parts]
    return any(" plus " in one for one in clauses) and not any(map(_RECKONED.search, clauses))


def _gains(one: Amount) -> bool:
    return (
        bool(_GAIN.search(one.clause)) and not _LOSS.search(one.clause) and "i #" not in one.clause
    )


def _loses(one: Amount) -> bool:
    clause = _SOLD.sub(" ", one.clause) if "money" in one.dimensions else one.clause
    return bool(_LOSS.search(clause))


def _whole_pieces(parts: Sequence[Amount], asked: Asked) -> Amount | None:
    """Read "25 litrów, butelki mam 0.7, ile napełnię": as many as there are whole ones."""
    is_whole = asked.wants("down") and not asked.wants("rest") and not asked.wants("gap")
    return _pieces(parts, {"#?": 1}) if is_whole else None


def _is_payment(parts: Sequence[Amount], amounts: Sequence[Amount], asked: Asked) -> bool:
    """Whether one is a whole and the other a fixed part, with so much for each of what is asked."""
    if "money" not in parts[0].dimensions:
        return False
    return len(parts) == 2 and any(  # noqa: PLR2004 - the whole and the part
        dict(one.dimensions) == times(parts[0].dimensions, asked.dimensions or {}, -1)
        for one in amounts
        if one.is_rate
    )


def _groups(amounts: Sequence[Amount], words: str, asked: Asked) -> list[Amount] | None:
    """Join amounts of one kind that are told in a row; ``None`` where it is unclear."""
    by_kind: dict[tuple[tuple[str, int], ...], list[Amount]] = {}
    for one in amounts:
        by_kind.setdefault(key_of(one.dimensions), []).append(one)
    found: list[Amount] = []
    for parts in by_kind.values():
        if len(parts) == 1 or len(by_kind) == 1:
            found.extend(parts)
            continue
        if not parts[0].dimensions:
            return None
        is_less = (
            _is_payment(parts, amounts, asked)
            or _REST.search(words)
            or (len(parts) == _PAIR and _METER.search(words))
        )
        has_rest = is_less or any(_loses(one) for one in parts)
        first = max(parts, key=lambda one: one.size) if has_rest else parts[0]
        others = [one for one in parts if one is not first]
        if not has_rest and not _is_list(parts, words):
            return None
        signs = [-1 if is_less or _loses(one) else 1 for one in others]
        joined = add([first, *others], [1, *signs])
        if joined.value <= 0:
            return None
        found.append(joined)
    return found


def _is_list(parts: Sequence[Amount], words: str) -> bool:
    """Whether amounts of one kind belong together: a row of them, or a train and its bridge."""
    if _BRIDGE.search(words) or re.search(r"\b(?:razem|lacznie|w sumie)\b", words):
        return True
    return all(one.end + 3 >= two.start for one, two in pairwise(parts))


def _by_dimensions(parts: Sequence[Amount], asked: Asked) -> Amount | None:
    """Find the one product and quotient of all parts with the wanted dimensions."""
    wanted = dict(asked.dimensions or {})
    pieces = _pieces(parts, wanted)
    if pieces is not None:
        return pieces
    if len(parts) > 6 or any(one.is_bare for one in parts):  # noqa: PLR2004 - bounded
        return None
    found = [
        powers for powers in product((1, -1), repeat=len(parts)) if _total(parts, powers) == wanted
    ]
    best = [powers for powers in found if sum(powers) == max(map(sum, found))]
    return _product(parts, best[0]) if len(best) == 1 else None


def _pieces(parts: Sequence[Amount], wanted: Mapping[str, int]) -> Amount | None:
    """Read how many pieces a whole has: two amounts of one kind, and a new name is asked for."""
    if len(parts) != 2 or len(wanted) != 1 or not next(iter(wanted)).startswith("#"):  # noqa: PLR2004
        return None
    low, high = sorted(parts, key=lambda one: one.size)
    if not low.dimensions or dict(low.dimensions) != dict(high.dimensions) or not low.value:
        return None
    if any(name.startswith("#") for name in low.dimensions):
        return None
    return divide(high, low)


def _total(parts: Sequence[Amount], powers: Sequence[int]) -> dict[str, int]:
    total: dict[str, int] = {}
    for part, power in zip(parts, powers, strict=True):
        total = times(total, part.dimensions, power)
    return total


def _product(parts: Sequence[Amount], powers: Sequence[int]) -> Amount | None:
    above = [part for part, power in zip(parts, powers, strict=True) if power > 0]
    below = [part for part, power in zip(parts, powers, strict=True) if power < 0]
    if not above or any(not part.value for part in below):
        return None
    result = above[0]
    for part in above[1:]:
        result = multiply(result, part)
    if below:
        bottom = below[0]
        for part in below[1:]:
            bottom = multiply(bottom, part)
        result = divide(result, bottom)
    return result
