"""The last calculation for each of several things: "to samo z 640 i 905", "rozłóż obie"."""

import re
from itertools import pairwise

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import KINDS, Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import constants, exchange
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_GAP = regex(
    r"^(?: ?(?:zl\w*|pln|kg|g|km|m|cm|l|osob\w*|euro|metr\w*|litr\w*|godzin\w*|lat|dni|%|proc\w*))?"
    r"[ ,;/]*(?:\b(?:i|oraz|no|a|tez|jeszcze|potem|dla|z|ze|od|przy|na|za|takze|rowniez|albo|lub|"
    r"czy|osobno)\b[ ,]*)*$"
)
_COUNTED = regex(r"^ [a-z]{3,}")
_LEADS = regex(
    r"^(?:\W|\b(?:a|i|no|to|tak|samo|ok|dobra|teraz|jeszcze|prosze|policz|oblicz|zrob|daj|dla|z|ze|"
    r"od|na|za|przy|jak|gdy|gdyby|bylo|bedzie|by|co|tez|liczb\w*|podaj|sprawdz|ile|takie|samo)\b)*$"
)
_OF_THE_SAME = regex(
    r" ?\b(?:(?:z|od) )?t(?:ej|ego) (?:sam\w+ ?)?(?:kwot\w+|sum\w+|liczb\w+|cen\w+)?\W*$"
)
_OF_ONE = regex(r"^(?:isprime|factorint|divisors|sqrt|factorial|primefactors)\(\d+\)$")
_BOTH = regex(r"\b(?:obie|oba|obydwie|obydwa|kazda z nich|kazde z nich|kazda|jedna i druga)\b")
_EACH: tuple[tuple[re.Pattern[str], str], ...] = (
    (regex(r"\bczynnik\w*|\brozloz\w*|\brozklad\w*"), "factorint({})"),
    (regex(r"\bdzielnik\w*"), "divisors({})"),
    (regex(r"\bpierwsz\w+"), "isprime({})"),
    (regex(r"\bpierwiast\w+"), "sqrt({})"),
    (regex(r"\bsilni\w*"), "factorial({})"),
)
_LIST = regex(r"^(?:gcd|lcm|Max|Min)\((\d+(?:, ?\d+)+)\)$")
_ASKS = regex(r"\bil[eu]\b")
_MOST, _TWO = 4, 2


def each(scene: Scene) -> list[str]:
    """The same calculation for every number of a bare list; empty where it is no such list."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None:
        return []
    if (told := _LIST.match(expression)) and _BOTH.search(scene.folded):
        form = next((form for pattern, form in _EACH if pattern.search(scene.folded)), None)
        return [form.format(one) for one in re.split(", ?", told[1])] if form else []
    amounts = read_amounts(scene.text)
    if not _TWO <= len(amounts) <= _MOST or not _is_list(scene, amounts):
        return []
    old = _only(scene, expression, next((one for one in amounts if one.unit), amounts[0]))
    if old is None:
        return []
    found = [exchange(expression, old.value, one.value, share=old.unit == "%") for one in amounts]
    return [one for one in found if one is not None] if None not in found else []


def _is_list(scene: Scene, amounts: tuple[Amount, ...]) -> bool:
    """Whether nothing is said but the numbers, what joins them, and "the same"."""
    folded, last = scene.folded, scene.state.last
    told = fold_evenly(last.prompt) if last is not None else ""
    gaps = [
        _without_noun(one, folded[one.end : other.start], told) for one, other in pairwise(amounts)
    ]
    after = _without_noun(amounts[-1], folded[amounts[-1].end :].rstrip(" ?.!"), told)
    ends = (folded[: amounts[0].start], _OF_THE_SAME.sub("", after))
    is_joined = all(_GAP.match(gap) for gap in gaps) and bool(_GAP.match(ends[1]))
    is_alike = len({one.unit for one in amounts if one.unit}) <= 1
    return (
        is_joined
        and is_alike
        and not any(one.pair for one in amounts)
        and bool(_LEADS.match(ends[0]))
    )


def _without_noun(one: Amount, after: str, told: str) -> str:
    """What follows a number, without the noun that it counts, if that was counted before."""
    is_told = one.unit and one.unit not in KINDS and one.unit in told
    return _COUNTED.sub("", after, count=1) if is_told else after


def _only(scene: Scene, expression: str, new: Amount) -> Amount | None:
    """The one number of the last calculation that those of the list may stand for."""
    last = scene.state.last
    if last is None:
        return None
    is_share = new.unit == "%"
    told = [
        one
        for one in read_amounts(last.prompt)
        if (one.unit == "%") == is_share
        and exchange(expression, one.value, one.value, share=is_share) is not None
    ]
    fitting = [one for one in told if one.cue and one.cue == new.cue] or told
    fitting = [one for one in fitting if not (one.unit and new.unit and one.unit != new.unit)]
    if new.unit == "osob" and not any(one.unit == "osob" for one in fitting):
        counted = [one for one in told if one.unit and one.unit not in KINDS]
        fitting = counted or fitting  # each has one: tickets, portions
    if len(fitting) > 1 and (asked := list(_ASKS.finditer(fold_evenly(last.prompt)))):
        fitting = [one for one in fitting if one.start > asked[-1].start()] or fitting
    if len({one.value for one in fitting}) == 1:
        return fitting[0]
    is_single = _OF_ONE.match(expression) and not fitting
    return Amount(value=constants(expression)[0].value, start=0, end=0) if is_single else None
