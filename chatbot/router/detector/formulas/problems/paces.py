"""What goes on at one pace, over another span of time: "12 dziennie, ile to rocznie"."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_EACH = (
    ("sekunda", r"na sekunde|co sekunde"),
    ("minuta", r"na minute|co minute|w ciagu minuty"),
    ("godzina", r"na godzine|co godzine|w ciagu godziny"),
    (
        "dzien",
        r"dziennie|codziennie|(?:kazdego|co) dnia|co dzien|na (?:dobe|dzien)|w ciagu (?:dnia|doby)",
    ),
    ("tydzien", r"tygodniowo|(?:na|co) tydzien|w (?:ciagu )?tygodniu?a?"),
    ("miesiac", r"miesiecznie|(?:na|co) miesiac|w (?:ciagu )?miesiac[ua]"),
    ("kwartal", r"kwartalnie|(?:na|co) kwartal|w (?:ciagu )?kwartal[eu]"),
    ("rok", r"rocznie|(?:na|co) rok|co roku|w (?:ciagu )?roku|w skali roku"),
)
_ALSO = MappingProxyType({
    "godzina": r"w (?:1 )?godzine|przez (?:cala )?godzine",
    "dzien": r"w (?:1 )?(?:dobe|dzien)|przez (?:cala |caly )?(?:dobe|dzien)",
    "tydzien": r"w (?:1 )?tydzien|przez (?:caly )?tydzien|przez 7 dni",
    "miesiac": r"w (?:1 )?miesiac|przez (?:caly )?miesiac",
    "rok": r"w (?:1 )?rok|przez (?:caly )?rok|w (?:ciagu )?calym? roku|przez 12 miesiecy",
})
"""How a span is asked for besides: "ile przeczytam w rok", "przez cały tydzień"."""
_UNITS = r"(sekund|minut|godzin|dob|dni|dzien|tygodni|miesi[ea]c|lat|rok)\w*"
_NAMES = MappingProxyType({
    "sekund": "sekunda", "minut": "minuta", "godzin": "godzina", "dob": "dzien", "dni": "dzien",
    "dzien": "dzien", "tygodni": "tydzien", "lat": "rok", "rok": "rok",
})  # fmt: skip
_FACTORS: Mapping[tuple[str, str], str] = MappingProxyType({
    ("sekunda", "minuta"): "60", ("sekunda", "godzina"): "3600", ("minuta", "godzina"): "60",
    ("sekunda", "dzien"): "86400", ("minuta", "dzien"): "60*24", ("godzina", "dzien"): "24",
    ("godzina", "tydzien"): "24*7", ("dzien", "tydzien"): "7", ("dzien", "miesiac"): "30",
    ("dzien", "rok"): "365", ("tydzien", "miesiac"): "4", ("tydzien", "rok"): "52",
    ("miesiac", "kwartal"): "3", ("miesiac", "rok"): "12", ("kwartal", "rok"): "4",
})  # fmt: skip
"""How many of the first are in the second."""

_COUNT = rf"(?P<count>{NUMBER})"
_TIMES = rf"(?: [a-z]+){{0,3}}? (?P<times>{NUMBER}) razy"
_THING = r"(?: (?!co |na |w |i |plus |za [\d])[a-z]+){0,4}?"
_OTHER = Guarded(
    r"%|\b(?:o ile|ile razy (?!na |w )|na ile|na jak|potrzebuj\w*|powin\w+|wolno|starczy|"
    r"wystarczy|zostan\w+|roznic\w+|wiecej|mniej|sredni[aejm]\w*|premi\w+|najpierw|potem|tylko|"
    r"oprocz|procz|poza|odset\w+|rat\w*|lokat\w+|wzros\w+|rosn\w+|spad\w+|kazd\w+ z|osob\w*|osobe|"
    r"kcal|wat\w*)\b"
)
_MEASURES = regex(r"\b(ml|litr|l|kg|kilo|gram|g|dag|ton|km|metr|m|cm|mm|zl|gr)(?=\b|[aóoyeów]+\b)")
_PACES = tuple(
    (
        unit,
        regex(rf"\b{_COUNT}(?:{_TIMES})?{_THING} (?:{pattern})\b"),
        regex(rf"\b(?:{pattern})(?: [a-z]+){{0,2}} {_COUNT}(?! razy)"),
    )
    for unit, pattern in _EACH
)
_SPANS = tuple(
    (unit, regex(rf"\b(?:{pattern}{f'|{_ALSO[unit]}' if unit in _ALSO else ''})\b"))
    for unit, pattern in _EACH
)
_SEVERAL = regex(rf"\b(?:przez|w ciagu|w|na|po) (?P<many>{NUMBER}) {_UNITS}")
_ASKED = regex(r"\bil[eu]\b")
_EVERY = regex(rf"\bco (?P<gap>{NUMBER}) {_UNITS}")
_OF_SPANS = (["1"], ["7"], ["12"])
"""Numbers that a statement writes for spans: "przez tydzień" is "przez 7 dni" there."""
_FEW = 2


def read_pace(statement: Statement) -> str | None:
    """Return what comes together in the span that is asked about, at the pace that is told.

    A day is 24 hours, a month 30 days or 4 weeks, a year 365 days, 52 weeks or 12 months, as
    people reckon. ``None`` where there are other numbers, shares or conditions.
    """
    words = statement.words
    if _OTHER.search(words):
        return None
    questions = [one.start() for one in _ASKED.finditer(words)]
    if len(questions) != 1:
        return None
    told, asked = words[: questions[0]], words[questions[0] :]
    span = _span(asked)
    if not told or span is None or _has_other_unit(told, asked):
        return None
    return _every(told, *span) or _at_pace(told, *span)


def _has_other_unit(told: str, asked: str) -> bool:
    """Whether millilitres are told and litres asked for."""
    one, other = (set(_MEASURES.findall(text)) for text in (told, asked))
    return bool(one and other and not one & other)


def _span(asked: str) -> tuple[str, str] | None:
    """The unit of time of a question, and how many of it: "przez 2 lata" → ("rok", "2")."""
    several = _SEVERAL.search(asked)
    numbers = re.findall(NUMBER, asked)
    if several is not None and len(numbers) == 1:
        return _name(several[several.lastindex or 0]), several["many"]
    if numbers and numbers not in _OF_SPANS:
        return None
    unit = next((unit for unit, said in _SPANS if said.search(asked)), None)
    return None if unit is None else (unit, "1")


def _name(stem: str) -> str:
    return "miesiac" if stem.startswith("mies") else _NAMES[stem]


def _at_pace(told: str, unit: str, many: str) -> str | None:
    """So many at a time: "12 papierosów dziennie", "6 km 3 razy w tygodniu"."""
    for each, behind, ahead in _PACES:
        found = behind.search(told) or ahead.search(told)
        if found is None:
            continue
        groups = found.groupdict()
        own = [one for one in (groups["count"], groups.get("times")) if one]
        if len(re.findall(NUMBER, told)) != len(own):
            return None
        factor = _factor(each, unit)
        return None if factor is None else _product(own, factor, many)
    return None


def _every(told: str, unit: str, many: str) -> str | None:
    """One after so long each: "co 15 minut"."""
    found = _EVERY.search(told)
    if found is None or len(re.findall(NUMBER, told)) != 1:
        return None
    factor = _factor(_name(found[found.lastindex or 0]), unit)
    if factor is None or factor.startswith("/"):
        return None
    span = factor if many == "1" else f"{many}*{factor}" if factor != "1" else many
    return f"{span}/{found['gap']}"


def _factor(told: str, asked: str) -> str | None:
    """What to multiply by, or "/12" for what to divide by."""
    if told == asked:
        return "1"
    if (more := _FACTORS.get((told, asked))) is not None:
        return more
    less = _FACTORS.get((asked, told))
    return None if less is None else f"/({less})" if "*" in less else f"/{less}"


def _product(numbers: list[str], factor: str, many: str) -> str | None:
    each = "*".join(numbers)
    if factor == "1" and many == "1":
        return each if len(numbers) == _FEW else None
    whole = "" if many == "1" else f"*{many}"
    if factor.startswith("/"):
        return f"{each}{whole}{factor}"
    return f"{each}{whole}" if factor == "1" else f"{each}*{factor}{whole}"
