"""Say what is done several times at once: "zróżniczkuj trzy razy" is the third derivative."""

import re

from chatbot.language.literals import Guarded
from chatbot.language.numerals import read_number
from chatbot.router.detector.spans import fold_evenly

_KROTN = ("dwu", "trzy", "cztero", "piecio", "szescio")
_TIMES = (
    rf"(?:(?P<count>\d|[a-z]+) razy|(?P<fold>{'|'.join(_KROTN)})krotn\w+)"
    r"(?: pod rzad| z rzedu| po kolei)?"
)
_DONE = r"(?:z?rozniczkowan[aey]|s?calkowan[aey])\b"
_VERB = rf"(?P<verb>(?!{_DONE})(?:z?rozniczk\w*|zroznicz\w*|s?calkuj\w*|s?calkowa\w*))"
_NOUN = (
    rf"(?P<noun>(?!{_DONE})(?:z?rozniczk\w*|zroznicz\w*|s?calkuj\w*|s?calkowa\w*|"
    r"pochodn\w+|calk\w+))"
)
_FORMULA = (
    r"(?P<body>(?:(?:sin|cos|c?tg|ln|log|exp|sqrt|(?<![a-z])[a-z](?![a-z])|"
    r"(?<=\d)[a-z](?![a-z])|[\d^()+*/.²³·-])\s?)+)"
)
_BODY = r"(?P<body>[^,;?]*[a-z\d)][^,;?]*?)"
_ENDED = r"(?: po (?:[a-z]|iksie|igreku))?(?=\s*(?:[,;?!]|\.(?!\d)|$)|\s(?:i|a|ale|bo) [a-z]{3})"
_ASKED_AGAIN = Guarded(
    r"[,;.] ?(?:i )?(?:podaj|oblicz|policz|wyznacz|ile (?:to|wynosi)) [yf] ?(?:″|''|'')\W*$"
)
_WAYS = (
    Guarded(
        rf"{_FORMULA}(?P<verb>z?rozniczkowac|s?calkowac) {_TIMES}(?=\W*$|,| (?:i|to|co|ile)\b)"
    ),
    Guarded(rf"\b{_TIMES} {_VERB}(?: funkcj\w+)? {_BODY}{_ENDED}"),
    Guarded(rf"\b{_VERB} {_TIMES}(?: funkcj\w+)? {_BODY}{_ENDED}"),
    Guarded(rf"{_FORMULA}(?P<verb>{_DONE}) {_TIMES}"),
    Guarded(rf"\b{_NOUN}(?: funkcj\w+)? {_BODY} {_TIMES}{_ENDED}"),
)
_FEWEST, _MOST = 2, 6


def say_order(text: str) -> str:
    """Return the text with a derivative of that order, or integrals within each other."""
    folded = fold_evenly(text)
    if "razy" not in folded and "krotn" not in folded:
        return text
    for pattern in _WAYS:
        found = pattern.search(folded)
        order = None if found is None else _order(found)
        if found is not None and order is not None:
            body = text[found.start("body") : found.end("body")]
            said = _said(found.groupdict(), body, order)
            behind = _ASKED_AGAIN.sub("", text[found.end() :])
            return f"{text[: found.start()]}{said}{behind}"
    return text


def _order(found: re.Match[str]) -> int | None:
    """How many times, if that is a small whole number."""
    if found["fold"]:
        return _KROTN.index(found["fold"]) + _FEWEST
    count = read_number(found["count"])
    is_order = count is not None and count == int(count) and _FEWEST <= count <= _MOST
    return int(count) if is_order and count is not None else None


def _said(found: dict[str, str | None], body: str, order: int) -> str:
    name = found.get("verb") or found.get("noun") or ""
    if "calk" not in name:
        return f"pochodna rzędu {order} z {body}"
    return f"{'całka z (' * order}{body}{')' * order}"
