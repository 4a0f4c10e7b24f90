"""Speed, time and distance; fuel; what is in proportion to something else."""

import re
from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_TIME = regex(
    r"\b(?:ile (?:\w+ )?(?:godzin|minut|sekund|czasu|trwa|potrwa|zajm|jedzi|jecha|bed\w+ jech)|"
    r"jak dlugo|w jakim czasie|ile (?:\w+ ){0,2}(?:zajmie|potrwa|bedzie trwac)|"
    r"(?:po|w|za) il[eu]|jaki\w* czas)\w*"
)
_WAY = regex(
    r"\b(?:ile (?:\w+ ){0,2}(?:km|kilometr|metrow|przejed|przejd|przeb|pokona|dojed|uje)|"
    r"jak daleko|"
    r"jak\w+ (?:\w+ )?(?:drog|dystans|odleglosc|tras))\w*"
)
_SPEED = regex(r"\b(?:jak\w+ (?:\w+ ){0,2}tempo|jak szybko|predkosc\w*)")
_PER_WAY = regex(r"\b(?:na|za) (?:1 )?(?:kilometr|km)\b")
_INVERSE = regex(
    r"\b(?:robotnik|malarz|pracownik|murarz|koparek|koparki|pomp|kran|traktor|kombajn|drukark|"
    r"maszyn|kopacz|ogrodnik|chlop|kopark|kosiar|drwal|piekarz|kuchar|krawc|szwacz|monter|"
    r"elektryk|hydraulik|stolarz|wolontarius|zniwiar|tym samym tempie)\w*"
)


def read_journey(statement: Statement) -> str | None:
    """Return what is asked of speed, time and distance, when the two others are told."""
    speeds = statement.having("kmh", "mps")
    ways = [one for one in statement.having("km", "kilometr", "m", "metr") if one not in speeds]
    ways = [one for one in ways if not one.unit.startswith("metrow k")]
    times = statement.having("godzin", "godz", "h", "minut", "min", "sekund", "s")
    extra = len(statement.quantities) - len(speeds) - len(ways) - len(times)
    if extra or len(speeds) > 1 or len(ways) > 1:
        return None
    asked = statement.question
    if speeds and ways and not times and _TIME.search(asked):
        hours = f"{ways[0].text}/{speeds[0].text}"
        return f"{hours}*60" if "minut" in asked and speeds[0].unit == "kmh" else hours
    if speeds and times and not ways and (_WAY.search(asked) or "ile" in asked):
        return f"{speeds[0].text}*{_hours(times, speeds[0].unit)}"
    if ways and times and not speeds and _PER_WAY.search(asked):
        return (
            f"{' + '.join(one.text for one in times)}/{ways[0].text}" if len(times) == 1 else None
        )
    if ways and times and not speeds and _SPEED.search(statement.words):
        unit = "kmh" if ways[0].unit.startswith("k") else "mps"
        return f"{ways[0].text}/{_hours(times, unit)}"
    return None


def _hours(times: Sequence[Quantity], speed: str) -> str:
    """The whole time in the unit that the speed has, in brackets where it is a sum."""
    seconds = speed == "mps"
    scales = {"g": "3600", "h": "3600", "m": "60", "s": ""} if seconds else {
        "g": "", "h": "", "m": "1/60", "s": "1/3600"}  # fmt: skip
    parts = [f"{one.text}*{scale}" if (scale := scales[one.unit[0]]) else one.text for one in times]
    return parts[0] if len(parts) == 1 and "*" not in parts[0] else f"({' + '.join(parts)})"


_FUEL_AT = regex(r"\b(?:paliw|benzyn|dies|olej|ropa)\w*(?: (?:po|za|jest po|to))? $")


def read_fuel(statement: Statement) -> str | None:
    """Read "spala 6,5 l na 100 km, trasa 340 km": litres, and their price if there is one."""
    words = statement.words
    litres, ways = statement.having("litr", "l", "kwh"), statement.having("km", "kilometr")
    if not re.search(r"\b(?:spal|pali|zuzy|zuzyc|paliw|benzyn|diesl)\w*", words):
        return None
    hundred = [one for one in ways if one.text == "100" and re.search(r"\bna $", one.before)]
    ways = tuple(one for one in ways if one not in hundred[:1])
    prices = [one for one in statement.having("zl", "zlot", "pln") if one not in litres]
    prices = prices or [one for one in statement.quantities if _FUEL_AT.search(one.before)]
    is_asked = re.search(r"\b100\b", statement.question)
    if len(litres) == 1 and len(ways) == 1 and hundred and len(prices) <= 1 and not is_asked:
        used = f"{litres[0].text}/100*{ways[0].text}"
        return f"{used}*{prices[0].text}" if prices else used
    is_each = bool(hundred) and not is_asked
    if len(litres) == 1 and len(ways) == 1 and not (prices or is_each) and "100" in words:
        return f"{litres[0].text}/{ways[0].text}*100"
    return None


def read_proportion(statement: Statement) -> str | None:
    """Read "na 4 osoby 350 g, a nas jest 11": the third number has the unit of one before."""
    numbers = statement.quantities
    is_asked = re.search(r"\b(?:ile|ilu|jak dlugo|oblicz|policz)\b", statement.question)
    if len(numbers) != 3 or not is_asked or any(one.unit == "%" for one in numbers):  # noqa: PLR2004
        return None
    if re.search(r"\b(?:reszt|zostan|zostal|razem|lacznie|w sumie)", statement.question):
        return None
    if re.search(r"\bczyli \d", statement.words):
        return None
    if _DAYS.search(statement.question) and not any(map(_is_time, numbers)):
        return None
    first, second, third = numbers
    if _INVERSE.search(statement.words) and _is_time(second) and not third.unit:
        return f"{first.text}*{second.text}/{third.text}" if _is_worker(first) else None
    return _in_proportion(statement, numbers)


def _in_proportion(statement: Statement, numbers: Sequence[Quantity]) -> str | None:
    """Find what the third number is the new amount of, and whether more of it means less."""
    first, second, third = numbers
    if _is_same(first, third) and not _is_same(first, second):
        same, other = first, second
    elif _is_same(second, third) and not _is_same(first, second):
        same, other = second, first
    else:
        return None
    if any(one.is_each and "kosztuj" not in one.before for one in numbers):
        return None
    if _INVERSE.search(statement.words) and re.search(
        r"\bile (?:dni|godzin|czasu|zajm)|jak dlugo", statement.question
    ):
        return f"{same.text}*{other.text}/{third.text}"
    return f"{other.text}/{same.text}*{third.text}"


def _is_time(one: Quantity) -> bool:
    return one.unit.startswith(("godz", "dni", "minut", "tydz", "tygo", "miesi"))


def _is_worker(one: Quantity) -> bool:
    return bool(_INVERSE.match(one.unit))


_DAYS = regex(r"\bil[eu] (?:dni|godzin|minut|tygodni|miesiecy)")
_PEOPLE = ("osob", "porc", "ludz", "gosc", "domow", "dorosl")


def _is_same(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers count the same things; people may be "nas jest 11"."""
    if one.unit and one.kind == other.kind:
        return True
    if one.before.endswith(" na ") and other.before.endswith(" na "):  # "na 4 osoby …, na 11"
        return _is_people(one) and not other.unit
    return _is_people(one) and _is_people(other)


def _is_people(one: Quantity) -> bool:
    return one.unit.startswith(_PEOPLE) or bool(
        re.search(
            r"\b(?:nas|ich|gosci|dla|osob)(?: (?:jest|bedzie|bylo|przyjdzie|ma byc))* $", one.before
        )
    )
