"""A percentage of a sum: the part itself, what it leaves, or the whole that it is a part of."""

import re
from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.riddles import denies_what_is_told
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_OTHER = regex(
    r"\b(?:vat\w*|netto|brutto|lokat\w*|odset\w*|oprocent\w*|kapitaliz\w*|roztw\w*|z?miesza[nclm]\w*|"
    r"rocznie|najpierw|potem|razy)\b"
)
_REST = regex(
    r"\b(?:zosta\w*|pozosta\w*|na reke|na czysto|kieszeni|przezy\w*|ocala\w*|doplac\w*|kredytu)"
)
_LOSS = regex(
    r"\b(?:wyda|zabier|zabra|pochl|potrac|podat|zalicz|wklad|pokry|zwrac|zwrot|zwroc|odda|sponsor|"
    r"wymarz|pad[la]|zgin|skladk|prowiz|strac|odpad|usch|znikn|zadat|wplac|zjad|sprzeda|refund|"
    r"dofinans|umorz|autokons|zuzy|rozda|przeznacz|pobier|idzie|oplat)\w*"
)
_SUM_ASKED = regex(
    r"\bjak\w+ (?:to )?kwot|\bile to (?:jest |bedzie )?(?:zl\w*|pieniedzy|osob|sztuk)? ?$|\bpotrac"
)
_WHOLE_ASKED = regex(
    r"\b(?:calo\w*|calk\w*|wszystk\w*|caly|cala|budzet\w*|w klasie|ogolem|lacznie|ile mial\w*|"
    r"bylo)\b"
)
_OF_ALL = regex(r"^ %(?: [a-z]+){0,3} (?:to|czyli|stanowi|=) $")
_TURNED = frozenset({"z", "ze", "po", "bez", "przed", "plus", "razem", "teraz"})
_CHANGE = regex(r"\b(?:podwyz|obniz|wzros|spad|drozej|taniej|wiecej|mniej|przecen)\w*")
_TOLD = regex(r"(?<!\bte )(?<!\btych )\b\d[\d.]* %")
_ON_PRICE = regex(r"\b(?:rabat|zniz|upust|promoc|napiw|premi|narzut|marz|zwieksz|plus|minus)")
_SHORTEST = 4


def read_portion(statement: Statement) -> str | None:
    """Return a part of the one sum told, what it leaves, or the whole; ``None`` where unclear."""
    words, question = statement.words, statement.question
    if "%" not in words or not question or _OTHER.search(words):
        return None
    texts = {one.text: one for one in reversed(statement.having("%"))}
    sums = [one for one in statement.quantities if one.unit != "%"]
    if len(sums) != 1 or sums[0].is_share or not texts:
        return None
    rates = list(texts.values())[::-1]
    if whole := _whole(statement, rates, sums[0]):
        return whole
    if len(rates) != 1 or _TOLD.search(question):
        return None
    return _taken(statement, rates[0], sums[0])


def _whole(statement: Statement, rates: Sequence[Quantity], part: Quantity) -> str | None:
    """Read "40% klasy to 12 osób" and "40% to ja, 25% brat, reszta 1260 zł": all of it."""
    if not _WHOLE_ASKED.search(statement.question):
        return None
    if re.search(r"\b(?:reszt\w*|pozostal\w*)(?: \w+){0,2} $", part.before):
        return f"{part.text}/(1 - ({' + '.join(one.text for one in rates)})/100)"
    if _CHANGE.search(rates[0].before):
        return None
    between = statement.words[rates[0].end : part.end - len(part.text)]
    if len(rates) == 1 and _OF_ALL.match(between):
        return f"{part.text}/({rates[0].text}/100)"
    return None


def _taken(statement: Statement, rate: Quantity, whole: Quantity) -> str | None:
    """The part that the question names, or what is left when it is gone."""
    question = statement.question
    following = statement.words[rate.end + 2 :].partition(question)[0]
    beside = re.split(r"[\d,.;:?]", rate.before)[-1] + re.split(r"[\d,.;:?]", following)[0]
    if _CHANGE.search(beside) or (_ON_PRICE.search(beside) and not _ON_PRICE.search(question)):
        return None
    if denies_what_is_told(statement):
        return f"{whole.text}*(1 - {rate.text}/100)"
    if _is_named(question, beside) or _SUM_ASKED.search(question):
        return f"{whole.text}*{rate.text}/100"
    if _REST.search(question) and _LOSS.search(beside):
        return f"{whole.text}*(1 - {rate.text}/100)"
    return None


def _is_named(question: str, beside: str) -> bool:
    """Whether the question names what the percentage is: "zaliczka 20%, ile zaliczki"."""
    said = {word[:_SHORTEST] for word in beside.split() if len(word) > _SHORTEST}
    asked = question.split()
    if _REST.search(question):
        return False
    return any(
        len(word) > _SHORTEST and word[:_SHORTEST] in said and asked[at - 1] not in _TURNED
        for at, word in enumerate(asked)
    ) and not _TURNED & set(asked)
