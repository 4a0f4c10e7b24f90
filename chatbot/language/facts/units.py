"""The units and months that may follow a number, in any of their forms."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.facts.tokens import Token
from chatbot.language.patterns import regex

DEGREE = "°"
PER_CENT = "%"
SPEED = "km/h"

_WINDOW = 4
_UNITS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (unit, regex(pattern))
    for unit, pattern in (
        (SPEED, r"km ?/ ?(?:h|godz)|k(?:m|ilometr\w*) na godzine"),
        ("m/s", r"m ?/ ?s|m(?:etr\w*)? na sekunde"),
        (DEGREE, r"° ?c?|℃|stop(?:ien|ni\w*)(?: celsjusza)?|kres(?:ek|k\w+)"),
        (PER_CENT, r"%|proc|procent\w*"),
        ("hPa", r"hpa|hektopaskal\w*"),
        ("mm", r"mm|milimetr\w*"),
        ("cm", r"cm|centymetr\w*"),
        ("km²", r"km ?(?:2|²)|kilometr\w* kwadrat\w*"),
        ("km", r"km|kilometr\w*"),
        ("kg", r"kg|kilogram\w*"),
        ("m", r"m|metr\w*"),
        ("h", r"h|godz|godzin\w*"),
        ("min", r"min|minut\w*"),
        ("zł", r"zl|zlot(?:y|e|ych)"),
        ("years", r"lat\w{0,3}"),
    )
)
_MONTHS: Mapping[str, int] = MappingProxyType({
    form: number
    for number, forms in enumerate(
        (
            "styczen stycznia styczniu styczniem styczniowi",
            "luty lutego lutym lutemu",
            "marzec marca marcu marcem marcowi",
            "kwiecien kwietnia kwietniu kwietniem kwietniowi",
            "maj maja maju majem majowi",
            "czerwiec czerwca czerwcu czerwcem czerwcowi",
            "lipiec lipca lipcu lipcem lipcowi",
            "sierpien sierpnia sierpniu sierpniem sierpniowi",
            "wrzesien wrzesnia wrzesniu wrzesniem wrzesniowi",
            "pazdziernik pazdziernika pazdzierniku pazdziernikiem pazdziernikowi",
            "listopad listopada listopadzie listopadem listopadowi",
            "grudzien grudnia grudniu grudniem grudniowi",
        ),
        start=1,
    )
    for form in forms.split()
})
_ROMAN_MONTHS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def month_of(folded: str) -> int | None:
    """The month (1 to 12) that a folded word names in any form; ``None``: no month."""
    return _MONTHS.get(folded)


def read_unit(tokens: Sequence[Token], at: int, *, is_day: bool) -> tuple[str, int] | None:
    """The unit that begins at ``at`` and where it ends; a month only where ``is_day``."""
    after = tokens[at : at + _WINDOW]
    if is_day and after and after[0].text == ".":  # "21. listopada"
        return _read_month(tokens, at + 1)
    if is_day and (month := _read_month(tokens, at)) is not None:
        return month
    phrase, lengths = "", []
    for token in after:
        phrase += (" " if phrase and token.is_spaced else "") + token.folded
        lengths.append(len(phrase))
    for words, length in reversed(tuple(enumerate(lengths, start=1))):
        for unit, pattern in _UNITS:
            if pattern.fullmatch(phrase, 0, length):
                return unit, at + words
    return None


def _read_month(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    if at >= len(tokens):
        return None
    month = month_of(tokens[at].folded)
    if month is None and tokens[at].text in _ROMAN_MONTHS:
        month = _ROMAN_MONTHS.index(tokens[at].text) + 1
    return None if month is None else (f"month {month}", at + 1)
