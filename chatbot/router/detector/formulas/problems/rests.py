"""What is left of a whole when its parts are told: "26 osób, 14 to dziewczyny, reszta chłopcy"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_REST = regex(r"\b(?:reszta|pozostal[eiy]|pozostalych|inne|inni)\b")
_ASKED = regex(r"\b(?:il[eu]|policz|oblicz)\b")
_VETO = regex(
    r"%|/|\b(?:o ile|ile razy|razy|po \d|za \d|kazd\w+|polow\w+|czesc\w*|czwart\w+|trzeci\w+|"
    r"zl|groszy|dzieleni\w+|modulo|wyda\w+|rat\w*|srednio|szans\w+|prawdopodob\w+|reszt\w* "
    r"(?:z|zl|ile|dostan\w+|wyda\w+))\b"
)
_WHOLE = regex(r"\d+")


def read_rest(statement: Statement) -> str | None:
    """Return the whole without the parts that are counted, where the rest is asked about."""
    words = statement.words
    rest = _REST.search(words)
    if rest is None or _VETO.search(words):
        return None
    asked = _ASKED.search(words, rest.end())
    numbers = re.findall(NUMBER, words)
    before = re.findall(NUMBER, words[: rest.start()])
    if asked is None or numbers != before or len(numbers) < 2:  # noqa: PLR2004 - whole and a part
        return None
    if not all(_WHOLE.fullmatch(one) for one in numbers):
        return None
    whole, *parts = numbers
    return " - ".join(numbers) if int(whole) > sum(map(int, parts)) else None
