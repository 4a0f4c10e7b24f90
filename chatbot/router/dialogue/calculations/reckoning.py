"""Calculations with the quantities that were told: what they measure decides how they combine."""

import re
from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import written
from chatbot.router.dialogue.calculations.figures import last_value
from chatbot.router.dialogue.calculations.measures import KNOWN, factor, is_same, is_time, kind_of
from chatbot.router.dialogue.calculations.quantities import (
    Quantity,
    implied,
    nouns_in,
    read_quantities,
)
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_ASKED = regex(
    r"\b(?:il[eu]|iloma|jak\w* kwot\w+)\s(?:(?:to|w|mi|nam|bedzie|wyjdzie|jest|razem|trzeba|musze|"
    r"mam|by|lacznie|w sumie|wtedy)\s)*([a-z]{1,})"
)
_PAYS = regex(
    r"\b(?:zaplac\w*|place|placi\w*|kosztuj\w*|kosztowa\w*|wyda\w*|zarob\w*|zarabia\w*|koszt\w*|"
    r"kwot\w+|oplat\w*|wynagrodzeni\w*)\b"
)
_LASTS = regex(
    r"\bjak dlugo\b|\bile (?:\w+ ){0,2}(?:czasu|potrwa|trwa\w*|zajmie|zajelo|zajm\w+)\b|"
    r"\bw jakim czasie\b"
)
_WEIGHS = regex(r"\bile (?:\w+ ){0,2}(?:waz[ya]\w*|wazy)\b")
_DRIVES = regex(r"\bile (?:\w+ ){0,2}(?:prze|za|do|u)jad\w*|\bjak daleko (?:\w+ )?\w*jad\w*")
_BURNS = regex(r"\bile (?:\w+ ){0,2}(?:spal[ei]|zuzyj|zuzyje)\w*")
_TOGETHER = regex(r"\b(?:razem|lacznie|w sumie|caly|cala|calosc|wszystko|wyjdzie|wyniesie)\b")
_WITH = regex(r"\b(?:z|ze|plus|i|wraz z)\s([a-z]{4,})")
_CHANGES = regex(
    r"\b(?:odejm\w*|dodaj\w*|dolicz\w*|podziel\w*|dzielac|pomnoz\w*|razy|dzielone|minus|plus|"
    r"brakuj\w*|reszt\w*|zosta\w*|rabat\w*|taniej|drozej|wiecej|mniej|o ile|podwyz\w*|znizk\w*)\b"
)


_FOR_EACH = regex(r"\b(?:na|do|przypada|co ile|kazd\w+|jed(?:en|na|no|nego|nej))\b")
_FOR = regex(r"\b(?:dla|na|przy|gdyby|jakby|jak|jesli)\b")
_FOR_PEOPLE = regex(r"\bdla \w+\W*$")
_WITH_ALL = regex(r"\b(?:zosta\w*|reszt\w*|wiecej|mniej|podziel\w*|na (?:osobe|glowe))\b")


_WHY = regex(r"\b(?:dlaczego|czemu|czy|kto|kiedy|gdzie|skad|jak (?:sie|to|dojechac))\b")
_THESE = regex(
    r"^(?:(?:a|to|no|i|czyli|ok|dobra|dla|na|za|przy|ile|jak|jesli|gdyby|bedzie|ma|maja|kosztuj\w+)"
    r"[ ,]+)+\w+(?: [a-z]{3,})?\W*$"
)
_HOW_MUCH = regex(r"\W*(?:\w+ ){0,3}il[eu]\b")
_HAD = frozenset({"zl", "gr", "eur", "kcal", "g", "kg", "l", "ml", "min", "h"})
_FOR_PEOPLE_EACH = ("bilet", "wejscie", "wstep", "karnet", "obiad", "wejsciowka")
_SHORT = 6
_EXPLAINS = regex(r"\bto $")
_PIECES = regex(r"sztuk\w*|szt|porcj\w*")
_LONGEST = 16


def reckoned(scene: Scene) -> str | None:
    """Combine the one quantity of the prompt with one told before, as their units fit."""
    own = [one for one in read_quantities(scene.text) if not one.is_year]
    if _CHANGES.search(scene.folded):
        return None
    known = told_quantities(scene)
    if not own:
        own = list(implied(scene.text))
        if (found := _of_other(scene, known)) is not None:
            return found
    if len(own) != 1 or own[0].unit == "%":
        return None
    asked = asked_unit(scene)
    for rule in (_several, _such, _for_so_many):
        if (found := rule(scene, own[0], known)) is not None:
            return found
    combine = _explained if _EXPLAINS.search(scene.folded[: own[0].start]) else _combined
    fitting = [
        (_rank(scene, one, place), expression)
        for place, one in enumerate(known)
        if (expression := combine(own[0], one, asked)) is not None
    ]
    return min(fitting)[1] if fitting else _counted(scene, own[0], known)


def surely_reckoned(scene: Scene) -> str | None:
    """Combine them where the prompt says what is asked for and the units leave no doubt."""
    if scene.is_active(MATHEMATICS) or scene.size > _LONGEST or _WHY.search(scene.folded):
        return None
    own = [one for one in read_quantities(scene.text) if not one.is_year]
    is_counted = len(own) == 1 and (own[0].unit or own[0].per)
    if not is_counted and (own or not _of_other(scene, told_quantities(scene))):
        return None
    return reckoned(scene) if asked_unit(scene) else None


def packed(scene: Scene) -> str | None:
    """How many of what holds so much the result makes: "w paczce jest 2,2 m2, ile paczek?"."""
    value, last = last_value(scene.state), scene.state.last
    own = [one for one in read_quantities(scene.text) if not one.is_year]
    asked = asked_unit(scene)
    if value is None or last is None or len(own) != 1 or not scene.is_active(MATHEMATICS):
        return None
    told = read_quantities(last.reply)
    scale = factor(told[-1].unit, own[0].unit) if told and not told[-1].per else None
    if scale is None or own[0].unit not in KNOWN or not asked or factor(asked, own[0].unit):
        return None
    words = [kind_of(word) for word in re.findall(r"[^\W\d]{3,}", scene.text)]
    is_told = sum(is_same(word, asked) for word in words) > 1
    if not (is_same(own[0].per, asked) or (is_told and not own[0].per)):
        return None
    return _scaled(f"({value})/({own[0].each})", written(scale), is_one=scale == 1)


def for_these(scene: Scene) -> str | None:
    """So many of what the last reply told for one: "a na 80 gości?", "a cztery?"."""
    last = scene.state.last
    own = [one for one in read_quantities(scene.text) if not one.is_year] or implied(scene.text)
    if last is None or scene.is_active(MATHEMATICS) or len(own) != 1 or scene.size > _SHORT:
        return None
    told = [one for one in read_quantities(last.reply) if not one.is_year]
    if len(told) != 1 or own[0].per or not _THESE.match(scene.folded):
        return None
    one = told[0]
    if one.per:
        return _by_rate(own[0], one, "")
    is_for_people = own[0].unit == "osob" and any(map(one.is_of, _FOR_PEOPLE_EACH))
    is_counted = not own[0].unit or is_for_people or one.is_of(_noun_of(own[0]))
    is_one = one.unit in _HAD and _HOW_MUCH.match(fold_evenly(last.prompt)) is not None
    return f"{own[0].text}*{one.text}" if is_counted and is_one else None


def _of_other(scene: Scene, known: Sequence[Quantity]) -> str | None:
    """So many of the one for each of the other: "ile gmin na powiat", "co ile km jest śluza"."""
    found = _FOR_EACH.search(scene.folded)
    asked = asked_unit(scene)
    if found is None or not asked:
        return None
    words = nouns_in(scene.text)
    above = [one for one in known if is_same(one.unit, asked) or factor(one.unit, asked)]
    below = [
        one
        for one in known
        if one not in above and any(is_same(one.unit, kind_of(word)) for word in words)
    ]
    is_clear = len(above) == 1 and len(below) == 1
    return f"{above[0].text}/{below[0].text}" if is_clear else None


def _such(scene: Scene, own: Quantity, known: Sequence[Quantity]) -> str | None:
    """So many of what was told: "trzy takie razem"."""
    if not own.unit.startswith("taki"):
        return None
    one = meant(scene, known) or (known[0] if len(known) == 1 else None)
    return f"{own.text}*{one.text}" if one is not None else None


def _for_so_many(scene: Scene, own: Quantity, known: Sequence[Quantity]) -> str | None:
    """What is named for another number than it was told for: flour for 10 people, not for 4."""
    unit = own.unit or ("osob" if _FOR_PEOPLE.search(scene.folded) else "")
    told = [one for one in known if not one.per and is_same(one.unit, unit)]
    if not told and _PIECES.fullmatch(unit):
        told = [one for one in known[:1] if one.unit not in KNOWN]
    if len(told) != 1 or own.per:
        return None
    one = meant(scene, [each for each in known if each is not told[0]])
    is_for = one is not None and not one.per and _FOR.search(scene.folded)
    return f"{one.text}/{told[0].text}*{own.text}" if one is not None and is_for else None


def _counted(scene: Scene, own: Quantity, known: Sequence[Quantity]) -> str | None:
    """So many pieces of what the prompt names: "5 paczek kurierem"."""
    one = meant(scene, known)
    is_count = own.unit and own.unit not in KNOWN - {"osob", "raz"} and not own.per
    is_apart = one is not None and not one.per and not is_same(own.unit, one.unit)
    if one is None or not (is_count and is_apart) or _WITH_ALL.search(scene.folded):
        return None
    return f"{own.text}*{one.text}"


def reasked(scene: Scene) -> str | None:
    """Ask something else of the rates of the last question: how long for 495 km at its speed."""
    last = scene.state.last
    own = [one for one in read_quantities(scene.text) if not one.is_year]
    if last is None or len(own) != 1 or not scene.is_active(MATHEMATICS):
        return None
    known = [one for one in read_quantities(last.prompt) if not one.is_year]
    asked, before = asked_unit(scene), asked_unit(scene.within(last.prompt))
    is_rate = bool(own[0].per)
    is_other = asked and asked != before and (is_rate or not is_same(own[0].unit, asked))
    rules = (_into_rate, _at_own_rate) if own[0].unit == "l" else (_into_rate,)
    found = [rule(own[0], one, asked) for rule in rules for one in known] if is_other else []
    if any(found):
        return next(one for one in found if one)
    is_new = own[0].unit and not any(factor(own[0].unit, one.unit) for one in known)
    things = [one for one in known if is_new and one.unit == "zl" and not one.per]
    return _of_things(own[0], things[0], "zl") if len(things) == 1 else None


def told_quantities(scene: Scene) -> list[Quantity]:
    """The quantities of the last reply that tells any, years left out, in their order."""
    for turn in reversed(scene.state.turns):
        for text in (turn.reply, turn.prompt):
            if found := [one for one in read_quantities(text) if not one.is_year]:
                return found
    return []


def meant(scene: Scene, known: Sequence[Quantity]) -> Quantity | None:
    """The quantity that a prompt points to, by what it asks for or by a name; else none."""
    asked = asked_unit(scene)
    words = [one for one in nouns_in(scene.text) if kind_of(one) not in KNOWN]
    named = [one for one in known if any(one.is_of(word) for word in words)]
    counted = [one for one in known if any(is_same(one.unit, word) for word in words)]
    measured = [one for one in known if asked and factor(one.unit, asked)]
    for found in (named, counted, measured):
        if len(found) == 1:
            return found[0]
    return None


def asked_unit(scene: Scene) -> str:
    """The unit that a question asks for: "ile osób", "jak długo", "ile zapłacę"."""
    if _LASTS.search(scene.folded):
        hours = re.search(r"\b(godzin\w*|minut\w*|dni|tygodni\w*|miesiec\w*|lat)\b", scene.folded)
        return kind_of(hours[1]) if hours else "h"
    if _WEIGHS.search(scene.folded):
        return "kg"
    if _DRIVES.search(scene.folded):
        return "km"
    if _BURNS.search(scene.folded):
        return "l"
    for found in _ASKED.finditer(scene.folded):
        kind = kind_of(found[1])
        if kind in KNOWN or nouns_in(f"x {scene.text[found.start(1) : found.end(1)]}"):
            return kind
    return "zl" if _PAYS.search(scene.folded) else ""


def _explained(own: Quantity, one: Quantity, asked: str) -> str | None:
    return _in_units(own, one, asked) or _combined(own, one, asked)


def _combined(own: Quantity, one: Quantity, asked: str) -> str | None:
    rules = (_out_of, _in_units, _by_rate, _at_own_rate, _into_rate, _of_things, _each_so_much)
    for combine in rules:
        if (found := combine(own, one, asked)) is not None:
            return found
    return None


def _fits(asked: str, unit: str) -> bool:
    return not asked or factor(asked, unit) is not None or asked not in KNOWN


def _in_units(own: Quantity, one: Quantity, asked: str) -> str | None:
    """What was told, in a unit that the prompt explains: "ile to cali, cal to 2,54 cm"."""
    is_unit = asked and asked not in KNOWN and own.is_of(asked) and not own.per and not one.per
    scale = factor(one.unit, own.unit) if is_unit and own.unit in KNOWN else None
    return _scaled(f"{one.text}/{own.text}", written(scale), is_one=scale == 1) if scale else None


def _by_rate(own: Quantity, one: Quantity, asked: str) -> str | None:
    """So many of what a rate is for: 4 nights at 220 zł a night."""
    scale = factor(own.unit, one.per) if one.per and not own.per else None
    if scale is None or not _fits(asked, one.unit):
        return None
    return _scaled(f"{own.text}*{one.each}", written(scale), is_one=scale == 1)


def _at_own_rate(own: Quantity, one: Quantity, asked: str) -> str | None:
    """What was told, at the prompt's rate: 40 people at 25 zł each, 42 km at 10 km/h."""
    if not own.per:
        return None
    if one.per:
        scale = factor(one.unit, own.per)
        is_fit = scale is not None and own.unit in {"zl", "gr", "eur"}
        return f"{one.each}*{own.each}" if is_fit and scale == 1 else None
    if (scale := factor(one.unit, own.per)) is not None and _fits(asked, own.unit):
        return _scaled(f"{one.text}*{own.each}", written(scale), is_one=scale == 1)
    if (scale := factor(one.unit, own.unit)) is None or not (asked and factor(own.per, asked)):
        return None
    times = factor(own.per, asked)
    found = _scaled(f"{one.text}/({own.each})", written(scale), is_one=scale == 1)
    return _scaled(found, written(times or scale), is_one=times == 1)


def _into_rate(own: Quantity, one: Quantity, asked: str) -> str | None:
    """How many of what a rate is for an amount makes: metres for 180 zł at 7.20 zł each."""
    scale = factor(own.unit, one.unit) if one.per and not own.per else None
    times = factor(one.per, asked) if asked and one.per else None
    if scale is None or times is None or own.unit == one.per:
        return None
    found = _scaled(f"{own.text}/({one.each})", written(scale), is_one=scale == 1)
    return _scaled(found, written(times), is_one=times == 1)


def _out_of(own: Quantity, one: Quantity, asked: str) -> str | None:
    """How many of the thing that has so much an amount makes: slices of 75 kcal for 600 kcal."""
    scale = factor(own.unit, one.unit) if asked and not (own.per or one.per) else None
    if scale is None or factor(asked, one.unit) or not _is_thing(one, asked):
        return None
    return _scaled(f"{own.text}/{one.text}", written(scale), is_one=scale == 1)


def _is_thing(one: Quantity, asked: str) -> bool:
    """Whether a quantity is that of one of what is asked for: "litr farby starcza na 10 m²"."""
    return one.is_of("litr" if asked == "l" else asked)


def _of_things(own: Quantity, one: Quantity, asked: str) -> str | None:
    """So many of the thing that has it: four doughnuts of 350 kcal."""
    is_thing = own.unit and own.unit not in KNOWN - {"h"} and not own.per
    is_named = is_thing and one.is_of(_noun_of(own))
    is_countable = not one.per and not is_same(own.unit, one.unit) and _fits(asked, one.unit)
    return f"{own.text}*{one.text}" if is_named and is_countable else None


def _each_so_much(own: Quantity, one: Quantity, asked: str) -> str | None:
    """What was counted, each so much: 271 steps of 18 cm."""
    is_counted = one.unit and one.unit not in KNOWN - {"osob"} and own.is_of(one.unit)
    if not is_counted or own.unit not in KNOWN or own.per or one.per:
        return None
    scale = factor(own.unit, asked) if asked else None
    found = f"{one.text}*{own.text}"
    return _scaled(found, written(scale), is_one=scale == 1) if scale else found


def _noun_of(own: Quantity) -> str:
    return "godzina" if own.unit == "h" else own.unit


def _scaled(expression: str, scale: str, *, is_one: bool) -> str:
    return expression if is_one else f"{expression}*{scale}"


def _several(scene: Scene, own: Quantity, known: Sequence[Quantity]) -> str | None:
    """Several rates for the same time together, and what is named besides: "3 dni z pociągiem"."""
    words = [word for word in nouns_in(scene.text) if kind_of(word) not in KNOWN]
    besides = [found[1] for found in _WITH.finditer(scene.folded)]
    extra = [one for one in known if not one.per and any(one.is_of(word) for word in besides)]
    rates = [one for one in known if one.per and factor(own.unit, one.per) and is_time(one.per)]
    named = [one for one in rates if any(one.is_of(word) for word in words)]
    rates = named or rates
    if len({one.unit for one in rates}) != 1 or not _TOGETHER.search(scene.folded):
        return None
    if len(rates) + len(extra) <= 1:
        return None
    each = " + ".join(_by_rate(own, one, "") or "0" for one in rates)
    return each + "".join(f" + {one.text}" for one in extra if one.unit == rates[0].unit)


def _rank(scene: Scene, one: Quantity, place: int) -> tuple[int, int]:
    """Named quantities first, then the latest."""
    words = [word for word in nouns_in(scene.text) if kind_of(word) not in KNOWN]
    return (-sum(one.is_of(word) for word in words), -place)
