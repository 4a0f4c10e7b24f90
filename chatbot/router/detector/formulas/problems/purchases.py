"""Purchases, change, what is left, equal shares, and so much of each."""

import re
from collections.abc import Sequence

from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_MONEY = ("zl", "zlot", "pln", "euro", "eur", "dolar", "groszy", "gr", "grosze")
_MEASURES = frozenset({"kg", "l", "m", "g", "dag", "h", "km", "cm", "godzin", "mkw"})
_PEOPLE = (
    "osob", "ludzi", "dzieci", "koleg", "kolezan", "przyjaci", "gosci", "znajom", "uczni",
    "kumpl", "nas", "braci", "siostr", "rodzin", "wspollokator", "lokator", "pracownik",
    "dziecia", "wnuk", "czesci", "rownych",
)  # fmt: skip
_SHARED = re.compile(
    r"\bna (?:glowe|osobe|kazd\w+|leb|czlowieka|1 osobe|twarz)|\bpo ile\b|\browno\b|\bpodzieli\w*|"
    r"\bdziel\w+ (?:sie|to|rachun)|\brozdziel\w*|\bzrzut|\bsklad\w+ sie|\bile (?:\w+ ){0,3}kazd\w+|"
    r"\b(?:kazdy|kazda|kazde) (?:\w+ ){0,2}(?:dostan|zaplac|placi|otrzyma|wychodzi|ma oddac|"
    r"musi)\w*|\bdla kazdeg\w*"
)
_CHANGE = re.compile(r"\breszt[yaeę]?\b|\bwyda mi\b|\bdostane z powrotem")
_LEFT = re.compile(r"\bzosta(?:l|n|j)\w*|\bpozosta\w*|\bmam jeszcze\b|\bmi sie osta\w*")
_LACKING = re.compile(r"\bbrak(?:uje|nie|owac)\w*|\bdozbiera\w*|\bdoplaci\w*|\bmusze doloz\w*")
_TOGETHER = re.compile(
    r"\b(?:razem|lacznie|w sumie|suma\w*|sume|calkowit\w*|ogolem|wszystk\w*|zaplac\w*|koszt\w*|"
    r"wyda\w*|wyjdzie|wynosi|wyniesie|trzeba|potrzeb\w*|bedzie|zmiesci\w*|usiadz\w*|place|"
    r"nalezy|zarobi\w*|zsumuj|policz|oblicz|to jest|to|mam|jest|dosta\w*|zbior\w*|"
    r"rachunek|liczy|ma|maja|wyszlo)\b"
)
_PAID = re.compile(
    r"\b(?:dal\w*|daje|zaplac\w*|place|placil\w*|banknot\w*|podal\w*|wrecz\w*|mam|mial\w*|ze|z|plac\w+)"
    r"(?: \w+){0,2} $"
)
_OWNED = re.compile(
    r"\b(?:mam|masz|mial\w*|dosta\w*|bylo|jest|budzet\w*|zebral\w*|ma|wyplat\w*|zarabia\w*|posiada\w*|"
    r"odlozon\w*|uzbieral\w*|kupil\w*|z)(?: \w+){0,3} $"
)
_BETWEEN = re.compile(
    r"\b(?:nas (?:\w+ )?(?:jest|bylo|bedzie)|jest nas|jestesmy we?|na|miedzy|pomiedzy|dla|we|w|"
    r"przez) $"
)
_GRATIS = re.compile(
    r"\bgratis\b|\bza darmo\b|\b(?:drug|trzeci)\w+ (?:\w+ )?za (?:1 )?(?:grosz|pol)"
)
_SINGLE = re.compile(r"\b(?:bilet|karnet|wejsciowk|porcj|obiad|sztuk|miejsc|nocleg)\w*(?: \w+)? $")
_RAISED = re.compile(r"\b(?:napiw|obslug|serwis|dolicz)\w*")
_LOWERED = re.compile(r"\b(?:rabat|zniz|upust|promocj|przecen|tani)\w*")


def read_purchase(statement: Statement) -> str | None:
    """Return the one calculation that a story of numbers comes to; ``None`` where it is unclear."""
    if not statement.question or len(statement.quantities) < 2:  # noqa: PLR2004 - one is no sum
        return None
    numbers = [one for one in statement.quantities if one.unit != "%"]
    factor = _factor(statement)
    if factor is None or _GRATIS.search(statement.words):
        return None
    if _CHANGE.search(statement.words) and "dziel" not in statement.words:
        return _without(numbers, _PAID, factor, is_last=True)
    if _LACKING.search(statement.question):
        return _lacking(numbers)
    people = _people(numbers) if _SHARED.search(statement.words) else None
    if people is not None:
        total = cost([one for one in numbers if one is not people])
        return None if total is None else f"{_in_brackets(total)}{factor}/{people.text}"
    return _left_or_whole(statement.question, numbers, factor)


def _left_or_whole(question: str, numbers: Sequence[Quantity], factor: str) -> str | None:
    if _LEFT.search(question):
        return _without(numbers, _OWNED, factor, is_last=False)
    if product := _all_of(question, numbers):
        return f"{product}{factor}"
    total = cost(numbers) if any(one.is_each for one in numbers) else None
    if total is None or ("*" not in total and not factor):
        return None
    if not _TOGETHER.search(question) and not re.search(r"\bil[eu]\b", question):
        return None
    return f"{_in_brackets(total) if factor else total}{factor}"


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
    for one in numbers:
        if one.is_each and counts:
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
    if counts and (len(terms) > 0 or len(counts) > 1):
        return None
    return " + ".join(terms) or (counts[0].text if counts else None)


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
    spent = cost([one for one in numbers if one is not start])
    if spent is None:
        others = [one for one in numbers if one is not start]
        if any(one.is_each for one in others) or len({one.kind for one in others}) > 1:
            return None
        spent = " + ".join(one.text for one in others)
    whole = f"{_in_brackets(spent)}{factor}"
    return f"{start.text} - ({whole})" if " + " in whole else f"{start.text} - {whole}"


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
