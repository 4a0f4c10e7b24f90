"""The number that we asked for, put to what the question before had: "w paczce?", "1,44"."""

import re
from collections.abc import Sequence
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts, written
from chatbot.router.dialogue.calculations.constants import holds
from chatbot.router.dialogue.calculations.measures import KNOWN, factor, is_same, is_time, kind_of
from chatbot.router.dialogue.calculations.quantities import Quantity, read_quantities
from chatbot.router.dialogue.calculations.reckoning import asked_unit
from chatbot.router.dialogue.calculations.rereading import plain_value
from chatbot.router.dialogue.scene import Scene

_QUESTION = regex(r"\b(?:ile|ilu|jak\w*|po ile)\b[^?]*\?\W*$|\bpodaj\w*\b[^?\d]*$")
_SEVERAL = regex(r"\bi(?: po)? (?:ile|jak\w+)\b|,? a (?:ile|jak\w+)\b")
_HUNDRED_KM = regex(r"\bna (?:100|sto)\b")
_PRICE = regex(
    r"\bil[eu] (?:\w+ ){0,3}(?:kosztuj|plac|zaplac|bior|bierze)\w*|\bpo czemu\b|"
    r"\bpo ile (?:jest|sa)\b|\b(?:cen|stawk|koszt|dniowk|oplat)\w{0,2}\b"
)
_SPEED = regex(r"\b(?:predkosc|temp)\w*|\bjak szybko\b")
_COUNTED = regex(r"\b(?:na |po )?il[eu] ([a-z²³]+\d?(?: kwadratow\w+| szescienn\w+)?)")
_SHARED = regex(r"\b(?:na|miedzy|przez) il[eu]\b|\bilu? (?:was|ich|nas)\b")
_SPARE = regex(r"\b(?:zapas|docin|odpad|strat|rezerw|nadwyzk|naddat|wiecej|extra|ekstra)\w*")
_OWN = regex(r"[-+*/^=?]|\b(?:plus|minus|razy|przez|ile|policz\w*|oblicz\w*)\b")
_SQUARES = (("kwadratow", "m2"), ("szescienn", "m3"))
_LONGEST_QUESTION, _LONGEST_ANSWER = 160, 8
_NEAR = 1e-9


def completed(scene: Scene) -> str | None:
    """Combine the answer to our question with the amount of the question that it completes."""
    last = scene.state.last
    if last is None or scene.size > _LONGEST_ANSWER or len(last.reply) > _LONGEST_QUESTION:
        return None
    question = fold_evenly(last.reply)
    is_asked = _QUESTION.search(question) and not _SEVERAL.search(question)
    told = read_quantities(scene.text) if is_asked and not _OWN.search(scene.folded) else ()
    if len(told) != 1 or told[0].unit == "%" or not told[0].value:
        return None
    if any(one.value != 1 for one in read_amounts(_HUNDRED_KM.sub(" ", question))):
        return None
    total = _total(last.prompt)
    asked = asked_unit(scene.within(last.prompt))
    return None if total is None else _combined(question, asked, total, told[0])


def _total(prompt: str) -> tuple[str, Quantity] | None:
    """What is counted or paid in all, with its unit, and what is put to it to spare."""
    amounts = read_amounts(prompt)
    if [one.pair for one in amounts] == [1, 2]:
        one, other = amounts
        return f"{one.text}*{other.text}", Quantity(value=one.value * other.value, unit="m2")
    told = [one for one in read_quantities(prompt) if not one.is_year]
    shares = [one for one in told if one.unit == "%"]
    plain = [one for one in told if one.unit != "%" and not one.per]
    is_spare = not shares or _SPARE.search(fold_evenly(prompt)) is not None
    if not plain or len(shares) > 1 or not is_spare:
        return None
    base = plain[0].text if len(plain) == 1 else _product(prompt, plain)
    if base is None:
        return None
    return f"{base}*(100 + {shares[0].text})/100" if shares else base, plain[0]


def _product(prompt: str, plain: Sequence[Quantity]) -> str | None:
    """What several numbers of a question come to: so many of a size."""
    read = read_formula(prompt)
    is_whole = read is not None and all(holds(read.expression, one.value) for one in plain)
    return f"({read.expression})" if read is not None and is_whole else None


def _combined(question: str, asked: str, total: tuple[str, Quantity], told: Quantity) -> str | None:
    """Multiply or divide, by what we asked for: a price, a speed, how many, so much of each."""
    base, whole = total
    times, among = f"{base}*{told.text}", f"{base}/{told.text}"
    words = [kind_of(word) for word in re.findall(r"[a-z]+\d?", question)]
    if _HUNDRED_KM.search(question):
        return f"{times}/100"
    if _SHARED.search(question):
        return among
    if _SPEED.search(question):
        return among if is_time(asked) else times
    if not _PRICE.search(question):
        return _of_each(question, asked, total, told)
    if whole.unit != "zl":
        return times + _scale(whole.unit, words)
    return _whole_ones(among, asked) if any(is_same(asked, word) for word in words) else None


def _of_each(question: str, asked: str, total: tuple[str, Quantity], told: Quantity) -> str | None:
    """So many of what is asked for each, or as many as hold all: "ile kg jest w worku?"."""
    base, whole = total
    found = _COUNTED.search(question)
    counted = _unit(found[1], whole.unit) if found else ""
    if not asked or not counted:
        return None
    words = [kind_of(word) for word in re.findall(r"[a-z]+\d?", question)]
    others = [word for word in words if not is_same(word, counted)]
    if is_same(asked, counted) or any(is_same(whole.unit, word) for word in others):
        return f"{base}*{told.text}"
    scale = factor(whole.unit, told.unit if told.unit in KNOWN else counted)
    is_content = scale is not None or any(is_same(asked, word) for word in words)
    if not is_content or (scale is None and {whole.unit, counted} <= KNOWN):
        return None
    among = f"{base}/{told.text}"
    return _whole_ones(among if scale in {None, 1} else f"{among}*{written(scale)}", asked)


def _unit(said: str, told: str) -> str:
    """The unit that we asked for: "metrów kwadratowych", or "metrów" where an area was told."""
    square = next((unit for stem, unit in _SQUARES if stem in said), None)
    unit = square or kind_of(said.partition(" ")[0])
    return told if unit == "m" and told in {"m2", "m3"} else unit


def _scale(unit: str, words: Sequence[str]) -> str:
    """How many of what a price is for one of the told unit is: 500 g at so much a kilogram."""
    scales = (factor(unit, word) for word in words if word in KNOWN)
    scale = next((one for one in scales if one is not None), Fraction(1))
    return "" if scale == 1 else f"*{written(scale)}"


def _whole_ones(expression: str, asked: str) -> str:
    """As many as are needed, where they come whole: packets, not litres."""
    value = plain_value(expression)
    is_whole = asked in KNOWN or value is None or abs(value - round(value)) < _NEAR
    return expression if is_whole else f"ceiling({expression})"
