"""Read a story of amounts as one expression."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.amount import Amount
from chatbot.router.detector.formulas.problems.amounts.asked import Asked, nouns_asked, read_asked
from chatbot.router.detector.formulas.problems.amounts.combining import combine, key_of
from chatbot.router.detector.formulas.problems.amounts.completing import (
    upper_of,
    with_money,
    with_people,
    with_price,
    with_units,
    with_upper,
    without_loose_names,
)
from chatbot.router.detector.formulas.problems.amounts.extraction import find_amounts
from chatbot.router.detector.formulas.problems.amounts.words import Words
from chatbot.router.detector.formulas.problems.statement import Statement

_MOST = 9
_TIMES = frozenset(map(Fraction, (60, 3600, 86400, 604800)))
_RAISE = regex(r"\b(?:napiw\w*|vat\w*|marz\w*|narzut\w*|zapas\w*|dolicz\w*|obslug\w*|"
                    r"serwis\w*|"
                    r"wiecej|drozej|nadwyz\w*|premi\w*|doplat\w*|powieksz\w*)\b")  # fmt: skip
_LOWER = regex(r"\b(?:rabat\w*|zniz\w*|upust\w*|taniej|promocj\w*|przecen\w*|tansz\w*|minus|"
                    r"odpad\w*|strat\w*|mniej|obniz\w*|bonifikat\w*|kosztow|"
                    r"usch\w*|zepsu\w*|padl\w*|zgni\w*|zmarnow\w*|wymarz\w*|peklo|peknie|stluk\w*|"
                    r"prowizj\w*)\b")  # fmt: skip
_RELATION = regex(
    r"\b\d+ razy (?:tyle|wiecej|mniej|star|mlod|wieks|mniejs|drozs|tans|dluzs|wyzs|szyb)|"
    r"\bo \d+(?: \w+)? (?:wiecej|mniej|star|mlod|wieks|mniejs|drozs|tans|dluzs|krots|wyzs|nizs)\w* "
    r"(?:niz|od)\b|\b(?:obwod\w*|dookola|dokola|ogrodz\w*|grodz\w*|srednic\w*|promie\w*|trojkat\w*|"
    r"skal[aię]|prawdop\w*|szans\w*|kolejnych|srednia)\b|\d : \d"
)
_UNREAD = regex(
    r"\b(?:polow\w*|czesc\w*|z powrotem|w (?:obie|dwie|2) stron\w*|po obu|konc(?:ami|ow|e)|nie \d|"
    r"gratis|czyli \d+|z jednej|brzeg\w*|nadgodzin\w*|podwojn\w*|potrojn\w*|co drug\w+|co "
    r"trzeci\w*|kurs walut\w*)\b"
)
_WAYS: Mapping[tuple[tuple[str, int], ...], tuple[Fraction, ...]] = MappingProxyType({
    (("length", 1),): tuple(map(Fraction, ("1000", "1", "1/10", "1/100", "1/1000", "1852"))),
    (("length", 3),): tuple(map(Fraction, ("1/1000", "1", "1/10", "1/1000000"))),
})
"""What a way and a volume are told in; the first is for those that came of rates."""
_PERCENT_ASKED = regex(
    r"\b(?:ile|il[uo]|jaki\w*) (?:\w+ ){0,2}?(?:%|procent\w*)|\bodset\w+|\bile razy|\bjaki "
    r"ulamek|\bstosun\w*"
)
_CLAIM = regex(
    r"\b(?:mow\w+|twierd\w+|zawola\w*|powiedzi\w+|wola|krzyk\w+|niby|zazadal\w*|policzyl\w*|"
    r"skasowal\w*|wyszlo mi)\b"
)
_CHECK = regex(r"\b(?:powinn\w+|naprawde|sie (?:nie )?zgadza|nie gra|nie pasuje|dobrze)\b")


def read_story(statement: Statement) -> str | None:
    """Return the one combination of all amounts that has the dimensions of what is asked."""
    story = Words(statement.words, nouns_asked(statement.question, statement.words))
    asked = read_asked(statement.question, statement.words, story)
    if not asked.text or _is_other(statement, asked):
        return None
    amounts = [one for one in _told(statement, find_amounts(story)) if one.value]
    rates = [one for one in amounts if "%" in one.dimensions]
    others = [one for one in amounts if "%" not in one.dimensions]
    if len(amounts) == 1 and amounts[0].is_rate:
        return _rescaled(amounts[0], asked)
    if not 1 < len(amounts) <= _MOST or not others or len(rates) > 1:
        return None
    if any(_is_part(one) for one in others) or _has_loose_sides(story, amounts):
        return None
    factor = _factor(rates, asked)
    if factor is None or (not factor and len(others) < 2):  # noqa: PLR2004 - one is no sum
        return None
    return _combined(others, asked, factor, statement.words)


def _rescaled(one: Amount, asked: Asked) -> str | None:
    """Read "33 zł miesięcznie, ile to rocznie": one price for a longer or shorter time."""
    wanted = with_upper(asked, [one])
    if wanted.scale is None or one.scale == wanted.scale:
        return None
    return _written(one, "", wanted) if dict(one.dimensions) == wanted.dimensions else None


def _is_other(statement: Statement, asked: Asked) -> bool:
    """Whether this is a story of relations, shares or several questions, for other readers."""
    if any(one.search(statement.words) for one in (_RELATION, _UNREAD)):
        return True
    several = len(re.findall(r"\bil[eu]\b", asked.text)) > 1
    if "%" not in statement.words and "odset" in asked.text:
        return several  # what the instalments come to over the loan
    return several or bool(_PERCENT_ASKED.search(asked.text))


def _combined(amounts: list[Amount], asked: Asked, factor: str, words: str) -> str | None:
    """Complete the amounts and combine them."""
    told = with_price(with_units(amounts, asked, words), asked)
    wanted = with_money(with_upper(with_people(asked, told), told), told)
    if wanted.dimensions is None and wanted.below is not None:
        return None
    if mod := _remainder(told, wanted):
        return mod
    result = combine(without_loose_names(told, wanted), wanted, words)
    return None if result is None else _written(result, factor, wanted)


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
    """Whether this is a fraction of something else, which `stages` reads."""
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


def _remainder(amounts: Sequence[Amount], asked: Asked) -> str | None:
    """Read "36 jajek, na biszkopt idzie 7, ile zostanie": what no whole one is made of."""
    if len(amounts) != 2 or not asked.wants("rest") or amounts[0].is_rate:  # noqa: PLR2004 - a pair
        return None
    whole, each = amounts
    if not each.is_rate or upper_of(each.dimensions) != dict(whole.dimensions):
        return None
    return f"Mod({whole.text}, {each.text})" if whole.scale == each.scale else None


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
    if dict(result.dimensions) == {"money": 1} and not re.search(
        r"\bgr(?:osz\w*)?\b", result.clause
    ):
        return Fraction(1)
    if (known := _WAYS.get(key_of(result.dimensions))) and result.scale not in known:
        return known[0] if result.scale.denominator > 1 else Fraction(1)
    is_time = dict(result.dimensions) == {"time": 1}
    return result.scale if not is_time or result.scale in _TIMES else Fraction(1)
