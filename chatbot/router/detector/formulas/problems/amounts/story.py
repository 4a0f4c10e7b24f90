"""Combine the amounts of a story by their dimensions to what is asked."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

from chatbot.router.detector.formulas.problems.amounts.amount import Amount, add, divide, multiply
from chatbot.router.detector.formulas.problems.amounts.asked import (
    Asked,
    nouns_asked,
    read_asked,
)
from chatbot.router.detector.formulas.problems.amounts.extraction import Words, find_amounts
from chatbot.router.detector.formulas.problems.amounts.units import PEOPLE, Dimensions, times
from chatbot.router.detector.formulas.problems.statement import Statement

_MOST = 9
_TIMES = frozenset(map(Fraction, (60, 3600, 86400, 604800)))
_LOSS = re.compile(
    r"\b(?:wyda\w*|zuzy\w*|zjad\w*|sprzeda\w*|odda\w*|strac\w*|zgubi\w*|uby\w*|odesz\w*|zepsu\w*|"
    r"stluk\w*|zbi\w*|usch\w*|odja\w*|odcie\w*|odcin\w*|wycie\w*|wycin\w*|zabra\w*|potrac\w*|"
    r"odlicz\w*|wyla\w*|odla\w*|pad[lł]\w*|odlec\w*|odjech\w*|minus|bez|zwroc\w*|zwrot\w*|wysiad\w*|"
    r"wyszl\w*|okn\w+|drzwi\w*|bram\w*|taniej|rabat\w*|zaliczk\w*|zadat\w*|oprocz|poza|dofinans\w*|"
    r"zeszl\w*|limit\w*|nie (?:place|placi|wchodz)\w*|mniej|wykruszy\w*|rozda\w*|odebra\w*)\b"
)
_GAIN = re.compile(
    r"\b(?:doszl\w*|wsiad\w*|doda\w*|dola\w*|dosyp\w*|dorzuc\w*|przyby\w*|wplyn\w*|dokupi\w*|"
    r"przylec\w*|przyjech\w*|dolozy\w*|dosta\w*|dostaw\w*|dochodz\w*)\b"
)
_RAISE = re.compile(r"\b(?:napiw\w*|vat\w*|marz\w*|narzut\w*|zapas\w*|dolicz\w*|obslug\w*|serwis\w*|"
                    r"wiecej|drozej|nadwyz\w*|premi\w*|doplat\w*|powieksz\w*)\b")  # fmt: skip
_LOWER = re.compile(r"\b(?:rabat\w*|zniz\w*|upust\w*|taniej|promocj\w*|przecen\w*|tansz\w*|minus|"
                    r"odpad\w*|strat\w*|mniej|obniz\w*|bonifikat\w*|kosztow|prowizj\w*)\b")  # fmt: skip
_TOTAL = re.compile(
    r"\b(?:razem|lacznie|w sumie|sum[aąyeę]\w*|ogolem|wszystk\w*|calosc\w*|calkowit\w*|zsumuj\w*|"
    r"podlicz\w*|koszt\w*|zaplac\w*|zaplaty|plac\w*|rachun\w*|powinno byc|wyda\w*|kasie|"
    r"do kupy|dac|dam|dodaj\w*|naleznos\w*|zuzy\w*|wynios\w*|przejech\w*|pokon\w*|potrzeb\w*|zarob\w*)\b"
)
_REST = re.compile(r"\b(?:zosta\w*|reszt\w*|pozosta\w*)")
_METER = re.compile(r"\b(?:licznik\w*|odczyt\w*|osiagn\w*|dojdzie do|stan (?:poczat|konc)\w*)")
_RELATION = re.compile(
    r"\b\d+ razy (?:tyle|wiecej|mniej|star|mlod|wieks|mniejs|drozs|tans|dluzs|wyzs|szyb)|"
    r"\bo \d+(?: \w+)? (?:wiecej|mniej|star|mlod|wieks|mniejs|drozs|tans|dluzs|krots|wyzs|nizs)\w* "
    r"(?:niz|od)\b|\b(?:obwod\w*|dookola|dokola|ogrodz\w*|grodz\w*|srednic\w*|promie\w*|trojkat\w*|"
    r"skal[aię]|prawdop\w*|szans\w*|kolejnych|srednia)\b|\d : \d"
)
_UNREAD = re.compile(
    r"\b(?:polow\w*|czesc\w*|z powrotem|w (?:obie|dwie|2) stron\w*|po obu|konc(?:ami|ow|e)|nie \d|"
    r"gratis|czyli \d+|z jednej|brzeg\w*|nadgodzin\w*|podwojn\w*|potrojn\w*|co drug\w+|co trzeci\w*|kurs walut\w*)\b"
)
_PERCENT_ASKED = re.compile(
    r"\b(?:ile|il[uo]|jaki\w*) (?:\w+ ){0,2}?(?:%|procent\w*)|\bodset\w+|\bile razy|\bjaki ulamek|\bstosun\w*"
)
_MONEY = re.compile(
    r"\b(?:kosztuj\w*|placi\w*|place|rat[aey]|zaplac\w*|cen[aey]|czynsz\w*|bierze)\b"
)
_PRICE = re.compile(r"\b(?:cen\w*|placi|placa|daje|daja|stawk\w*|bilet\w*|kosztuj\w*|wejscie|sztuka|talerzyk\w*) (?:\w+ ){0,2}#")
_BRIDGE = re.compile(r"\b(?:most\w*|tunel\w*|peron\w*|wiadukt\w*)")
_CLAIM = re.compile(
    r"\b(?:mow\w+|twierd\w+|zawola\w*|powiedzi\w+|wola|krzyk\w+|niby|zazadal\w*|policzyl\w*|"
    r"skasowal\w*|wyszlo mi)\b"
)
_CHECK = re.compile(r"\b(?:powinn\w+|naprawde|sie (?:nie )?zgadza|nie gra|nie pasuje|dobrze)\b")


def read_story(statement: Statement) -> str | None:
    """Return the one combination of all amounts that has the dimensions of what is asked."""
    story = Words(statement.words, nouns_asked(statement.question))
    asked = read_asked(statement.question, statement.words, story)
    if not asked.text or any(one.search(statement.words) for one in (_RELATION, _UNREAD)):
        return None
    if _PERCENT_ASKED.search(asked.text) or len(re.findall(r"\bil[eu]\b", asked.text)) > 1:
        return None
    amounts = [one for one in _told(statement, find_amounts(story)) if one.value]
    rates = [one for one in amounts if "%" in one.dimensions]
    others = [one for one in amounts if "%" not in one.dimensions]
    if not 1 < len(amounts) <= _MOST or not others or len(rates) > 1:
        return None
    if any(_is_part(one) for one in others) or _has_loose_sides(story, amounts):
        return None
    factor = _factor(rates, asked)
    if factor is None or (not factor and len(others) < 2):  # noqa: PLR2004 - one is no sum
        return None
    others = _priced(_with_units(others, asked, statement.words), asked)
    asked = _with_upper(_with_people(asked, others), others)
    if asked.dimensions is None and asked.below is not None:
        return None
    if mod := _remainder(others, asked):
        return mod
    result = _solved(_cleared(others, asked), asked, statement.words)
    return None if result is None else _written(result, factor, asked)


def _has_loose_sides(story: Words, amounts: Sequence[Amount]) -> bool:
    """Whether two sizes of a thing stand beside each other that were not multiplied."""
    gaps = (story.all[one.end : two.start] for one, two in pairwise(amounts))
    return any(len(gap) == 1 and gap[0] in {"x", "*", ":"} for gap in gaps)


def _told(statement: Statement, amounts: list[Amount]) -> list[Amount]:
    """Leave out what somebody only claims: "zawolal 55 zlotych, ile powinno byc"."""
    if not _CHECK.search(statement.words):
        return amounts
    return [one for one in amounts if not _CLAIM.search(one.clause.partition("#")[0])]


def _is_part(one: Amount) -> bool:
    """Whether this is a fraction of something else, which `ledger` reads."""
    return "/" in one.text and one.text.startswith("(") and one.is_bare


def _factor(rates: Sequence[Amount], asked: Asked) -> str | None:
    """The tip, reserve or rebate on the whole; empty without, ``None`` where it is unclear."""
    if not rates:
        return ""
    clause = rates[0].clause
    is_raised, is_lowered = bool(_RAISE.search(clause)), bool(_LOWER.search(clause))
    if is_raised == is_lowered:
        return None
    if re.search(
        r"\b(?:ile|jaka|jaki) (?:\w+ )?(?:rabat|zniz|napiw|vat|zalicz|prowiz|procent|%)", asked.text
    ):
        return None
    return f"*(1 {'+' if is_raised else '-'} {rates[0].text}/100)"


def _with_units(amounts: list[Amount], asked: Asked, words: str) -> list[Amount]:
    """Give numbers without a unit that of what is asked, or of the amounts beside them."""
    known = [one for one in amounts if not one.is_bare]
    needed = _needed(amounts, asked)
    is_money = "money" in (asked.dimensions or {}) or bool(_MONEY.search(words))
    is_money = is_money or any("money" in one.dimensions for one in known)
    plain = [one for one in known if not any(name.startswith("#") for name in one.dimensions)]
    uppers = {_key(_upper(one.dimensions)) for one in plain}
    found: list[Amount] = []
    for one in amounts:
        unit: tuple[Dimensions, Fraction] | None = None
        if one.is_bare and is_money and _is_of_people(one, asked):
            unit = {"#osob": 1}, Fraction(1)
        elif one.is_bare and needed is not None and not one.is_rate:
            unit = needed
        elif one.is_bare and one.is_rate and len(known) == 1 and _is_count(known[0]):
            unit = known[0].dimensions, Fraction(1)
        elif one.is_bare and is_money:
            unit = {"money": 1}, Fraction(1)
        elif one.is_bare and len(uppers) == 1:
            first = next(other for other in plain if not other.is_bare)
            unit = _upper(first.dimensions), first.scale
        found.append(one if unit is None else _in_unit(one, *unit))
    return found


def _priced(amounts: list[Amount], asked: Asked) -> list[Amount]:
    """Take the only sum of money for the price of each, where a price is spoken of."""
    money = [one for one in amounts if "money" in one.dimensions]
    others = [one for one in amounts if one not in money]
    if len(money) != 1 or not others or money[0].is_rate or asked.dimensions != {"money": 1}:
        return amounts
    if not _PRICE.search(money[0].clause) or any(one.is_bare for one in others):
        return amounts
    whole = others
    for parts in _stages(others):
        whole = parts
    if len(whole) != 1:
        return amounts
    above = _upper(whole[0].dimensions)
    price = replace(money[0], dimensions=times({"money": 1}, above, -1), scale=1 / whole[0].scale)
    rest = {name: power for name, power in whole[0].dimensions.items() if power < 0}
    return [replace(whole[0], dimensions=times(whole[0].dimensions, rest, -1)), price]


def _in_unit(one: Amount, dimensions: Dimensions, scale: Fraction) -> Amount:
    joined = times(one.dimensions, dimensions)
    return replace(one, dimensions=joined, scale=one.scale * scale, is_bare=False)


def _upper(dimensions: Dimensions) -> dict[str, int]:
    return {name: power for name, power in dimensions.items() if power > 0}


def _needed(amounts: Sequence[Amount], asked: Asked) -> tuple[Dimensions, Fraction] | None:
    """The unit that a rate is for, where the only numbers without a unit can be told in it."""
    bare = [one for one in amounts if one.is_bare and not one.is_rate]
    known = [one for one in amounts if not one.is_bare and not one.is_rate]
    missing = [
        below
        for one in amounts
        if (below := {name: -power for name, power in one.dimensions.items() if power < 0})
        and not any(dict(other.dimensions) == below for other in known)
    ]
    if missing[:1] == [asked.dimensions] or len(missing) != 1 or (len(bare) != 1 and known) or "#?" in missing[0]:
        return None
    return missing[0], Fraction(3600) if "time" in missing[0] else Fraction(1)


def _is_of_people(one: Amount, asked: Asked) -> bool:
    """Whether this says among how many: "na czworo", "nas jest 6"."""
    if not re.search(r"\b(?:nas|na|we|miedzy)(?: (?:jest|bylo|bedzie))? # ?$", one.clause):
        return False
    return bool(re.search(r"#\?|dziel|sklad|zrzu", f"{asked.below} {one.clause} {asked.text}"))


def _with_upper(asked: Asked, amounts: Sequence[Amount]) -> Asked:
    """Say what is asked where only "ile z hektara" is said: what the other amount is."""
    if asked.dimensions is not None or asked.below is None:
        return asked
    kinds = {_key(_upper(one.dimensions)) for one in amounts}
    kinds -= {_key(asked.below), ()}
    if len(kinds) != 1:
        return asked
    return replace(asked, dimensions=times(dict(next(iter(kinds))), asked.below, -1))


def _remainder(amounts: Sequence[Amount], asked: Asked) -> str | None:
    """Read "36 jajek, na biszkopt idzie 7, ile zostanie": what no whole one is made of."""
    if len(amounts) != 2 or not asked.wants("rest") or amounts[0].is_rate:  # noqa: PLR2004 - a pair
        return None
    whole, each = amounts
    if not each.is_rate or _upper(each.dimensions) != dict(whole.dimensions):
        return None
    return f"Mod({whole.text}, {each.text})" if whole.scale == each.scale else None


def _with_people(asked: Asked, amounts: Sequence[Amount]) -> Asked:
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


def _cleared(amounts: Sequence[Amount], asked: Asked) -> list[Amount]:
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


def _solved(amounts: list[Amount], asked: Asked, words: str) -> Amount | None:
    for parts in _stages(amounts):
        if len({_key(one.dimensions) for one in parts}) == 1 and _fits(parts[0].dimensions, asked):
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
    return all(map(_is_count, parts)) and all(_gains(one) or _loses(one) for one in parts[1:])


def _is_count(one: Amount) -> bool:
    """Whether this is so many of something."""
    return len(one.dimensions) == 1 and all(
        name.startswith("#") and power == 1 for name, power in one.dimensions.items()
    )


def _key(dimensions: Dimensions) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(dimensions.items()))


def _fits(dimensions: Dimensions, asked: Asked) -> bool:
    """Whether these may be the dimensions of the answer."""
    if asked.dimensions is None:
        return bool(dimensions) and all(power > 0 for power in dimensions.values())
    return dict(dimensions) == dict(asked.dimensions)


def _stages(amounts: list[Amount]) -> Iterator[list[Amount]]:
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
    if not _TOTAL.search(asked.text) or (signs[0] < 0 and len(set(signs)) == 1):
        return None
    result = add(parts, signs)
    return result if result.value > 0 else None


def _gains(one: Amount) -> bool:
    return (
        bool(_GAIN.search(one.clause)) and not _LOSS.search(one.clause) and "i #" not in one.clause
    )


def _loses(one: Amount) -> bool:
    return bool(_LOSS.search(one.clause))


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
        by_kind.setdefault(_key(one.dimensions), []).append(one)
    found: list[Amount] = []
    for parts in by_kind.values():
        if len(parts) == 1 or len(by_kind) == 1:
            found.extend(parts)
            continue
        if not parts[0].dimensions:
            return None
        is_less = _is_payment(parts, amounts, asked) or _REST.search(words) or (len(parts) == 2 and _METER.search(words))  # noqa: PLR2004
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


def _written(result: Amount, factor: str, asked: Asked) -> str:
    """Write the result in the asked unit, with the tip or rebate, rounded where it is counted."""
    scale = asked.scale or _usual(result)
    ratio = result.scale / scale
    text = f"{result.factor}{factor}" if factor else result.text
    if ratio != 1:
        text = f"({text})" if result.is_sum and not factor else text
        text += f"*{ratio.numerator}" if ratio.numerator != 1 else ""
        text += f"/{ratio.denominator}" if ratio.denominator != 1 else ""
    rate = Fraction(factor[8:].rpartition("/")[0].replace(" ", "") or 0) / 100 if factor else 0
    value = result.value * ratio * (1 + rate if "+" in factor else 1 - rate)
    is_counted = asked.noun or asked.dimensions is None
    is_divided = is_counted and "/" in text and not result.is_sum
    if "w gore" in asked.text or (is_divided and value.denominator != 1):
        if asked.wants("up"):
            return f"ceiling({text})"
        if asked.wants("down"):
            return f"floor({text})"
    return text


def _usual(result: Amount) -> Fraction:
    """The unit of the answer where none is named: that of the amounts themselves."""
    if not any(not name.startswith("#") for name in result.dimensions):
        return Fraction(1)
    if dict(result.dimensions) == {"length": 1, "time": -1} and result.scale != 1:
        return Fraction(1000, 3600)
    is_time = dict(result.dimensions) == {"time": 1}
    return result.scale if not is_time or result.scale in _TIMES else Fraction(1)
