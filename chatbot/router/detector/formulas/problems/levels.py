"""Levels that rise and fall, also below zero: temperatures, storeys, water."""

import re

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_OF_LEVEL = Guarded(
    r"\b(?:temperatur|termometr|stopni|mroz|ciepl|ociepl|ochlodz|oziebi|pietr|wind|"
    r"poziom\w* (?:wod|morz|rzek))\w*|°"
)
_SIGNED = r"(?P<minus>(?:minus|-|−) ?)?(?P<number>\d+(?:\.\d+)?)"
_LEVEL = regex(rf"(?<![\w.]){_SIGNED}(?![\w.])")
_FALLEN = regex(
    r"\b(?:spad|obniz|ochlodz|oziebi|ubyl|zjech|zjezdz|opad|zmala|zmniejsz|zszed|zesz|zanurz|"
    r"schodz|opusc)\w*|\b(?:w dol|chlodniej|zimniej|mniej|nizej)\b"
)
_RISEN = regex(
    r"\b(?:wzros|wzrast|podnio|podnies|przyby|ociepl|wjech|wjezdz|podskocz|skocz|zwieksz|wszed|"
    r"wesz|wynurz|urosl|poszl\w* w gore|wyplyn)\w*|\b(?:w gore|do gory|cieplej|wiecej|wyzej)\b"
)
_FROM_TO = regex(
    r"\b(?:z|ze|od)(?: poziomu| temperatury)? (?P<a>(?:(?:minus|-|−) ?)?\d+(?:\.\d+)?)"
    r"(?: (?:stopni\w*|° ?c?|c))?(?: \w+){0,2}? (?:do|na)(?: poziomu| temperatury)? "
    r"(?P<b>(?:(?:minus|-|−) ?)?\d+(?:\.\d+)?)"
)
_HOW_MUCH = regex(r"\bo ile\b|\broznic\w*|\bjak\w (?:byla? |jest )?(?:zmian|amplitud)\w*")
_ASKED = regex(
    r"\b(?:ile|jaka|jaki|ktor\w+)\b(?!.*(?:\bo ile\b|%|procent|srednio|srednia|godzin|"
    r"razy|czasu|dni|minut))"
)
_CUT = regex(
    r" [,;.?!–] |,|(?<= )(?:i|a|oraz|potem|nastepnie|ale|lecz|zas|pozniej|wieczorem|po poludniu|"
    r"w poludnie|nad ranem|do poludnia|w nocy)(?= )"
)
_MOST = 6
_PAIR = 2


def read_level(statement: Statement) -> str | None:
    """Return where a level is after it rose and fell, or by how much it changed."""
    words, count = statement.words, len(statement.quantities)
    is_plain = all(one.text.replace(".", "").isdigit() for one in statement.quantities)
    if not _OF_LEVEL.search(words) or not _PAIR <= count <= _MOST or not is_plain or "%" in words:
        return None
    if _HOW_MUCH.search(statement.question):
        return _difference(words) if count == _PAIR else None
    told = words.removesuffix(statement.question).removesuffix(f"{statement.question} ?")
    is_asked = _ASKED.search(statement.question) and not re.search(r"\d", statement.question)
    return _moved(told) if is_asked else None


def _difference(words: str) -> str | None:
    """Read "spadła z 6 stopni do minus 7, o ile": the higher less the lower."""
    if found := _FROM_TO.search(words):
        levels = [_value(found[name]) for name in ("a", "b")]
    else:
        if re.search(r"\bo (?:minus )?\d", words):
            return None
        levels = [_value(one[0]) for one in _LEVEL.finditer(words)]
    if not any("-" in one for one in levels):
        return None
    low, high = sorted(levels, key=lambda one: float(one.strip("()")))
    return f"{high} - {low}"


def _value(text: str) -> str:
    number = re.sub(r"[^\d.]", "", text)
    return number if text[0].isdigit() else f"(-{number})"


def _moved(told: str) -> str | None:
    """Add up the changes from the first level on."""
    text = ""
    for piece in _CUT.split(told):
        found = list(_LEVEL.finditer(piece))
        if not found:
            continue
        is_up, is_down = bool(_RISEN.search(piece)), bool(_FALLEN.search(piece))
        if len(found) == _PAIR and not text:  # "winda z -2 piętra wjechała o 9"
            text = _start(found[0])
            found = found[1:]
        if len(found) > 1:
            return None
        if not text:
            if is_up or is_down:
                return None
            text = _start(found[0])
            continue
        if is_up == is_down or re.search(rf"\b(?:do|na) {re.escape(found[0][0])}", piece):
            return None
        text = f"{text} {'+' if is_up else '-'} {found[0]['number']}"
    return text if re.search(r" [+-] \d", text) else None


def _start(found: re.Match[str]) -> str:
    return f"{'-' if found['minus'] else ''}{found['number']}"
