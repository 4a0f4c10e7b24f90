"""Find the amounts of a story: numbers with units, and what each of them is for."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.amount import Amount
from chatbot.router.detector.formulas.problems.amounts.sizes import join_sizes
from chatbot.router.detector.formulas.problems.amounts.units import (
    PEOPLE,
    PER_TIME,
    is_alike,
    name_of,
    times,
    unit_of,
)
from chatbot.router.detector.formulas.problems.amounts.words import Words, is_counted

_PER = frozenset({"za", "na", "od", "z", "w", "co", "per", "/"})
_ONE = frozenset({"1", "jedna", "jeden", "jednej", "jednego", "kazdy", "kazda", "kazde", "kazdego",
                  "kazdej", "kazdym"})  # fmt: skip
_ONE_OF = frozenset({"kilogram", "litr", "metr", "godzina", "tona", "kilo", "hektar", "kwh",
                     "kilowatogodzina"})  # fmt: skip
_EACH = regex(r"^kazd\w+$")
_YEARLY = regex(r"^roczn[yae]$")
_FUELS = regex(r"^(?:benzyn|paliw|diesel|rop|olej|lpg|gaz)\w{0,2}$")
_DEAREST_LITRE = 15


def find_amounts(story: Words) -> list[Amount]:
    """Return the amounts in order, each with what it is for; percentages and shares too."""
    return _with_each(story, join_sizes(story, _repeated(story, _all(story))))


def find_single_amounts(story: Words) -> list[Amount]:
    """Return the amounts as they stand, one for every number: "2 m 30 cm" are two."""
    return _with_each(story, _repeated(story, _all(story)))


def _all(story: Words) -> list[Amount]:
    return [_plain(story, at) for at in range(len(story.all)) if story.is_number(at)]


def _with_each(story: Words, amounts: Sequence[Amount]) -> list[Amount]:
    found: list[Amount] = []
    for one in amounts:
        found.append(_each(story, one, found))
    return found


def _repeated(story: Words, amounts: Sequence[Amount]) -> list[Amount]:
    """Say what is counted again: "3 kosze po 12 kg i 2 po 9"."""
    found: list[Amount] = []
    for one in amounts:
        before = next(
            (other for other in reversed(found) if f"#{other.noun}" in other.dimensions), None
        )
        is_again = one.is_bare and story.word(one.end) == "po" and story.is_number(one.end + 1)
        if is_again and before is not None:
            found.append(
                replace(one, dimensions=before.dimensions, noun=before.noun, is_bare=False)
            )
        else:
            found.append(one)
    return found


def _plain(story: Words, at: int) -> Amount:
    text = story.all[at]
    first, last = story.clause(at)
    clause = " ".join(story.all[first:at]) + " # " + " ".join(story.all[at + 1 : last])
    one = Amount(
        text=f"({text})" if "/" in text else text,
        value=Fraction(text),
        start=at,
        end=at + 1,
        clause=clause,
        is_bare=True,
    )
    word = story.word(at + 1)
    if word in {"razy", "raz", "krotnie"}:
        return replace(one, dimensions={"razy": 1}, end=at + 2, is_bare=False)
    if word == "%":
        return replace(one, dimensions={"%": 1}, end=at + 2, is_bare=False)
    if word.startswith("warstw") and story.word(at + 2) == "po":
        return replace(one, dimensions={"#warstw": 1}, noun="warstw", end=at + 2, is_bare=False)
    if (unit := unit_of(word)) is not None and not _is_preposition(story, at + 1):
        return replace(
            one,
            dimensions=unit.dimensions,
            scale=unit.scale,
            end=at + 2,
            is_bare=False,
            noun=story.noun(at + 2)[0],
        )
    is_listed = word in {"x", "*"} and is_counted(story.word(at + 2))
    noun, end = story.noun(at + 1 + is_listed)
    if not noun:
        return one
    name = name_of(story.name(noun) or noun)
    return replace(one, dimensions={f"#{name}": 1}, noun=name, end=end, is_bare=False)


def _is_preposition(story: Words, at: int) -> bool:
    """Whether a letter is no unit here: "5 l" is, "14 s" is, "a" is not."""
    return story.word(at) in {"a", "z", "w"}


def _each(story: Words, one: Amount, before: Sequence[Amount]) -> Amount:
    """Tell what the amount is for each of, if it is."""
    if "%" in one.dimensions:
        return one
    below = _after(story, one)
    more = _said_each(story, one, before) or _labelled(story, one)
    if below is None:
        below = _said_each(story, one, before) or _in_front(story, one) or _labelled(story, one)
    elif more is not None and set(below[0]) == {"time"} and next(iter(more[0])).startswith("#"):
        below = times(below[0], more[0]), below[1]  # "każda 24 litry na dobę"
    if below is None:
        return one
    dimensions, scale = below
    if one.is_bare and dimensions == {"length": 3} and story.word(one.start - 1) != "po":
        one = replace(one, dimensions={"money": 1}, is_bare=False)  # "benzyna 6.40"
    return replace(
        one, dimensions=times(one.dimensions, dimensions, -1), scale=one.scale / scale, is_each=True
    )


_Below = tuple[dict[str, int], Fraction]


def _after(story: Words, one: Amount) -> _Below | None:
    """What follows: "zl za kg", "km na godzine", "zl od osoby", "litrow dziennie"."""
    at = one.end
    while at < one.end + 3 and is_counted(story.word(at)) and story.word(at) not in PER_TIME:
        at += 1
    first, at = _per(story, at)
    second, _ = _per(story, at) if first is not None and "money" in one.dimensions else (None, at)
    if first is None or second is None:
        return first
    return times(first[0], second[0]), first[1] * second[1]  # "90 zl od osoby za noc"


def _per(story: Words, at: int) -> tuple[_Below | None, int]:
    """What stands here as "za kg", "na godzine", "dziennie", and the place after it."""
    word = story.word(at)
    if word in PER_TIME:
        unit = unit_of(PER_TIME[word])
        return ((dict(unit.dimensions), unit.scale) if unit else None), at + 1
    if word not in _PER or (story.is_number(at + 1) and story.word(at + 1) != "1"):
        return None, at
    is_one = story.word(at + 1) in _ONE
    named = _named(story, at + 1 + is_one, is_one=is_one or word in {"za", "od", "co"})
    return named, at + 2 + is_one


def _named(story: Words, at: int, *, is_one: bool) -> _Below | None:
    """A unit, or a noun that is counted, in the singular after "za", "na", "kazdy"."""
    word = story.word(at)
    if (unit := unit_of(word)) is not None and not word.endswith(("ach", "ami")):
        return dict(unit.dimensions), unit.scale
    if PEOPLE.match(word) and word.endswith(("e", "y", "a", "ego")):
        return {"#?": 1}, Fraction(1)
    name = story.name(word) if is_counted(word) else None
    if name is None and is_one and word.startswith(("sztuk", "szt")):
        return {"#?": 1}, Fraction(1)
    if name is None and story.word(at - 1) in _ONE and is_counted(word):
        return {f"#{word}": 1}, Fraction(1)
    return None if name is None else ({f"#{name}": 1}, Fraction(1))


def _said_each(story: Words, one: Amount, before: Sequence[Amount]) -> _Below | None:
    """Read "po 18.50", "w kazdym 12": of what was counted last."""
    first, _ = story.clause(one.start)
    words = story.all[first : one.start]
    if words[-1:] == ["po"] or (words[-2:-1] == ["po"] and len(words[-1]) > 4):  # noqa: PLR2004
        if first < one.start - 1 and (named := _labelled(story, one)) is not None:
            return named
        beside = words[-2] if len(words) > 1 else ""
        if is_counted(beside) and not (first and story.is_number(first - 1)):
            return {f"#{name_of(beside)}": 1}, Fraction(1)
        counts = [other for other in before if not other.is_bare and "%" not in other.dimensions]
        return _unit_of(counts[-1]) if counts and _is_near(story, counts[-1], one) else None
    for at in range(first, one.start):
        if _EACH.match(story.all[at]) and story.word(at + 1) != "z":
            named = _named(story, at + 1, is_one=True)
            counts = [other for other in before if other.noun and not other.is_rate]
            return named or (_unit_of(counts[-1]) if counts else None)
    return None


def _is_price(one: Amount) -> bool:
    """Whether this may be money, said or not."""
    return one.is_bare or dict(one.dimensions) == {"money": 1}


def _is_near(story: Words, count: Amount, one: Amount) -> bool:
    return not any(word in {".", ";", "?"} for word in story.all[count.end : one.start])


def _unit_of(one: Amount) -> _Below | None:
    """One unit of the amount's upper side."""
    above = {name: power for name, power in one.dimensions.items() if power > 0}
    if len(above) != 1:
        return None
    is_counted = next(iter(above)).startswith("#")
    if one.is_rate and not is_counted:
        return None
    return above, Fraction(1) if is_counted else one.scale


def _in_front(story: Words, one: Amount) -> _Below | None:
    """Read "na hektar idzie 250", "za godzine 45 zl", "na 1 cmkw przypada 15000"."""
    first, _ = story.clause(one.start)
    links = [at for at in range(first, one.start) if story.all[at] in {"plus", "i", "oraz", "a"}]
    if links and first and story.is_number(first - 1):
        first = links[-1]
    for at in range(first, one.start - 1):
        if story.all[at] in {"na", "za", "z", "w", "od", "co"}:
            is_one = story.word(at + 1) in _ONE
            if (named := _named(story, at + 1 + is_one, is_one=is_one)) is not None:
                return named
    return None


def _labelled(story: Words, one: Amount) -> _Below | None:
    """Read "paletka wazy 75", "worek ziemi 40 l": the noun is counted elsewhere."""
    first, _ = story.clause(one.start)
    is_listed = story.all[first] in {"x", "*"}
    if first and story.is_number(first - 1) and story.all[one.start - 1] != "po" and not is_listed:
        return None  # the noun belongs to the number before it
    if {"ile", "ilu"} & set(story.all[first : one.start]):
        return None
    labels = (_label(story, word, one) for word in story.all[first : one.start])
    return next((label for label in labels if label is not None), None)


def _label(story: Words, word: str, one: Amount) -> _Below | None:
    """What a word before the amount says that it is for each of."""
    if _FUELS.match(word) and one.value < _DEAREST_LITRE and _is_price(one):
        return {"length": 3}, Fraction(1, 1000)
    if _YEARLY.match(word) and "money" in one.dimensions:
        return {"months": 1}, Fraction(12)
    if word in _ONE_OF and (unit := unit_of(word)) is not None:
        return dict(unit.dimensions), unit.scale
    name = story.name(word) if is_counted(word) else None
    if name is None or (one.noun and is_alike(one.noun, name)):
        return None
    return {f"#{name}": 1}, Fraction(1)
