"""Percentages that are not simply taken of a number: rises, rebates, shares, VAT, interest."""

import re
from collections.abc import Callable, Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.phrases import read_phrase, read_whole_phrase
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

DOWN = regex(
    r"\b(?:spad|obniz|rabat|raba[tc]|zniz|przecen|tani|stani|tansz|mniej|zmniejsz|strac|potan|staniej|"
    r"promocj|upust|odlicz|zmal|schud|ubyl|ubyw|w dol|minus|utargow|redukc|amortyz)\w*"
)
UP = regex(
    r"\b(?:wzros|rosn|urosn|urosl|podnies|podnos|podwyz|drozej|drozsz|droz|podroz|zdroz|wiecej|"
    r"zwieksz|napiw|marz|narzut|waloryz|dolicz|skocz|powieksz|inflacj|przyby|premi|zysk|w gore|"
    r"plus|doplat|prowizj)\w*"
)
_FROM_TO = regex(r"\bz \d[\d.]*(?: \w+)? (?:na|do) \d")
_AFTER_CHANGE = regex(r"\bpo (?:\w+ )?(?:obniz|podwyz|rabac|zniz|przecen|promocj|wzros|spadk)")
_CHANGED_TO = regex(
    r"\d % (?:\w+ ){0,2}?(?:do|i (?:teraz )?(?:wynosi|kosztuje)|i jest rown\w+|wynosi teraz) \d"
)
_BEFORE = regex(
    r"\b(?:przed|pierwotn|poczatkow|wyjsciow|wczesniej|regularn|bez (?:rabat|zniz|promocj)|"
    r"kosztowal|byla? cena|cena katalog|za ile (?:\w+ )?(?:kupi|naby)l)\w*"
)
_TAX_ASKED = regex(
    r"\b(?:ile|jaki|kwot\w+)(?: (?!brutto|netto)\w+){0,2} (?:\d+ % )?(?:vat|podatk|podatek)|"
    r"\bsam(?:ego|a kwot\w+)? (?:podatek|podatku|vat\w*)"
)
_OTHER_PART = regex(r"\b(?:zosta|pozosta|na reke|nie|zle|dobrze|reszt|plus|brutto)")
_SIDE_ASKED = regex(
    r"\b(?:ile|jak\w+|podaj|oblicz|policz|wylicz)(?: (?:to|jest|wynosi|bedzie|cena|kwot\w+))* "
    r"(netto|brutto)\b"
)
_TAX = regex(r"\bpodat|\bbelk")
_AMOUNT = regex(
    r"\b(?:zaoszcz|oszczedz|o jaka kwote|ile (?:wynosi|wyniesie|to|bedzie) (?:ta |ten |sama? "
    r")?(?:rabat|zniz|"
    r"podwyz|obniz|napiw|podatek|prowizj|premi)|o ile (?:zl|zlot|pln|euro|tani|droz|mniej|wiecej)|"
    r"ile (?:rabatu|znizki|podwyzki|napiwku|prowizji|odsetek|premii|vat\w*|podatku)|"
    r"kwot\w* (?:rabat|zniz|podwyz|vat|podatk))"
)


def read_percentage(statement: Statement) -> str | None:
    """Return the expression of a question about percentages, if that is what it is."""
    words = statement.words
    if (
        "%" not in words
        and "‰" not in words
        and not re.search(r"\b(?:procent|promil|vat|odset|lokat|marz|narzut)", words)
    ):
        return None
    if _FROM_TO.search(words) and (found := _read_difference(statement)):
        return found
    if phrase := read_phrase("percentage", words):
        return phrase
    for reader in _READERS:
        if (expression := reader(statement)) is not None:
            return expression
    return None


_PERIOD = r"(miesi|kwart|polro|1/2 roku|dzien|rok)"
_TIMES_A_YEAR = {
    "miesi": 12, "kwart": 4, "polro": 2, "1/2 roku": 2, "dzien": 365, "rok": 1,
}  # fmt: skip
_COMPOUNDED = regex(rf"\bkapitaliz\w* (?:(?!w skali)\w+ ){{0,2}}?{_PERIOD}")
_ADDED_EVERY = regex(
    rf"\bodsetk\w* (?:\w+ )?(?:dopis|dolicz|nalicz|kapitalizow|dodawan)\w* "
    rf"(?:\w+ )?(?:co|kazdego) {_PERIOD}\w*"
)


def read_told_percentage(statement: Statement) -> str | None:
    """Return what one pattern tells with all numbers: "18 stanowi 24 % jakiej kwoty"."""
    if _FROM_TO.search(statement.words):
        return None
    found = read_whole_phrase("percentage", statement.words, len(statement.quantities))
    return None if found is None or _OTHER_PART.search(found[1]) else found[0]


def _rates(statement: Statement) -> list[Quantity]:
    return [one for one in statement.quantities if one.unit == "%"]


def _plain(statement: Statement) -> list[Quantity]:
    return [one for one in statement.quantities if one.unit != "%"]


def _read_interest(statement: Statement) -> str | None:
    """Read deposits and loans: with capitalisation compound, else simple interest."""
    words, rates = statement.words, _rates(statement)
    spans = statement.having("lat", "lata", "roku", "rok", "miesiac", "miesiec", "kwartal")
    sums = [one for one in _plain(statement) if one not in spans]
    if not re.search(
        r"\b(?:lokat|oprocent|odset|kapitaliz|procent skladan|w banku|na konto)", words
    ):
        return None
    if not re.search(
        r"\b(?:ile|jak\w+ (?:\w+ )?(?:kwot|sum)|oblicz|policz|wylicz\w*|z czym|"
        r"stan\w* (?:\w+ )?po)|^\W*odsetk",
        words,
    ):
        return None
    if simple := _simple_interest(statement, spans, sums):
        return simple
    if len(rates) != 1 or len(spans) != 1 or len(sums) != 1:
        return None
    start, rate, span = sums[0].text, rates[0].text, spans[0].text
    years = f"{span}/12" if spans[0].unit.startswith("mies") else span
    is_simple = re.search(r"\b(?:prost[eay]|bez kapitaliz|procent prost)", words)
    asked = _ADDED_EVERY.sub(" ", statement.question or words)
    interest_only = bool(re.search(r"\bodset", asked))
    if is_simple or (interest_only and "kapitaliz" not in words and years != span):
        earned = f"{start}*{rate}/100*{years}"
        return earned if interest_only else f"{start} + {earned}"
    found = _COMPOUNDED.search(words) or _ADDED_EVERY.search(words)
    per_year = _TIMES_A_YEAR[found[1]] if found else 1
    growth = f"(1 + {rate}/100)" if per_year == 1 else f"(1 + {rate}/100/{per_year})"
    steps = years if per_year == 1 else f"({per_year}*{years})"
    if "/" in steps and not steps.startswith("("):
        steps = f"({steps})"
    whole = f"{start}*{growth}**{steps}"
    return f"{whole} - {start}" if interest_only else whole


def _simple_interest(
    statement: Statement, spans: Sequence[Quantity], sums: Sequence[Quantity]
) -> str | None:
    """Read the interest of a year, half a year or a month, before or after the tax on it."""
    words, question = statement.words, statement.question
    taxes = [one for one in _rates(statement) if _TAX.search(one.before[-16:] + one.after[:12])]
    rates = [one for one in _rates(statement) if one not in taxes]
    is_short = not spans or (len(spans) == 1 and (spans[0].is_share or spans[0].text == "1"))
    if not is_short or len(rates) != 1 or len(sums) != 1 or "kapitaliz" in words:
        return None
    if not re.search(r"\bodset|\bzarob|\bzysk", question) or len(taxes) > 1:
        return None
    earned = f"{sums[0].text}*{rates[0].text}/100"
    if spans and spans[0].is_share:
        earned += f"*{spans[0].text}"
    elif re.search(r"\bmiesiac|\bmiesieczn", question):
        earned += "/12"
    return f"{earned}*(1 - {taxes[0].text}/100)" if taxes else earned


def _read_vat(statement: Statement) -> str | None:
    """Read net and gross prices."""
    words, question = statement.words, statement.question
    rates, sums = _rates(statement), _plain(statement)
    if not re.search(r"\bvat|\bnetto\b|\bbrutto\b|\bpodatk", words) or len(rates) != 1:
        return None
    if len(sums) != 1 or not re.search(r"\bvat|\bnetto\b.*\bbrutto\b|\bbrutto\b.*\bnetto\b", words):
        return None
    given, rate = sums[0].text, f"{rates[0].text}/100"
    beside = sums[0].after[:24] + " " + sums[0].before[-24:]
    asks_net, asks_gross = "netto" in question, "brutto" in question
    if asks_net and asks_gross and (asked := _SIDE_ASKED.search(words)):
        asks_net, asks_gross = asked[1] == "netto", asked[1] == "brutto"
    is_gross = "brutto" in beside if asks_net == asks_gross else asks_net
    if _TAX_ASKED.search(words):
        return f"{given} - {given}/(1 + {rate})" if "brutto" in beside else f"{given}*{rate}"
    is_net = not asks_net and not asks_gross and "netto" in words and "brutto" in beside
    if is_net or (asks_net and not (asks_gross and is_gross)):
        return f"{given}/(1 + {rate})"
    if asks_gross or re.search(r"\bz vat|\bdo zaplaty|\bplus\b|\bdolicz", words):
        return f"{given}*(1 + {rate})"
    return None


def _read_difference(statement: Statement) -> str | None:
    """Read "było 640, jest 784, o ile procent wzrosło"; margin and mark-up."""
    words, numbers = statement.words, _plain(statement)
    if _rates(statement) or len(numbers) != 2:  # noqa: PLR2004 - before and after
        return None
    first, second = numbers
    is_asked = re.search(
        r"\bw procentach\b|\bo ile (?:to )?(?:%|procent)|\b(?:jaki|ile|o jaki)\w* (?:\w+ "
        r"){0,2}(?:%|procent)",
        words,
    )
    if not is_asked and not re.search(r"\bmarz|\bnarzut", words):
        return None
    if _is_turned(first, second, words):
        first, second = second, first
    old, new = first.text, second.text
    rise = f"({new} - {old})/{new if 'marz' in words else old}*100"
    if re.search(r"\bmarz|\bnarzut", words) or UP.search(words):
        return rise
    if DOWN.search(words):
        return f"({old} - {new})/{old}*100"
    return rise if re.search(r"\bo ile|\bzmien", words) else _share(numbers, words)


def _share(numbers: Sequence[Quantity], words: str) -> str | None:
    if not re.search(r"\b(?:stanowi|z nich|w tym|z czego|z tego|poprawn|trafi|zdoby|to)\w*", words):
        return None
    low, high = sorted(numbers, key=lambda one: _value(one.text))
    return f"{low.text}/{high.text}*100"


def _value(text: str) -> float:
    above, _, below = text.strip("()").partition("/")
    return float(above) / float(below or 1)


def _is_turned(first: Quantity, second: Quantity, words: str) -> bool:
    """Whether the later value is told first: "teraz 784, wcześniej 640", "do 784 z 640"."""
    now = r"\b(?:teraz|jest|obecnie|dzis\w*|aktualnie|sprzedaj\w*)(?: \w+){0,3} $"
    then = r"\b(?:byl\w*|wczesniej|poprzedni\w*|dawniej|temu|przedtem|zamiast|kupil\w*|z)"
    then += r"(?: \w+){0,3} $"
    if re.search(
        rf"\b(?:do|na) {re.escape(first.text)}(?: \w+)? z {re.escape(second.text)}", words
    ):
        return True
    return bool(re.search(now, first.before)) and bool(re.search(then, second.before))


def _read_changes(statement: Statement) -> str | None:
    """Read rises and rebates, one after the other, of a price or of nothing in particular."""
    rates, words = _rates(statement), statement.words
    signs = _signs(statement)
    if not rates or signs is None:
        return None
    factor = "*".join(
        f"(1 {sign} {rate.text}/100)" for sign, rate in zip(signs, rates, strict=True)
    )
    bases = [one for one in _plain(statement) if not _is_span(one)]
    if not bases:
        is_share = re.search(
            r"\bo ile|\b(?:ile|jaki\w*) (?:%|procent)|lacznie|w sumie|razem", words
        )
        return f"({factor} - 1)*100" if len(rates) > 1 and is_share else None
    if len(bases) != 1:
        return None
    base, question = bases[0].text, statement.question
    if len(rates) == 1 and (_AMOUNT.search(question) or "o jaka kwote" in words):
        return f"{base}*{rates[0].text}/100"
    is_after = _AFTER_CHANGE.search(question) and " przed " not in question
    if not is_after and (_BEFORE.search(question) or _is_past(question, words)):
        return f"{base}/({factor})" if len(rates) > 1 else f"{base}/{factor}"
    return f"{base}*{factor}" if question or _AFTER_CHANGE.search(words) else None


def _is_past(question: str, words: str) -> bool:
    """Whether "po podwyżce zarabiam 5500, ile zarabiałem" asks for what there was."""
    told = words.replace(question, " ")
    is_past = re.search(r"^(?:ile|jak\w+ (?:\w+ )?)(?: ?\w+l[aeoy]?m?)$", question.strip(" ?"))
    is_after = _AFTER_CHANGE.search(told) or _CHANGED_TO.search(told)
    return bool(is_past and is_after)


def _is_span(one: Quantity) -> bool:
    return one.unit.startswith(("lat", "rok", "mies", "dni"))


def _signs(statement: Statement) -> list[str] | None:
    """The direction of each rate, from the words beside it, else from those of the whole."""
    words = statement.words
    both = bool(UP.search(words)), bool(DOWN.search(words))
    if both in {(True, False), (False, True)}:
        return ["+" if both[0] else "-"] * len(_rates(statement))
    signs: list[str] = []
    for rate in _rates(statement):
        beside = (_last(UP, rate.before), _last(DOWN, rate.before))
        if beside == (-1, -1):
            beside = (-_first(UP, rate.after), -_first(DOWN, rate.after))
        if beside[0] == beside[1]:
            return None
        signs.append("+" if beside[0] > beside[1] else "-")
    return signs


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((found.start() for found in pattern.finditer(text)), default=-1)


def _first(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return found.start() if found else len(text)


_READERS: tuple[Callable[[Statement], str | None], ...] = (
    _read_interest,
    _read_vat,
    _read_difference,
    _read_changes,
)
