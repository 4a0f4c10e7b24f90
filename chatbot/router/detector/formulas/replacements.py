"""Put a side of an equation, or a function, in the place of the one that was said first."""

import re
from collections.abc import Iterator
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_SIDE = Guarded(
    r"\bpo (?P<side>lewej|prawej)(?: stronie)?(?: (?:ma|mial[oay]|powinno|jest|bedzie|byc|jednak))*"
    r":? "
    r"(?P<new>[-−(]*(?:\d|[a-z]\b)(?:[\d\s.,^()+*/·×−²³-]|(?<![a-z])[a-z](?![a-z]))*?)[ .!?]*$"
)
_SIGN = Guarded(
    r"[.,;!?…–—-]\s*(?:[a-z]+[,!. ]+){0,3}?(?P<within>w nawiasie )?(?:tam )?"
    r"(?:jest|ma byc|mial byc|powinien byc|powinno byc|bedzie|mialo byc)? ?(?:znak )?"
    r"(?P<new>plus|minus),? (?:a )?nie (?:znak )?(?P<old>plus|minus)[ .!?]*$"
)
_MARKS = MappingProxyType({"plus": "+", "minus": "-"})
_SUM = regex(r"[a-z]|\d\s*[-+*/·×−^]")
_WORD = regex(r"[^\W\d_]{2,}[:,]?\s+")
_END = regex(r"[;?!]|,(?!\d)|\.(?!\d)|\s+[^\W\d_]{2,}")
_FUNCTION = (
    r"(?:(?:arc)?(?:sinus\w*|cosinus\w*|tangens\w*|sin|cos|c?tg|tan|cot|ctan)|ln|log|lg|nwd|nww|"
    r"silni\w|sum[aeęy]|iloczyn\w*|iloraz\w*|roznic\w|pochodn\w+|calk\w+|median\w|sredni\w+)"
)
_NOT_BUT = Guarded(
    rf"\bnie (?P<old>{_FUNCTION}),? (?:tylko|lecz|a|ale) (?:z )?(?P<new>{_FUNCTION})\b"
)
_AGAIN = Guarded(rf"^(?:raczej |jednak |to |chodzi o )*(?P<new>{_FUNCTION})\b(?P<rest>.*)$")
_SAID = regex(rf"(?<![^\W\d_])(?P<old>{_FUNCTION})(?![^\W\d_])")


def parts_replaced(text: str, before: str, after: str) -> Iterator[str]:
    """Yield what is meant where only a part of what was said first is said again.

    Args:
        text: The whole prompt.
        before: What stands before the mark of a correction.
        after: What stands behind it.
    """
    folded = fold_evenly(text)
    if (found := _NOT_BUT.search(folded)) and (said := _function_put(folded, found)):
        yield said
    if new := _SIDE.search(fold_evenly(after)):
        yield from _side_put(before, new["side"], after[new.start("new") : new.end("new")])
    if again := _AGAIN.search(fold_evenly(after)):
        yield from _said_again(before, after, again)


def _function_put(folded: str, found: re.Match[str]) -> str | None:
    """Put the new function in the place of the old: "z tg x… a właściwie nie tg, tylko ctg x"."""
    told = folded[: found.start()]
    places = list(re.finditer(rf"(?<![a-z]){re.escape(found['old'])}(?![a-z])", told))
    if not places:
        return None
    for place in reversed(places):
        told = f"{told[: place.start()]}{found['new']}{told[place.end() :]}"
    return re.sub(r"\W*\b(?:a |wlasciwie |raczej |znaczy |ale |sorry |przepraszam )*$", "", told)


def sign_turned(text: str) -> Iterator[str]:
    """Yield the text with the one sign turned that was wrong: "w nawiasie jest plus, nie minus"."""
    found = _SIGN.search(fold_evenly(text))
    if found is None:
        return
    before = text[: found.start()]
    around = r"(?<=[\w)]) ?[-−–] ?(?=[\w(])" if found["old"] == "minus" else r" ?\+ ?"
    brackets = [one.span() for one in re.finditer(r"\([^()]*\)", before)]
    places = [
        one
        for one in re.finditer(around, before)
        if not found["within"]
        or any(start < one.start() and one.end() < end for start, end in brackets)
    ]
    if len(places) == 1:
        start, end = places[0].span()
        yield f"{before[:start]} {_MARKS[found['new']]} {before[end:]}"


def _side_put(before: str, side: str, new: str) -> Iterator[str]:
    """Put a sum in the place of a side: "po lewej ma być 7x − 4"."""
    if before.count("=") != 1 or not _SUM.search(fold_evenly(new)):
        return
    left, right = before.split("=")
    if side == "lewej":
        words = list(_WORD.finditer(left))
        yield f"{left[: words[-1].end() if words else 0]}{new} ={right}"
    else:
        end = _END.search(right)
        yield f"{left}= {new}{right[end.start() :] if end else ''}"


def _said_again(before: str, after: str, again: re.Match[str]) -> Iterator[str]:
    """Take a function with its number as it is, without one that of what was said before."""
    if any(letter.isdigit() for letter in again["rest"]):
        yield after
    elif (
        not again["rest"].strip(" .!?")
        and len(said := list(_SAID.finditer(fold_evenly(before)))) == 1
    ):
        yield f"{before[: said[0].start()]}{again['new']}{before[said[0].end() :]}"
