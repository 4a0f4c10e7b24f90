"""Purchases, change, what is left, equal shares, and so much of each."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_MONEY = ("zl", "zlot", "pln", "euro", "eur", "dolar", "groszy", "gr", "grosze")
_MEASURES = frozenset({"kg", "l", "m", "g", "dag", "h", "km", "cm", "godzin", "mkw"})
_COMPARED = frozenset({"razy", "wiecej", "mniej"})
_NO_THING = frozenset({"", "i", "a", "to", "na", "z", "do", "od", "za", "oraz", "ale", "wiec"})
_PEOPLE = (
    "osob", "ludzi", "dzieci", "koleg", "kolezan", "przyjaci", "gosci", "znajom", "uczni",
    "kumpl", "nas", "braci", "siostr", "rodzin", "wspollokator", "lokator", "pracownik",
    "dziecia", "wnuk", "czesci", "rownych",
)  # fmt: skip
_SHARED = regex(
    r"\bna (?:glowe|osobe|kazd\w+|leb|czlowieka|1 osobe|twarz)|\bpo ile\b|\browno\b|\bpodzieli\w*|"
    r"\bdziel\w+ (?:sie|to|rachun)|\brozdziel\w*|\bzrzut|\bsklad\w+ sie|\bile (?:\w+ ){0,3}kazd\w+|"
    r"\b(?:kazdy|kazda|kazde) (?:\w+ ){0,2}(?:dostan|zaplac|placi|otrzyma|wychodzi|ma oddac|"
    r"musi)\w*|\bdla kazdeg\w*"
)
_CHANGE = regex(r"\breszt[yaeę]?\b|\bwyda mi\b|\bdostane z powrotem")
_LEFT = regex(r"\bzosta(?:l|n|j)\w*|\bpozosta\w*|\bmam jeszcze\b|\bmi sie osta\w*")
_LACKING = regex(r"\bbrak(?:uje|nie|owac)\w*|\bdozbiera\w*|\bdoplaci\w*|\bmusze doloz\w*")
_TOGETHER = regex(
    r"\b(?:razem|lacznie|w sumie|suma\w*|sume|calkowit\w*|ogolem|wszystk\w*|zaplac\w*|zaplaty|"
    r"koszt\w*|"
    r"wyda\w*|wyjdzie|wynosi|wyniesie|trzeba|potrzeb\w*|bedzie|zmiesci\w*|usiadz\w*|place|"
    r"nalezy|zarobi\w*|zsumuj|policz|oblicz|to jest|to|mam|jest|dosta\w*|zbior\w*|"
    r"rachunek|liczy|ma|maja|wyszlo)\b"
)
_PAID = regex(
    r"\b(?:dal\w*|daje|zaplac\w*|place|placil\w*|banknot\w*|podal\w*|wrecz\w*|mam|mial\w*|ze|z|plac\w+)"
    r"(?: \w+){0,2} $"
)
_OWNED = regex(
    r"\b(?:mam|masz|mial\w*|dosta\w*|bylo|jest|budzet\w*|zebral\w*|ma|wyplat\w*|zarabia\w*|posiada\w*|"
    r"odlozon\w*|uzbieral\w*|kupil\w*|z)(?: \w+){0,3} $"
)
_BETWEEN = regex(
    r"\b(?:nas (?:\w+ )?(?:jest|bylo|bedzie)|jest nas|jestesmy we?|na|miedzy|pomiedzy|dla|we|w|"
    r"przez) $"
)
_GRATIS = regex(r"\bgratis\b|\bza darmo\b|\b(?:drug|trzeci)\w+ (?:\w+ )?za (?:1 )?(?:grosz|pol)")
_SINGLE = regex(r"\b(?:bilet|karnet|wejsciowk|porcj|obiad|sztuk|miejsc|nocleg)\w*(?: \w+)? $")
_PERCENT = regex(r"\b(?:ile|jaki|iloma) (?:\w+ )?(?:%|procent)")
_RAISED = regex(r"\b(?:napiw|obslug|serwis|dolicz)\w*")
_LOWERED = regex(r"\b(?:rabat|zniz|upust|promocj|przecen|tani)\w*")


_PIECES = regex(r"\b(?:na )?ile (?:\w+ych )?([a-z]{4,})")
_SCALES = tuple(
    (regex(pattern), dimension, scale)
    for pattern, dimension, scale in (
        (r"ml|mililitr\w*", "volume", "1"),
        (r"l|litr\w*", "volume", "1000"),
        (r"g|gram\w*", "mass", "1"),
        (r"dag|deka\w*", "mass", "10"),
        (r"kg|kilo\w*", "mass", "1000"),
        (r"cm|centymetr\w*", "length", "1"),
        (r"m|metr(?:y|ow|a|ach)?", "length", "100"),
    )
)
_SPAN = regex(r"\b(?:godzin|minut|dni|dzie|tygod|tydz|miesi|rat)")
_SPANS: Mapping[tuple[str, str], str] = MappingProxyType({
    **{(one, one): "" for one in ("godzin", "minut", "tygod", "miesi")},
    ("dzie", "dni"): "",
    ("tydz", "tygod"): "",
    ("miesi", "rat"): "",
    ("godzin", "minut"): "*60",
    ("minut", "godzin"): "/60",
})
_SURFACE = regex(r"\b(?:powierzchni|pol[ae]|objetosc|obwod|bok)\w*")
_CHECKED = regex(r"\b(?:powinn\w+|naprawde|sie zgadza|nie gra|nie pasuje)\b")
_CLAIMED = regex(r"\b(?:mow\w+|twierd\w+|podal\w*|powiedzi\w+|wola|krzyk\w+|niby)(?: \w+){0,2} $")
_OF_TIME = regex(
    r"\b(?:il[eu] (?:\w+ ){0,2}(?:godzin|minut|dni|tygodni|miesi|rat\b)\w*|"
    r"na jak dlugo|w ile\b|jak dlugo)"
)
_TIME = regex(r"\b(?:lat|lata|dni|godzin\w*|tygodni\w*|minut\w*|miesiec\w*)\b")
_IN_ONE = regex(r"(?: \w+){1,2} w (?:jednym |1 )?([a-z]{4,})")
_BACK = regex(r"\bpowrot\w*|\bw jedna strone")
_RATE = regex(
    r"(?: \w+){0,2} (?:na|w ciagu|za) (?:1 )?(?:godzin\w|minut\w|dzien|tydzien|miesiac)"
    r"|(?: \w+){0,2} (?:dziennie|tygodniowo|miesiecznie)"
)


def read_purchase(statement: Statement) -> str | None:
    """Return the one calculation that a story of numbers comes to; ``None`` where it is unclear."""
    is_share = _PERCENT.search(statement.question) and not _LEFT.search(statement.question)
    if is_share or not statement.question or len(statement.quantities) < 2:  # noqa: PLR2004 - one is no sum
        return None
    words, numbers = statement.words, _counted(statement)
    factor = _factor(statement)
    if (
        factor is None
        or not numbers
        or _GRATIS.search(words)
        or _BACK.search(words)
        or _SURFACE.search(statement.question)
    ):
        return None
    if _CHANGE.search(words) and "dziel" not in words:
        return _without(numbers, _PAID, factor, is_last=True)
    if _LACKING.search(statement.question):
        return _lacking(numbers)
    people = _people(numbers) if _SHARED.search(words) else None
    if people is not None:
        total = cost([one for one in numbers if one is not people and "miejsc" not in one.unit])
        return None if total is None else f"{_in_brackets(total)}{factor}/{people.text}"
    return _left_or_whole(statement.question, numbers, factor)


def _counted(statement: Statement) -> Sequence[Quantity]:
    """The numbers but percentages and what is only claimed; none where some are comparisons."""
    numbers = [one for one in statement.quantities if one.unit != "%"]
    if any(one.unit in _COMPARED or "taniej" in one.after[:20] for one in numbers):
        return ()
    if not _CHECKED.search(statement.words):
        return numbers
    return [one for one in numbers if not _CLAIMED.search(one.before)]


def _left_or_whole(question: str, numbers: Sequence[Quantity], factor: str) -> str | None:
    if _LEFT.search(question):
        left = _without(numbers, _OWNED, factor, is_last=False)
        if not re.search(r"\b(?:ile|jaki) (?:%|procent)", question):
            return left
        return f"({left})/{left.partition(' ')[0]}*100" if left and "*" not in left else None
    if product := _all_of(question, numbers) or _pieces(question, numbers):
        return f"{product}{factor}"
    if (
        (time := _OF_TIME.search(question))
        and not any(_RATE.match(one.after) and _is_named(one, time[0]) for one in numbers)
        and any(_RATE.match(one.after) for one in numbers)
    ):
        return _duration(question, numbers) if not factor else None
    return _whole(question, numbers, factor)


def _whole(question: str, numbers: Sequence[Quantity], factor: str) -> str | None:
    """What everything comes to, if some of it is told by the piece."""
    each = [one for one in numbers if one.is_each]
    has_other = any(_is_money(one) for one in numbers if one not in each)
    if has_other and each and not any(map(_is_money, each)):
        return None  # litres and money are no sum
    total = cost(numbers) if each else None
    if total is None or ("*" not in total and not factor) or _is_mixed(question, numbers, total):
        return None
    if not _TOGETHER.search(question) and not re.search(r"\bil[eu]\b", question):
        return None
    return f"{_in_brackets(total) if factor else total}{factor}"


def _is_mixed(question: str, numbers: Sequence[Quantity], total: str) -> bool:
    """Whether hours would be added to money, or so many in a row told where rows are asked for."""
    each = [one for one in numbers if one.is_each]
    if any((row := _IN_ONE.match(one.after)) and _asks(question, row[1]) for one in each):
        return True
    if " + " not in total:
        return "ile pelnych" in question
    if len(set(map(_is_money, each))) > 1:
        return True
    return any(_TIME.match(one.unit) for one in numbers) and not _TIME.search(question)


def _asks(question: str, noun: str) -> bool:
    return bool(re.search(rf"\bil[eu] (?:\w+ )?{noun[:3]}", question))


def _pieces(question: str, numbers: Sequence[Quantity]) -> str | None:
    """Read "ile rolek po 10 metrów na 83 metry", "szklanka 250 ml, dzbanek 1 l, ile szklanek"."""
    asked = _PIECES.search(question)
    if asked is None or len(numbers) != 2:  # noqa: PLR2004 - the whole and the piece
        return None
    named = re.compile(rf"\b{asked[1][:5]}\w*(?: \w+){{0,2}} $")
    held = [one for one in numbers if one.is_each or named.search(one.before)]
    if len(held) != 1:
        return None
    piece, whole = held[0], numbers[numbers[0] is held[0]]
    above, below = _scaled(whole), _scaled(piece)
    if above is None or below is None or above[0] != below[0]:
        return None
    return f"{above[1]}/{below[1] if '*' not in below[1] else f'({below[1]})'}"


def _scaled(one: Quantity) -> tuple[str, str] | None:
    """The dimension of a quantity and what it comes to in the dimension's smallest unit."""
    found = next((known for known in _SCALES if known[0].fullmatch(one.unit)), None)
    if found is None:
        return None
    _, dimension, scale = found
    return dimension, one.text if scale == "1" else f"{one.text}*{scale}"


def _is_named(one: Quantity, words: str) -> bool:
    """Whether the words name the unit: "8 godzin dziennie … ile to godzin"."""
    return bool(re.search(rf"\b{one.kind}", words)) and one.unit not in _MEASURES - {"h", "godzin"}


def _duration(question: str, numbers: Sequence[Quantity]) -> str | None:
    """Read "140 porcji po 8 sztuk, 320 na godzinę, ile godzin": the whole by the rate."""
    rates = [one for one in numbers if _RATE.match(one.after)]
    others = [one for one in numbers if one not in rates]
    whole = cost(others)
    asked = _SPAN.search(question)
    span = _SPAN.search(_RATE.match(rates[0].after)[0]) if rates else None  # type: ignore[index]  # it matched above
    scale = _SPANS.get((span[0], asked[0])) if asked and span else ""
    if len(rates) != 1 or whole is None or scale is None:
        return None
    above, below = _scaled(others[0]), _scaled(rates[0])
    if len(others) == 1 and (above or below) and rates[0].unit and others[0].unit:
        if above is None or below is None or above[0] != below[0]:
            return None
        return f"{above[1]}/{below[1] if '*' not in below[1] else f'({below[1]})'}{scale}"
    return f"{_in_brackets(whole)}/{rates[0].text}{scale}"


def _all_of(question: str, numbers: Sequence[Quantity]) -> str | None:
    """Read "46 osób, bilet 38 zł, ile za wszystkie": the price of one thing, so many times."""
    prices = [one for one in numbers if _is_money(one) and _SINGLE.search(one.before)]
    counts = [one for one in numbers if not _is_money(one)]
    is_all = re.search(r"\b(?:wszystk\w*|lacznie|razem|w sumie|cal[ae] grup\w*)", question)
    if not is_all or len(prices) != 1 or len(counts) != 1 or len(numbers) > 2:  # noqa: PLR2004
        return None
    return f"{counts[0].text}*{prices[0].text}"


def cost(numbers: Sequence[Quantity]) -> str | None:
    """Add up what things cost: so many at so much each, and single prices.

    ``None`` where a number has no part in it.
    """
    terms: list[str] = []
    counts: list[Quantity] = []
    last_each: Quantity | None = None
    for before, one in zip((None, *numbers), numbers, strict=False):
        if terms and _is_money(one) and one.is_each and _holds(before) and not counts:
            terms[-1] += f"*{_price(one, numbers)}"
        elif one.is_each and counts:
            terms.append(f"{counts.pop().text}*{_price(one, numbers)}")
        elif one.is_each:
            if last_each is not None:
                terms.append(_price(last_each, numbers))
            last_each = one
        elif last_each is not None and not _is_money(one):
            terms.append(f"{one.text}*{_price(last_each, numbers)}")
            last_each = None
        elif _is_money(one):
            terms.append(_price(one, numbers))
        else:
            counts.append(one)
    if last_each is not None:
        terms.append(_price(last_each, numbers))
    is_loose = len(numbers) > 2 and any(map(_is_loose, numbers))  # noqa: PLR2004 - a pair is none
    if is_loose or (counts and (len(terms) > 0 or len(counts) > 1)):
        return None
    return " + ".join(terms) or (counts[0].text if counts else None)


def _is_loose(one: Quantity) -> bool:
    """Whether this number is of nothing, so that it may not be multiplied."""
    return one.unit in _NO_THING and not one.is_each and not _is_money(one)


def _holds(one: Quantity | None) -> bool:
    """Whether this tells how many are in each, so that a price that follows is for one of them."""
    return one is not None and one.is_each and not _is_money(one)


def _factor(statement: Statement) -> str | None:
    """The tip or rebate on the whole; empty without, ``None`` where it is unclear."""
    rates = [one for one in statement.quantities if one.unit == "%"]
    if not rates:
        return ""
    is_raised, is_lowered = (bool(one.search(statement.words)) for one in (_RAISED, _LOWERED))
    if len(rates) > 1 or is_raised == is_lowered:
        return None
    return f"*(1 {'+' if is_raised else '-'} {rates[0].text}/100)"


def _without(
    numbers: Sequence[Quantity], owned: re.Pattern[str], factor: str, *, is_last: bool
) -> str | None:
    """What is left of the one number that was there, or was paid, without the others."""
    candidates = [one for one in numbers if not one.is_each and owned.search(one.before)]
    if not candidates:
        return None
    start = candidates[-1] if is_last else candidates[0]
    following = numbers[numbers.index(start) + 1 :][:1]
    if following and following[0].is_each and not _is_money(start) and not _is_money(following[0]):
        others = [one for one in numbers if one not in (start, *following)]
        if not others or any(one.is_each or one.is_share for one in others) or factor:
            return None
        return " - ".join((f"{start.text}*{following[0].text}", *(one.text for one in others)))
    if any(one.is_share for one in numbers):
        return _without_parts(start, [one for one in numbers if one is not start], factor)
    spent = cost([one for one in numbers if one is not start])
    if spent is None:
        others = [one for one in numbers if one is not start]
        if any(one.is_each for one in others) or len({one.kind for one in others}) > 1:
            return None
        spent = " + ".join(one.text for one in others)
    whole = f"{_in_brackets(spent)}{factor}"
    return f"{start.text} - ({whole})" if " + " in whole else f"{start.text} - {whole}"


def _without_parts(start: Quantity, others: Sequence[Quantity], factor: str) -> str | None:
    """Read "z 2400 wydałem jedną trzecią, a potem 350": the part was taken first, of the whole."""
    if factor or any(one.is_each or one.is_share for one in others[1:]) or not others[0].is_share:
        return None
    left = f"{start.text}*(1 - {others[0].text.strip('()')})"
    return " - ".join((left, *(one.text for one in others[1:])))


def _lacking(numbers: Sequence[Quantity]) -> str | None:
    owned = [one for one in numbers if _OWNED.search(one.before)]
    others = [one for one in numbers if one not in owned]
    wanted = cost(others)
    if not owned or not others or wanted is None:
        return None
    return " - ".join((wanted, *(one.text for one in owned)))


def _people(numbers: Sequence[Quantity]) -> Quantity | None:
    """The number by which everything is shared."""
    people = [one for one in numbers if one.unit.startswith(_PEOPLE) and not one.is_each]
    if not people:
        people = [
            one
            for one in numbers
            if _BETWEEN.search(one.before) and not one.is_each and not _is_money(one)
        ]
        people = people[-1:]
    return people[0] if len(people) == 1 and len(numbers) > 1 else None


def _is_money(one: Quantity) -> bool:
    is_measure = one.unit in _MEASURES or one.unit.startswith(("kilo", "litr", "metr", "gram"))
    return one.unit.startswith(_MONEY) or ("." in one.text and not is_measure)


def _price(one: Quantity, numbers: Sequence[Quantity]) -> str:
    """A price in the unit of the others: groszy beside złote are hundredths."""
    is_small = one.unit.startswith(("gr", "grosz"))
    has_large = any(other.unit.startswith(("zl", "pln")) for other in numbers)
    return f"{one.text}/100" if is_small and has_large else one.text


def _in_brackets(text: str) -> str:
    return f"({text})" if " + " in text else text
