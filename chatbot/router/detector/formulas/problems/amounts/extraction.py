"""Find the amounts of a story: numbers with units, and what each of them is for."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from chatbot.router.detector.formulas.problems.amounts.amount import Amount, divide, multiply
from chatbot.router.detector.formulas.problems.amounts.units import (
    PEOPLE,
    PER_TIME,
    is_alike,
    is_noun,
    name_of,
    times,
    unit_of,
)

_NUMBER = re.compile(r"\d+(?:\.\d+)?|\d+/[1-9]\d*")
_BREAKS = frozenset(".,;:?!()-")
STOP = frozenset([
    "i",
    "a",
    "to",
    "na",
    "za",
    "z",
    "w",
    "od",
    "do",
    "po",
    "o",
    "u",
    "oraz",
    "lub",
    "czy",
    "ale",
    "ze",
    "sie",
    "jest",
    "sa",
    "byl",
    "byla",
    "bylo",
    "byly",
    "bedzie",
    "beda",
    "razy",
    "plus",
    "minus",
    "przez",
    "co",
    "jak",
    "ile",
    "ilu",
    "jaki",
    "jaka",
    "jakie",
    "tylko",
    "jeszcze",
    "juz",
    "mam",
    "mial",
    "miala",
    "ma",
    "maja",
    "mamy",
    "kosztuje",
    "kosztuja",
    "wiecej",
    "mniej",
    "potem",
    "teraz",
    "kazdy",
    "kazda",
    "kazde",
    "wazy",
    "trwa",
    "niz",
    "idzie",
    "mi",
    "dla",
    "we",
    "no",
    "wyszlo",
    "zostalo",
    "zostaje",
    "czyli",
    "bo",
    "zeby",
    "raz",
    "pod",
    "nad",
    "przy",
    "bez",
    "kto",
    "gdy",
    "jesli",
    "wynosi",
    "musi",
    "dostal",
    "dostala",
    "kupil",
    "kupila",
    "zjadl",
    "oddal",
    "oddala",
    "wzial",
    "wziela",
    "dal",
    "dala",
    "miesci",
    "zaplacil",
    "sprzedal",
    "stoi",
    "jedzie",
    "leci",
    "zrobil",
    "przejechal",
    "uszylo",
    "uzyskal",
    "bierze",
    "dzieli",
    "podziel",
    "wiec",
    "tego",
    "ich",
    "moj",
    "byc",
    "miec",
    "robic",
    "powinno",
    "wydal",
    "wydalam",
    "wydalem",
    "ktora",
    "ktore",
    "x",
    "vat",
    "brutto",
    "netto",
    "gotowka",
    "gotowki",
])
_ADJECTIVE = re.compile(r"\w+(?:ych|owe|owych|nych|ie|ne|kie|kich)$")
_PER = frozenset({"za", "na", "od", "z", "w", "co", "per", "/"})
_ONE = frozenset({"1", "jedna", "jeden", "jednej", "jednego", "kazdy", "kazda", "kazde", "kazdego",
                  "kazdej", "kazdym"})  # fmt: skip
_EACH = re.compile(r"^kazd\w+$")
_HINTS = (
    (re.compile(r"\b(?:wazy|waga|wazacy|waza)\b"), "mass"),
    (re.compile(r"\b(?:kosztuj\w+|cen\w+|bilet\w*|stawk\w+)\b"), "money"),
    (re.compile(r"\b(?:trwa|zajmuje|minely)\b"), "time"),
)
_SPEED_AFTER = re.compile(r"^na godzin\w+|^/ ?h\b|^km")
_TIMES = frozenset({"x", "*", "na", "×"})


class Words:
    """The words of a story, with the nouns that something is counted in."""

    def __init__(self, words: str, asked: Sequence[str]) -> None:
        """Cut ``words`` at spaces; ``asked`` are the nouns that the question may ask for."""
        self.all = words.split()
        self.counted = [name_of(noun) for noun in (*asked, *self._counted())]

    def _counted(self) -> Iterator[str]:
        for at in range(len(self.all)):
            if _NUMBER.fullmatch(self.all[at]) and (noun := self.noun(at + 1)[0]):
                yield noun

    def word(self, at: int) -> str:
        """The word at a place, empty outside."""
        return self.all[at] if 0 <= at < len(self.all) else ""

    def noun(self, at: int) -> tuple[str, int]:
        """The counted noun that begins here, and the place after it."""
        word, following = self.word(at), self.word(at + 1)
        if not word.isalpha() or word in STOP or unit_of(word):
            return "", at
        if _ADJECTIVE.fullmatch(word) and _is_noun(following):
            return following, at + 2
        return (word, at + 1) if _is_noun(word) else ("", at)

    def clause(self, at: int) -> tuple[int, int]:
        """Where the clause around a place begins and ends; other numbers end it too."""
        first = at
        while first > 0 and self.all[first - 1] not in _BREAKS and not self.is_number(first - 1):
            first -= 1
        last = at + 1
        while last < len(self.all) and self.all[last] not in _BREAKS and not self.is_number(last):
            last += 1
        return first, last

    def is_number(self, at: int) -> bool:
        """Whether a number stands here."""
        return bool(_NUMBER.fullmatch(self.word(at)))

    def name(self, noun: str) -> str | None:
        """The name under which a noun is counted somewhere in the story, if it is."""
        alike = (name_of(one) for one in self.counted if is_alike(one, noun))
        return next(alike, "osob" if name_of(noun) == "osob" and "osob" in self.counted else None)


def _is_noun(word: str) -> bool:
    return word not in STOP and word not in PER_TIME and is_noun(word)


def find_amounts(story: Words) -> list[Amount]:
    """Return the amounts in order, each with what it is for; percentages and shares too."""
    plain = [_plain(story, at) for at in range(len(story.all)) if story.is_number(at)]
    joined = _intervals(story, _ratios(story, _boxes(story, _compounds(story, plain))))
    found: list[Amount] = []
    for one in joined:
        found.append(_each(story, one, found))
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
    if (unit := unit_of(word)) is not None and not _is_preposition(story, at + 1):
        return replace(
            one,
            dimensions=unit.dimensions,
            scale=unit.scale,
            end=at + 2,
            is_bare=False,
            noun=story.noun(at + 2)[0],
        )
    is_listed = word in {"x", "*"} and _is_noun(story.word(at + 2))
    noun, end = story.noun(at + 1 + is_listed)
    if not noun:
        return one
    name = name_of(story.name(noun) or noun)
    return replace(one, dimensions={f"#{name}": 1}, noun=name, end=end, is_bare=False)


def _is_preposition(story: Words, at: int) -> bool:
    """Whether a letter is no unit here: "5 l" is, "14 s" is, "a" is not."""
    return story.word(at) in {"a", "z", "w"}


def _compounds(story: Words, amounts: Sequence[Amount]) -> list[Amount]:
    """Join "3 h 40 min", "2 m 30 cm", "5 zl 20 gr", "2 h 15"."""
    found: list[Amount] = []
    for one in amounts:
        before = found[-1] if found else None
        gap = story.all[before.end : one.start] if before else ["-"]
        if before is None or gap not in ([], ["i"]) or before.is_bare:
            found.append(one)
            continue
        is_time = before.scale == 3600 and one.is_bare and not gap  # noqa: PLR2004 - an hour
        if is_time:
            one = replace(one, dimensions={"time": 1}, scale=Fraction(60), is_bare=False)
        if one.dimensions == before.dimensions and one.scale < before.scale:
            ratio = before.scale / one.scale
            found[-1] = replace(
                before,
                text=f"{before.text} + {one.text}/{ratio}",
                value=before.value + one.value / ratio,
                is_sum=True,
                end=one.end,
            )
        else:
            found.append(one)
    return found


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
        elif before is not None and gap[-1:] == ["na"] and len(gap) <= 2 and _is_ratio(before, one):  # noqa: PLR2004
            if before.is_bare:  # "spalanie 6.4 na 100 km"
                before = replace(before, dimensions={"length": 3}, scale=Fraction(1, 1000))
            found[-1] = replace(divide(before, one), end=one.end, is_each=True, is_bare=False)
        else:
            found.append(one)
    return found


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
    gaps = [story.all[a.end : b.start] for a, b in itertools.pairwise(row)]
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
    return replace(
        one, dimensions=times(one.dimensions, dimensions, -1), scale=one.scale / scale, is_each=True
    )


_Below = tuple[dict[str, int], Fraction]


def _after(story: Words, one: Amount) -> _Below | None:
    """What follows: "zl za kg", "km na godzine", "zl od osoby", "litrow dziennie"."""
    at = one.end
    while at < one.end + 3 and _is_noun(story.word(at)) and story.word(at) not in PER_TIME:
        at += 1
    if story.word(at) in PER_TIME:
        unit = unit_of(PER_TIME[story.word(at)])
        return (dict(unit.dimensions), unit.scale) if unit else None
    if story.word(at) not in _PER or (story.is_number(at + 1) and story.word(at + 1) != "1"):
        return None
    is_one = story.word(at + 1) in _ONE
    return _named(story, at + 1 + is_one, is_one=is_one or story.word(at) in {"za", "od", "co"})


def _named(story: Words, at: int, *, is_one: bool) -> _Below | None:
    """A unit, or a noun that is counted, in the singular after "za", "na", "kazdy"."""
    word = story.word(at)
    if (unit := unit_of(word)) is not None and not word.endswith(("ach", "ami")):
        return dict(unit.dimensions), unit.scale
    if PEOPLE.match(word) and word.endswith(("e", "y", "a", "ego")):
        return {"#?": 1}, Fraction(1)
    name = story.name(word) if _is_noun(word) else None
    if name is None and is_one and word.startswith(("sztuk", "szt")):
        return {"#?": 1}, Fraction(1)
    if name is None and story.word(at - 1) in _ONE and _is_noun(word):
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
        if _is_noun(beside) and not (first and story.is_number(first - 1)):
            return {f"#{name_of(beside)}": 1}, Fraction(1)
        counts = [other for other in before if not other.is_bare and "%" not in other.dimensions]
        return _unit_of(counts[-1]) if counts and _is_near(story, counts[-1], one) else None
    for at in range(first, one.start):
        if _EACH.match(story.all[at]) and story.word(at + 1) != "z":
            named = _named(story, at + 1, is_one=True)
            counts = [other for other in before if other.noun and not other.is_rate]
            return named or (_unit_of(counts[-1]) if counts else None)
    return None


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
    for word in story.all[first : one.start]:
        if unit_of(word) is not None and word in {"kilogram", "litr", "metr", "godzina", "tona",
                                                  "kilo", "hektar", "kwh", "kilowatogodzina"}:  # fmt: skip
            unit = unit_of(word)
            return (dict(unit.dimensions), unit.scale) if unit else None
        if _is_noun(word) and (name := story.name(word)) is not None:
            if one.noun and is_alike(one.noun, name):
                continue
            return {f"#{name}": 1}, Fraction(1)
    return None
