"""What a prompt puts to the last result, with a calculation or a number said again in it."""

import re
from dataclasses import replace
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import KINDS, Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import exchange
from chatbot.router.dialogue.calculations.edits import edited
from chatbot.router.dialogue.calculations.figures import (
    is_number,
    last_expression,
    last_value,
    plain,
    shown_value,
)
from chatbot.router.dialogue.calculations.wholes import whole
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED

_PUT_TO = regex(
    r"^(?:(?:no|i|a|ok|dobra|aha|teraz) )*(?:do tego|plus|doda\w*|dodatkowo|dolicz\w*|doloz\w*|"
    r"dorzuc\w*|oprocz tego|poza tym|doszl\w*|dochodz\w*|dokupi\w*|jeszcze)\b[: ,]*(?:jeszcze )?"
)
_TAKEN = regex(
    r"^(?:(?:no|i|a|ok|dobra|teraz) )*(?:odejm\w*|odlicz\w*|minus|bez)\b[: ,]*(?:jeszcze )?"
)
_GOES_ON = regex(r"\b(?:podziel\w*|pomnoz\w*|przemnoz\w*|odejmij|na (?:pol|osobe|glowe))\b")
_SPENT = regex(r"\bpo (?:kupnie|zakupie|oplaceniu|zaplaceniu|oddaniu|wydaniu)\b")
_RATE = regex(r"(\d+(?:[,.]\d+)?) ?[a-z]+ (?:\w+ )?na (?:(\d+) ?)?(?P<what>[a-z]+|setke)")
_ON_EACH = regex(
    r"\b(?:na|w|do) (?:jedn\w+ |kazd\w+ )?(?P<what>[a-z]{3,}) (?:\w+ )?"
    r"(?:wchodz|miesc|zmiesc|przypad|potrzeb|zuzyw|jest|sa)\w* (?:\w+ )?(\d+(?:[,.]\d+)?)"
)
_PRICED = regex(
    r"(\d+(?:[,.]\d+)?) ?(?:zl\w*|pln|euro)? (?:za|od) (?:1 |jed\w+ |kazd\w+ )?"
    r"(?P<what>(?!sztuk)[a-z]+)"
)
_COUNTED = regex(r"\d[\d ]*(?:,\d+)? ([a-z]+)")
_PEOPLE = regex(r"\b(?:osob\w*|os|ludzi|gosci|uczni\w*|dzieci|znajom\w*|koleg\w*|kolez\w*|"
                     r"wspollokator\w*|chetn\w*|pracowni\w*|bilet\w*|miejsc\w*|wejsciow\w*|karnet\w*|"
                     r"talerzyk\w*)\b")  # fmt: skip
_LEAVE = regex(
    r"\bnie (?:jedzi|jada|przyjd|przyjedz|idzi|pojedzi|bedzi|moz|da(?:dza)? rady)\w*|"
    r"\b(?:odpad|zrezygn|rezygnuj|wypad|zachorow|wykrusz|ubedzi|wycof)\w*|"
    r"(?<!reszta )(?<!pozostali )\bnie (?:bedzie )?(?:plac|zaplac|dorzuc|dolozy|doklad|zrzuc)\w*|"
    r"\bnie (?:sie )?(?:sklada|zlozy|zrzuca|doklada)\w*|\bsie nie (?:sklada|zrzuca|doklada)\w*|"
    r"\bza (?P<guests>(?:\w+(?: i |, )?){1,3}) (?:za)?placi\w* "
    r"(?:my\b|reszta|pozostal|inni|wszyscy)|"
    r"\b(?:reszta|pozostali|my|inni) (?:za)?placi\w* za (?P<guests2>\w+(?: i \w+)?)"
)
_SINGULAR = regex(
    r"\bnie (?:sie )?(?:bedzie )?(?:placi|zaplaci|dorzuca|dorzuci|sklada|zlozy|doklada|dolozy|"
    r"zrzuca|zrzuci)\b|\bsie nie (?:sklada|zrzuca|doklada)\b|\b(?:zrezygnowal|wycofal|odpadl|"
    r"wypadl|wykruszyl)a?\b"
)
_AND = regex(r" i |, ")
_JOIN = regex(
    r"\b(?:dojd\w+|dolacz\w+|doszed\w*|doszl\w+|dochodz\w+|wprowadz\w+|przyjd\w+|przyjed\w+|"
    r"poj(?:edzie|dzie|ada|da) (?:tez|jeszcze|z nami)|jeszcze (?:dwoje|troje|czworo)|"
    r"dosiad\w+|przyby\w+)\b"
)
_WITH = regex(
    r"\bz (?:dziewczyn|zon|mez|chlopak|brat|siostr|syn|cork|mam|tat|koleg|kolezank|narzeczon|"
    r"kuzyn|przyjaci|partner)\w*"
)
_NAME = regex(r"(?<!^)(?<![.?!] )\b[A-ZŁŚŻŹĆ][a-ząćęłńóśźż]{2,}\b|^[A-ZŁŚŻŹĆ][a-ząćęłńóśźż]+(?=[aek]? \w)")  # noqa: E501  # fmt: skip
_OPENS = regex(
    r"^(?:(?:Ale|Tylko|No|To|A|Ok|Okej|Czyli|Więc|Wiec|Jak|Jeśli|Jesli|Jednak|Jeżeli|Gdyby|Za|Że|ze|że|"
    r"Niestety|Dobra|Hm|Aha)[, ]+)+"
)
_OF_US = regex(r"\bnas (?:\w+ )?$|\b(?:w|we) $")
_COLLECTIVE = regex(r"(?:oro|oje|orga|ojga|orka|orke|ojka|ojke)$")
_STEM = 3
_IS_PART = regex(r"[²³^!πxy(]|\*\*| ?[-+*/·:] ?\d")
_REASON = regex(r"^(.{6,}?),? (?:bo|ponieważ|poniewaz|gdyż|skoro|żeby|zeby) .*$", re.DOTALL)
_ASKS = regex(r"\d|\b(?:razy|podziel|dodaj|odejmij|pomnoz|na pol)\b")
_THESE = regex(r"\b(?:tych|tego|te|ta|to|tej|tymi|temu)(?: \w+)? $")
_ALTOGETHER = regex(
    r"\b(?:jak|jesli|jezeli|gdy|plus|jeszcze|dodatkowo)\b.*,? (?:to )?(?:i )?(?:ile|jaka) (?:to |"
    r"bedzie |wyjdzie |mam |dostane |zaplace )?(?:razem|lacznie|w sumie|suma)\b"
)
_BY_PRICE = regex(
    r"\bo (?P<by>\d+(?:[.,]\d+)?) ?(?:zl\w*|pln)? ?(?:(?P<more>drozej|drozsz\w+|wiecej|wyzs\w+)|"
    r"(?P<less>taniej|tansz\w+|mniej|nizs\w+))?"
)
_RISE = regex(r"\bpodwyz\w+|\bpodroz\w+|\bwzros\w+|\bskoczy\w+")
_FALL = regex(r"\bobniz\w+|\bstani\w+|\bspad\w+|\bpotani\w+")
_FOR_ONE = regex(
    r"\b(?:za|na|od|kazd\w+) (?:kazd\w+ )?(?:bilet\w*|sztu\w+|godzin\w+|osob\w+|kilo\w*|kg|"
    r"litr\w*|"
    r"metr\w*|noc\w*|dob\w+|dzien|glow\w+|paczk\w*|stawk\w+)|\bkazd\w+\b|\bstawk\w+|\bcen\w+\b"
)
_CHARGE = regex(
    r"\b(?:napiw|oplat|dostaw|przesyl|wysyl|kaucj|parking|transport|pakowan|prowizj|dojazd|montaz|"
    r"serwis|bagaz|ubezpiecz)\w*"
)
_GOES_TO = regex(r"(?:a|i|no|to|plus|dolicz\w*|dodaj|jeszcze|z) ")
_SPLIT = regex(r"^(?P<whole>[\w.]+|Rational\([^()]+\))/(?P<parts>\d+)$")
_ANOTHER = regex(
    r"\b(?:drug\w+|jeszcze jed\w+) (?:\w+ )?(?:tak\w+(?: sam\w+)?|tyle samo)\b|"
    r"\bdwa razy to samo\b"
)
_TOGETHER = regex(r"\b(?:razem|lacznie|w sumie|calosc|zaplac\w*|il[eu]|wyjdzie)\b")
_FREE = regex(r"\b(?:gratis\w*|za darmo|polow\w*|za zlotowke|za grosz|bez rabatu)\b")
_VOUCHER = regex(r"\b(?:bon\w{0,3}|kupon\w*|voucher\w*|kart\w+ podarunk\w+)\b[^\d]{0,14}$")
_BUT = regex(r"[,;.]? (?:ale|lecz|tylko ze|przy czym|z tym ze) ")
_SENTENCE = regex(r"[.!?;](?=\s|$)")
_TWO, _PLAIN, _HUNDRED = 2, 10, "100"


def plainly(scene: Scene) -> Scene:
    """The prompt without the reason that it gives, and with "it" for the result said again."""
    reason = _REASON.search(scene.text)
    is_whole = reason is None or not _ASKS.search(scene.folded[: reason.end(1)])
    return restated(scene if is_whole or reason is None else scene.within(reason[1]))


def put_to(scene: Scene) -> str | None:
    """Put a calculation of the prompt's own to the last result: "do tego 2 kawy po 9 zł"."""
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    amounts = read_amounts(scene.text)
    if value is not None and len(amounts) == 1 and _SPENT.search(scene.folded):
        return None if amounts[0].unit == "%" else f"({value}) - {amounts[0].text}"
    if value is None or len(amounts) < _TWO:
        return None
    if _GOES_ON.search(scene.folded):
        return None
    if _ALTOGETHER.search(scene.folded):
        own = whole(scene)
        return f"({value}) + ({own})" if own is not None else None
    for pattern, sign in ((_PUT_TO, "+"), (_TAKEN, "-")):
        found = pattern.match(scene.folded)
        own = whole(scene.within(scene.text[found.end() :])) if found else None
        if own is not None:
            return f"({value}) {sign} ({own})"
    return None


def another_such(scene: Scene) -> str | None:
    """Pay for two, less a voucher: "i drugie takie same, mam bon 50 zł, ile razem?"."""
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    another = _ANOTHER.search(scene.folded)
    is_asked = another is not None and _TOGETHER.search(scene.folded)
    if value is None or another is None or not is_asked or _FREE.search(scene.folded):
        return None
    at = range(*another.span())
    amounts = [one for one in read_amounts(scene.text) if one.start not in at]
    if not amounts:
        return f"2*({value})"
    is_voucher = len(amounts) == 1 and _VOUCHER.search(scene.folded[: amounts[0].start])
    is_money = is_voucher and amounts[0].unit in {"", "zl"}
    return f"2*({value}) - {amounts[0].text}" if is_money else None


def repriced(scene: Scene) -> str | None:
    """Change the price of one: "a w weekend o 4 zł drożej za bilet", "po 24 zamiast tego"."""
    expression, last = last_expression(scene.state), scene.state.last
    found = _BY_PRICE.search(scene.folded)
    amounts = read_amounts(scene.text)
    if expression is None or last is None or found is None or len(amounts) != 1:
        return None
    is_more = bool(found["more"]) or (not found["less"] and bool(_RISE.search(scene.folded)))
    is_less = bool(found["less"]) or (not found["more"] and bool(_FALL.search(scene.folded)))
    prices = [
        one for one in read_amounts(last.prompt) if one.unit in {"zl", ""} and one.cue == "po"
    ]
    is_one = _FOR_ONE.search(scene.folded) and amounts[0].unit in {"zl", ""}
    if not is_one or is_more == is_less or len(prices) != 1:
        return None
    change = amounts[0].value if is_more else -amounts[0].value
    return exchange(expression, prices[0].value, prices[0].value + change)


def priced(scene: Scene) -> str | None:
    """Multiply by a price for one of what the result counts: tonnes, then "870 zł za tonę"."""
    last, value = scene.state.last, last_value(scene.state)
    if last is None or value is None or not scene.is_active(MATHEMATICS):
        return None
    units = {unit[:_STEM] for unit in _COUNTED.findall(fold_evenly(last.reply))}
    if (found := _PRICED.search(scene.folded)) and found["what"][:_STEM] in units:
        return f"({value})*{plain(found[1])}"
    amounts = read_amounts(scene.text)
    on_each = _ON_EACH.search(scene.folded) if len(amounts) == 1 else None
    if on_each is not None and on_each["what"][:_STEM] in units:
        return f"({value})*{plain(on_each[2])}"
    rate = _RATE.search(scene.folded)
    if rate is None or any(one.pair for one in amounts):
        return None
    count, what = (_HUNDRED, "km") if rate["what"] == "setke" else (rate[2], rate["what"][:_STEM])
    if what not in units or len(amounts) > (_TWO if rate[2] else 1):
        return None
    return f"({value})*{plain(rate[1])}/{count}" if count else f"({value})*{plain(rate[1])}"


def priced_after_change(scene: Scene) -> str | None:
    """Multiply by a rate what an operand's change leaves: "34 tomy na półkę, ale 2 są puste"."""
    last = scene.state.last
    joint = _BUT.search(scene.folded) if scene.is_active(MATHEMATICS) else None
    if last is None or joint is None:
        return None
    clauses = (scene.text[: joint.start()], scene.text[joint.end() :])
    for rate, change in (clauses, clauses[::-1]):
        made = edited(scene.within(_SENTENCE.split(change)[0]))
        if made is not None:
            calls = (DetectedCall(name=MATHEMATICS, arguments={NEEDED[MATHEMATICS]: made}),)
            turn = replace(last, calls=calls, is_told=True)
            after = scene.after((*scene.state.turns[:-1], turn))
            if (found := priced(after.within(rate))) is not None:
                return found
    return None


def restated(scene: Scene) -> Scene:
    """The prompt with "it" for a number that only says the last result again."""
    expression = last_expression(scene.state)
    shown = shown_value(scene.state, expression) if expression and is_number(expression) else None
    if shown is None or abs(shown) < _PLAIN:
        return scene
    for one in read_amounts(scene.text):
        is_meant = _THESE.search(scene.folded[: one.start])
        if (
            one.value == shown
            and is_meant
            and one.unit != "%"
            and not _IS_PART.match(scene.text[one.end :])
        ):
            text = f"{scene.text[: one.start]}tego{scene.text[one.end :]}"
            return scene.within(re.sub(r"\b(?:tych|tego|te|to) tego\b", "tego", text))
    return scene


def charged(scene: Scene) -> str | None:
    """Put a charge to what was paid, before it was shared out: "a z napiwkiem 24 zł?"."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    amounts = read_amounts(scene.text)
    if expression is None or len(amounts) != 1 or amounts[0].unit not in {"", "zl"}:
        return None
    last = scene.state.last
    is_told = last is None or _CHARGE.search(fold_evenly(last.prompt)) is not None
    if is_told or not _CHARGE.search(scene.folded) or _FOR_ONE.search(scene.folded):
        return None
    if not is_number(expression) or not _GOES_TO.match(scene.folded):
        return None
    shared = _SPLIT.match(expression)
    if shared is None:
        return f"({expression}) + {amounts[0].text}"
    return f"({shared['whole']} + {amounts[0].text})/{shared['parts']}"


def joined(scene: Scene) -> str | None:
    """Count those who come, or stay away, by name: "Tomek nie jedzie", "dojdzie Ania z bratem"."""
    expression, last = last_expression(scene.state), scene.state.last
    is_less, is_more = _LEAVE.search(scene.folded), _JOIN.search(scene.folded)
    if expression is None or last is None or not (is_less or is_more):
        return None
    told = fold_evenly(last.prompt)
    people = [one for one in read_amounts(last.prompt) if _counts_people(told, one)]
    numbers = [one.value for one in read_amounts(scene.text) if one.unit not in KINDS - {"osob"}]
    if len(people) != 1 or len(numbers) != len(read_amounts(scene.text)) or len(numbers) > 1:
        return None
    named = _guests(is_less) if is_less else 0
    named = named or _named(scene) or int(_SINGULAR.search(scene.folded) is not None)
    change = numbers[0] if numbers else Fraction(named)
    if not change or (is_less and change >= people[0].value):
        return None
    new = people[0].value + (-change if is_less else change)
    return exchange(expression, people[0].value, new)


def _counts_people(told: str, one: Amount) -> bool:
    """Whether a number of the last prompt is one of people: "12 osób", "było nas ośmioro"."""
    said = told[one.start : one.end]
    return bool(
        _PEOPLE.match(told[one.end :].lstrip())
        or _COLLECTIVE.search(said)
        or (_OF_US.search(told[: one.start]) and one.unit not in KINDS)
    )


def _guests(found: re.Match[str]) -> int:
    """How many are paid for: "za niego", "za Jurka i Elę"."""
    said = found["guests"] or found["guests2"]
    return len(_AND.split(said)) if said else 0


def _named(scene: Scene) -> int:
    """How many people a prompt names, its first word set aside where that only opens it."""
    text = _OPENS.sub("", scene.text)
    return len(_NAME.findall(text)) + len(_WITH.findall(scene.folded))
