"""Complete amounts: units that are not said, prices, people, names that nothing is for."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.amount import Amount
from chatbot.router.detector.formulas.problems.amounts.asked import Asked
from chatbot.router.detector.formulas.problems.amounts.combining import is_count, key_of, stages
from chatbot.router.detector.formulas.problems.amounts.units import PEOPLE, Dimensions, times

_MONEY = regex(r"\b(?:kosztuj\w*|placi\w*|place|rat[aey]|zaplac\w*|cen[aey]|czynsz\w*|bierze)\b")
_PRICE = regex(
    r"\b(?:cen\w*|placi|placa|daje|daja|stawk\w*|bilet\w*|kosztuj\w*|wejscie|sztuka|"
    r"talerzyk\w*) (?:\w+ ){0,2}#"
)


def with_units(amounts: list[Amount], asked: Asked, words: str) -> list[Amount]:
    """Give numbers without a unit that of what is asked, or of the amounts beside them."""
    known = [one for one in amounts if not one.is_bare]
    needed = _needed(amounts, asked)
    is_money = "money" in (asked.dimensions or {}) or bool(_MONEY.search(words))
    is_money = is_money or bool(re.search(r"\b(?:ile|placi\w*) za\b", asked.text))
    is_money = is_money or any("money" in one.dimensions for one in known)
    plain = _measured(known, asked)
    uppers = {key_of(upper_of(one.dimensions)) for one in plain}
    found: list[Amount] = []
    for one in amounts:
        unit: tuple[Dimensions, Fraction] | None = None
        if one.is_bare and is_money and _is_of_people(one, asked):
            unit = {"#osob": 1}, Fraction(1)
        elif one.is_bare and needed is not None and not one.is_rate:
            unit = needed
        elif one.is_bare and one.is_rate and len(known) == 1 and is_count(known[0]):
            unit = known[0].dimensions, Fraction(1)
        elif one.is_bare and is_money:
            unit = {"money": 1}, Fraction(1)
        elif one.is_bare and len(uppers) == 1:
            first = next(other for other in plain if not other.is_bare)
            unit = upper_of(first.dimensions), first.scale
        found.append(one if unit is None else _in_unit(one, *unit))
    return found


def _measured(known: Sequence[Amount], asked: Asked) -> list[Amount]:
    """The amounts whose unit the others may share: measures, or what each that is asked for has."""
    plain = [one for one in known if not any(name.startswith("#") for name in one.dimensions)]
    if plain:
        return plain
    return [
        one
        for one in known
        if one.is_rate
        and asked.noun
        and {n: -p for n, p in one.dimensions.items() if p < 0} == dict(asked.dimensions or {})
    ]


def with_price(amounts: list[Amount], asked: Asked) -> list[Amount]:
    """Take the only sum of money for the price of each, where a price is spoken of."""
    money = [one for one in amounts if "money" in one.dimensions]
    others = [one for one in amounts if one not in money]
    if len(money) != 1 or not others or money[0].is_rate or asked.dimensions != {"money": 1}:
        return amounts
    if not _PRICE.search(money[0].clause) or any(one.is_bare for one in others):
        return amounts
    whole = others
    for parts in stages(others):
        whole = parts
    if len(whole) != 1:
        return amounts
    above = upper_of(whole[0].dimensions)
    price = replace(money[0], dimensions=times({"money": 1}, above, -1), scale=1 / whole[0].scale)
    rest = {name: power for name, power in whole[0].dimensions.items() if power < 0}
    return [replace(whole[0], dimensions=times(whole[0].dimensions, rest, -1)), price]


def _in_unit(one: Amount, dimensions: Dimensions, scale: Fraction) -> Amount:
    joined = times(one.dimensions, dimensions)
    return replace(one, dimensions=joined, scale=one.scale * scale, is_bare=False)


def upper_of(dimensions: Dimensions) -> dict[str, int]:
    """What the amount is of, without what it is for each of."""
    return {name: power for name, power in dimensions.items() if power > 0}


def _needed(amounts: Sequence[Amount], asked: Asked) -> tuple[Dimensions, Fraction] | None:
    """The unit that a rate is for, where the only numbers without a unit can be told in it."""
    bare = [one for one in amounts if one.is_bare and not one.is_rate]
    known = [one for one in amounts if not one.is_bare and not one.is_rate]
    given = {name for one in known for name in upper_of(one.dimensions)}
    missing = []
    for one in amounts:
        below = {name: -power for name, power in one.dimensions.items() if power < 0}
        lacking = {name: power for name, power in below.items() if name not in given}
        if below and not any(dict(other.dimensions) == below for other in known):
            missing.append(lacking if len(lacking) == 1 else below)
    if len(missing) != 1 or missing[0] == asked.dimensions or len(missing[0]) != 1:
        return None
    is_named = next(iter(missing[0])).startswith("#")
    if (
        "#?" in missing[0]
        or (len(bare) != 1 and known and not is_named)
        or len(bare) > 1 + (not known)
    ):
        return None
    return missing[0], Fraction(3600) if "time" in missing[0] else Fraction(1)


def _is_of_people(one: Amount, asked: Asked) -> bool:
    """Whether this says among how many: "na czworo", "nas jest 6"."""
    if not re.search(r"\b(?:nas|na|we|miedzy)(?: (?:jest|bylo|bedzie))? # ?$", one.clause):
        return False
    return bool(re.search(r"#\?|dziel|sklad|zrzu", f"{asked.below} {one.clause} {asked.text}"))


def with_upper(asked: Asked, amounts: Sequence[Amount]) -> Asked:
    """Say what is asked where only "ile z hektara" is said: what the other amount is."""
    if asked.dimensions is not None or asked.below is None:
        return asked
    kinds = {key_of(upper_of(one.dimensions)) for one in amounts}
    kinds -= {key_of(asked.below), ()}
    money = key_of({"money": 1})
    if len(kinds) != 1 and money not in kinds:
        return asked
    kind = money if money in kinds else next(iter(kinds))
    scale = None if kind != money or asked.below_scale is None else 1 / asked.below_scale
    return replace(asked, dimensions=times(dict(kind), asked.below, -1), scale=scale)


def with_money(asked: Asked, amounts: Sequence[Amount]) -> Asked:
    """Say that money is asked for where only "ile łącznie" is said of things with prices."""
    is_plain = asked.dimensions is None and asked.below is None and not asked.noun
    if not is_plain or asked.facets & {"rest", "gap", "lack"}:
        return asked
    prices = [one for one in amounts if one.is_rate and one.dimensions.get("money") == 1]
    if not prices or not all(_has_part(one, amounts) for one in prices):
        return asked
    return replace(asked, dimensions={"money": 1}, facets=asked.facets | {"total"})


def _has_part(price: Amount, amounts: Sequence[Amount]) -> bool:
    """Whether everything that the price is for is told."""
    told = {name for one in amounts for name, power in one.dimensions.items() if power > 0}
    if any(name.startswith("#") for name in told):
        told.add("#?")
    return all(name in told for name, power in price.dimensions.items() if power < 0)


def with_people(asked: Asked, amounts: Sequence[Amount]) -> Asked:
    """Say who "each" is: the people that are counted, or the one thing that is."""
    if asked.dimensions is None or "#?" not in asked.dimensions:
        return asked
    names = {n for one in amounts for n in one.dimensions if n.startswith("#") and n != "#?"}
    people = {n for n in names if PEOPLE.match(n[1:])}
    chosen = people if len(people) == 1 else names
    if asked.dimensions["#?"] > 0:
        below = {
            n for one in amounts for n, p in one.dimensions.items() if p < 0 and n.startswith("#")
        }
        chosen = below if len(below) == 1 else names
    if len(chosen) != 1:
        return asked
    power = asked.dimensions["#?"]
    rest = {n: p for n, p in asked.dimensions.items() if n != "#?"}
    return replace(asked, dimensions=times(rest, {next(iter(chosen)): power}))


def without_loose_names(amounts: Sequence[Amount], asked: Asked) -> list[Amount]:
    """Drop the names of things that stand alone: nothing is for each of them."""
    wanted = set(asked.dimensions or {})
    above = [n for one in amounts for n, p in one.dimensions.items() if p > 0]
    [n for one in amounts for n, p in one.dimensions.items() if p < 0]
    found: list[Amount] = []
    for one in amounts:
        dimensions = dict(one.dimensions)
        for name, power in one.dimensions.items():
            if name == "#?":
                counts = {n for n in above if n.startswith("#")}
                del dimensions[name]
                if len(counts) == 1:
                    dimensions = times(dimensions, {next(iter(counts)): power})
            elif name.startswith("#") and name not in wanted and power < 0 and name not in above:
                del dimensions[name]
        found.append(replace(one, dimensions=dimensions))
    return found
