"""Questions for a percentage: a part of a whole, how much more or less, profit in a price."""

import re
from collections.abc import Sequence
from itertools import pairwise

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_ASKED = regex(
    r"\b(?:ile|il[uo]|jaki\w*|jak[aą]|iloma) (?:\w+ ){0,2}?(?:%|procent\w*)|\bw (?:%|procentach)|"
    r"\bprocentow[aoy]\w*|(?:^|[.?!,;:] )(?:%|procent)(?! od)\b|\bjaki odsetek"
)
_CHANGED = regex(
    r"\bo ile\b|\bo jaki\b|\b(?:ile|jaki\w*)(?: (?:wynosi|to|jest|byl))? "
    r"(?:rabat|upust|znizk|obnizk|przecen|podwyzk)|"
    r"\b(?:spad\w*|wzrost\w*|przyrost\w*)(?= ?[?.]?$| w (?:%|"
    r"procent))|(?:%|procent) "
    r"(?:to )?(?:wiecej|mniej|wyzs|nizs|znizk|podwyzk|obnizk|przecen|taniej|drozej|wzrost|"
    r"spad|tansz|drozsz)"
)
_FROM_TO = regex(r"\bz \d[\d.]*(?: \w+)? (?:na|do) \d")
_DOWN = regex(
    r"\b(?:spad|obniz|zniz|rabat|upust|zamiast|tani|tansz|mniej|zmniejsz|strac|potan|stanial|"
    r"przecen|zmal|schud|ubyl|"
    r"zaoszcz|oszczedn|krots|krocej|nizs|lzejs|slabs|gorsz)\w*"
)
_UP = regex(
    r"\b(?:wzr|ros[nl]|uros|podn|podw|droz|podr|zdroz|wiec|wiek|zwieksz|przyb|skocz|przyty|"
    r"dluz|wyzs|lepsz|ciezs)\w*"
)
_GONE = regex(
    r"\b(?:znik|ubyl|ubyw|strac|traci|odpad|wyparow|zmarnow|przepad|ucie|schud|brak|wyda[lj]|"
    r"zuzy|zjad|sprzeda)\w*|\bz?a?oszczedz\w*"
)
_LEFT = regex(r"\b(?:zost|pozost|wychodzi|wyszl|jest|mam|uzysk|otrzym)\w*")
_PLAN = regex(r"\b(?:plan\w*|norm\w*|zaloz\w*|budzet\w*|limit\w*|cel\w?)(?: \w+){0,2} $")
_PROFIT = regex(r"\b(?:zysk\w*|rentown\w*|marz\w*|zarobi\w*|zarabia\w*)\b")
_COST = regex(r"\b(?:koszt\w*|wydat\w*|hurt\w*|zakup\w*|kupi\w*|kupuj\w*|place)\b")
_INCOME = regex(r"\b(?:obrot\w*|przychod\w*|utarg\w*|sprzeda\w*|wplyw\w*)\b")
_BOUGHT = regex(r"\b(?:kupi|nabyl|zakup)\w*\b.*\bsprzeda|\bsprzeda\w*\b.*\b(?:kupi|nabyl|zakup)")
_MARKUP = regex(r"\bnarzut\w*|\bprocentach (?:ceny )?(?:zakupu|kosztu)")
_OF = regex(r"^(?: (?!z |na |i )\w+)? (?:z|ze|na) $")
_ROW = regex(r"^(?: (?!(?:z|w|ze|juz|na|do)\b)[a-z]+){1,2}(?: ,| i| oraz| a| na)+ (?:tylko )?$")
_WHOLE = regex(
    r"\b(?:w tym|z czego|z nich|z tego|z tych|sposrod|ogolem|lacznie|wszystkich|"
    r"maks\w*|max|mozliw\w*)\b"
)
_COLLECTIVE = regex(
    r"osob|ludzi|uczni|pracown|pytan|punkt|sztuk|szt$|gosc|glos|strzal|rzut|mecz|dni|"
    r"zadan|mieszkan|"
    r"godzin|lekcj|stron|zl|pln|rzeczy|pozycj|uczestn|student|probk|prob$"
)
_NEGATED = regex(r"\bnie ?(\w{4})")
_WELL = regex(r"\b(?:dobrz|popraw|traf|zda[lj])\w*")
_ILL = regex(r"\b(?:zle|zlych|bledn|spudl|obla|pomyl|chybi)\w*")
_OPPOSITES = ((_WELL, _ILL), (_ILL, _WELL))
_PAIR, _TRIPLE = 2, 3


def read_share(statement: Statement) -> str | None:
    """Return the percentage that is asked for of the numbers told; ``None`` if none is."""
    words = statement.words
    if ("%" not in words and "procent" not in words and "odsetek" not in words) or (
        not _ASKED.search(words) or statement.having("%")
    ):
        return None
    numbers = _related(statement.quantities)
    if (sums := _of_pairs(words, numbers)) is not None:
        return sums
    if len(numbers) != _PAIR:
        return _of_row(statement, numbers)
    return (
        _profit(statement, *numbers)
        or _of_row(statement, numbers)
        or _changed(statement, *numbers)
        or _part(statement, *numbers)
    )


def _related(numbers: Sequence[Quantity]) -> Sequence[Quantity]:
    """The two numbers of one kind where another is of something else: "z 1,2 ha 38 ton, a 31"."""
    if len(numbers) != _TRIPLE:
        return numbers
    kinds: dict[str, list[Quantity]] = {}
    last = ""
    for one in numbers:
        last = one.kind if one.unit else last
        kinds.setdefault(last, []).append(one)
    pairs = [same for same in kinds.values() if len(same) == _PAIR]
    bare = [one for one in numbers if not one.unit]
    return bare if len(bare) == _PAIR else pairs[0] if len(pairs) == 1 else numbers


def _between(words: str, first: Quantity, second: Quantity) -> str:
    """What is said between two numbers."""
    return words[first.end : second.end - len(second.text.strip("()"))]


def _of_pairs(words: str, numbers: Sequence[Quantity]) -> str | None:
    """Read "3 z 7, potem 5 z 8": what there is of all there could be."""
    if not numbers or len(numbers) % _PAIR or _FROM_TO.search(words):
        return None
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    if not all(_OF.match(_between(words, *pair)) and _is_less(*pair) for pair in pairs):
        return None
    if len(pairs) == 1:
        part, whole = (one.text for one in numbers)
        told, _, asked = words.rpartition("procent" if "procent" in words else "%")
        if _is_other_part(asked, told):
            return f"({whole} - {part})/{whole}*100"
        return f"{part}/{whole}*100"
    above, below = (" + ".join(one.text for one in numbers[at::2]) for at in (0, 1))
    return f"({above})/({below})*100"


def _is_less(one: Quantity, other: Quantity) -> bool:
    return one.value <= other.value


def _profit(statement: Statement, first: Quantity, second: Quantity) -> str | None:
    """Read "obrót 18 640, koszty 13 215, jaki procent obrotu stanowi zysk"; margin and mark-up."""
    words = statement.words
    is_markup = bool(_MARKUP.search(words))
    if not is_markup and not _PROFIT.search(words):
        return None
    if (
        not is_markup
        and "marz" not in words
        and not (_COST.search(words) and _INCOME.search(words))
    ):
        return None
    low, high = sorted((first, second), key=lambda one: one.value)
    if low.value == high.value:
        return None
    is_markup = is_markup or ("marz" not in words and bool(_BOUGHT.search(words)))
    return f"({high.text} - {low.text})/{low.text if is_markup else high.text}*100"


def _of_row(statement: Statement, numbers: Sequence[Quantity]) -> str | None:
    """Read "21 sopranów, 14 altów, 6 tenorów; jaki procent to tenory": one of all together."""
    words = statement.words
    if len(numbers) < _PAIR or _CHANGED.search(words) or _WHOLE.search(words):
        return None
    gaps = [_between(words, a, b) for a, b in pairwise(numbers)]
    if not all(_ROW.match(gap) for gap in gaps):
        return None
    asked = words[numbers[-1].end :].partition(" ")[2]
    asked = re.split(r"\b(?:procent\w*|%|odsetek)", asked, maxsplit=1)[-1]
    named = [one for one in numbers if _is_named(one, asked)]
    others = {one.unit[:4] for one in numbers if _COLLECTIVE.match(one.unit)}
    if len(named) != 1 or (others and len(numbers) == _PAIR and "miesz" not in asked):
        return None
    return f"{named[0].text}/({' + '.join(one.text for one in numbers)})*100"


def _is_named(one: Quantity, asked: str) -> bool:
    """Whether the question names what this number counts: by its unit or the noun after it."""
    nouns = [word for word in one.after.split()[:2] if word.isalpha() and len(word) > _TRIPLE]
    return any(re.search(rf"\b{noun[: max(4, len(noun) - 3)]}", asked) for noun in nouns)


def _changed(statement: Statement, first: Quantity, second: Quantity) -> str | None:
    """Read "skipass 145, całodniowy 189, o ile procent droższy": the gap in what it is told of."""
    words = statement.words
    if not _CHANGED.search(statement.question or words) and not _FROM_TO.search(words):
        return None
    low, high = sorted((first, second), key=lambda one: one.value)
    is_down, is_up = bool(_DOWN.search(words)), bool(_UP.search(words))
    if is_down == is_up or low.value == high.value:
        return None
    return f"({high.text} - {low.text})/{high.text if is_down else low.text}*100"


def _part(statement: Statement, first: Quantity, second: Quantity) -> str | None:
    """Read "32 pytania, 27 dobrze, ile procent": the part, or the other one."""
    words, question = statement.words, statement.question
    if _CHANGED.search(question) or _UP.search(question) or not _are_alike(first, second):
        return None
    if first.is_each or second.is_each:
        return None
    low, high = sorted((first, second), key=lambda one: one.value)
    planned = [one for one in (first, second) if _PLAN.search(one.before)]
    if len(planned) == 1:
        low, high = (first, second) if planned[0] is second else (second, first)
    given = words.replace(question, " ") if question else words
    if _is_other_part(question, given):
        return f"({high.text} - {low.text})/{high.text}*100"
    return f"{low.text}/{high.text}*100"


def _is_other_part(question: str, given: str) -> bool:
    """Whether the question asks for what the given part leaves: "nie zdało", "ile zostało"."""
    asked_not, told_not = set(_NEGATED.findall(question)), set(_NEGATED.findall(given))
    if any(re.search(rf"\b{stem}", given) for stem in asked_not - told_not):
        return True
    if any(re.search(rf"\b{stem}", question) for stem in told_not - asked_not):
        return True
    if any(
        one.search(question) and two.search(given) and not one.search(given)
        for one, two in _OPPOSITES
    ):
        return True
    is_left, is_gone = bool(_LEFT.search(given)), bool(_GONE.search(given))
    if re.search(r"\bzost|\bpozost|\breszt", question):
        return not re.search(r"\bzost|\bpozost|\breszt", given)
    return bool(_GONE.search(question)) and is_left and not is_gone


def _are_alike(first: Quantity, second: Quantity) -> bool:
    """Whether a part and a whole may have these units: not metres of kilograms."""
    measures = {"kg", "l", "m", "g", "dag", "h", "km", "cm", "godzin", "mkw", "ha", "ton", "zl"}
    told = {one.unit for one in (first, second)} & measures
    return len(told) < _PAIR
