"""One amount told by another: "Ola ma 20 zł, Ela o 5 więcej, ile mają razem?"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_MORE = (
    r"(?:wiecej|starsz\w+|dluzsz\w+|wyzsz\w+|drozsz\w+|drozej|ciezsz\w+|wieksz\w+|szybsz\w+|dluzej|"
    r"glebsz\w+|szersz\w+)"
)
_LESS = (
    r"(?:mniej|mlodsz\w+|krotsz\w+|nizsz\w+|tansz\w+|taniej|lzejsz\w+|mniejsz\w+|wolniejsz\w+|"
    r"krocej|plytsz\w+|wezsz\w+)"
)
_UNIT = r"(?: (?!niz|od)[a-z]+)?"
_BY = regex(rf"\bo (?P<by>{NUMBER}){_UNIT} (?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b")
_TIMES = regex(rf"\b(?P<by>{NUMBER}) razy (?:tyle\b|(?P<more>{_MORE})|(?P<less>{_LESS}))\b")
_TOGETHER = regex(
    r"\b(?:razem|lacznie|w sumie|ogolem|obaj|oboje|obie|obu|oba|dwoje|suma|sume|wspolnie)\b"
)
_ASKED = regex(r"\bil[eu]\b")
_SENTENCE_END = regex(r" [.,;?!–] ?|(?<=\w), ")
_REVERSED = regex(r"\b(?:niz|od|czyli|to)\b")
_VETO = regex(
    r"%|\b(?:o ile|ile razy|srednio|srednia|kazd\w+|reszt\w+|zosta\w+|lat temu|za \d+ lat\w*|po \d|"
    r"pole|obwod|bok\w*|trojkat\w*|prostokat\w*|pierwotn\w+|podzi\w+)\b"
)
_DOING = frozenset({
    "wazy", "wazi", "kosz", "mier", "ile", "ilu", "zara", "prze", "licz", "trwa", "mial",
})  # fmt: skip
"""Stems of verbs that may be said of either."""

_STEM = 4  # letters
_TWO = 2


def read_comparative(statement: Statement) -> str | None:
    """Return both amounts together, or the second, where it is told how they differ.

    ``None`` where somebody else is asked about, or more is told than the two.
    """
    words = statement.words
    if _VETO.search(words) or len(re.findall(NUMBER, words)) != _TWO:
        return None
    told = _BY.search(words) or _TIMES.search(words)
    asked = [one.start() for one in _ASKED.finditer(words)]
    if told is None or len(asked) != 1 or asked[0] < told.end():
        return None
    before = re.search(NUMBER, words[: told.start()])
    if before is None or _REVERSED.search(words[before.end() : asked[0]]):
        return None
    second = _second(before[0], told)
    question = words[asked[0] :]
    if _TOGETHER.search(question):
        return f"{before[0]} + {second}"
    subject = words[: before.start()], words[before.end() : told.start()]
    alone = second[1:-1] if second.startswith("(") else second
    return alone if _asks_second(question, *subject) else None


def _second(first: str, told: re.Match[str]) -> str:
    by, sign = told["by"], "-" if told["less"] else "+"
    if told[0].startswith("o "):
        return f"{first}*(1 {sign} {by})" if "/" in by else f"({first} {sign} {by})"
    return f"{first}/{by}" if told["less"] else f"{first}*{by}"


def _asks_second(question: str, first: str, second: str) -> bool:
    """Whether a word of the question stands with the second amount only."""
    asked, one, other = (
        {word[:_STEM] for word in re.findall(r"[a-z]{3,}", text)} - _DOING
        for text in (question, first, _SENTENCE_END.split(second)[-1])
    )
    return bool(asked & (other - one)) and not asked & (one - other)
