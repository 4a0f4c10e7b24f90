"""Put given values into a formula: "F = m·a, m = 12 kg, a = 3 m/s²"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.words import FUNCTIONS

_NAME = r"Δ?[A-Za-zρωλμη](?:[₀-₉]|_\w)?"
_FORMULA = regex(
    r"(?<![\w(])(?P<name>Δ?[A-Za-zρωλμη]\w{0,2}) ?= ?"
    r"(?P<right>(?=[^,;:?!]*[A-Za-zρωλμη])[^,;:?!.=]{2,60}?)"
    r"(?= ?(?:[,;:?!.]|$)| (?:dla|gdy|gdzie|jeśli|jesli|jeżeli|przy|oblicz|policz|podstaw|i|a)\b)"
)
_WORD = regex(r"[^\W\d_]{2,}")
_LETTER = regex(_NAME)
_VALUE = r"\s*(?:=|:|wynosi|to|równe|rowne|–|-(?=\s))?\s*(?P<value>[-−]?\d+(?:[.,]\d+)?)"
_FIRST = regex(
    r"^\W*(?:(?:dla|gdy|niech|jeśli|jesli|mam|dane:?|masz) )?"
    r"(?P<values>[a-z] ?= ?-?\d+(?:[.,]\d+)?(?:,? (?:i |oraz )?[a-z] ?= ?-?\d+(?:[.,]\d+)?){0,4})"
    r"[\s,.;:]+(?:ile (?:to|wynosi|jest)|oblicz|policz|podaj|wylicz) (?P<rest>[^=]{3,80})$",
    re.IGNORECASE,
)
_SIGNS = ("+", "-", "−", "*", "×", "^")
_LEAST = 2


def put_values(text: str) -> str | None:
    """Return the formula with the values that the text tells for each of its letters.

    Where only the left side and all letters but one are told, an equation is returned.
    """
    if "=" not in text or sum(character.isdigit() for character in text) < _LEAST:
        return None
    if first := _FIRST.search(text):
        return f"{first['rest']} dla {first['values']}"
    for found in _FORMULA.finditer(text):
        if (written := _substituted(found, text)) is not None:
            return written
    return None


def _substituted(found: re.Match[str], text: str) -> str | None:
    right = found["right"]
    if any(word.lower() in {"x", "y"} for word in (found["name"],)) or not _is_formula(right):
        return None
    around = f"{text[: found.start()]} ; {text[found.end() :]}"
    names = {one[0] for one in _LETTER.finditer(_without_functions(right))}
    values = {name: _value(name, around) for name in names}
    if not names:
        return None
    missing = [name for name, value in values.items() if value is None]
    if not missing:
        return f"oblicz {_put(right, values)}"
    left = _value(found["name"], around)
    if len(missing) > 1 or left is None or len(names) == 1:
        return None
    unknown = "x"
    return f"rozwiąż {left} = {_put(right, {**values, missing[0]: unknown})}"


def _is_formula(right: str) -> bool:
    """Whether all words of it are products of letters or functions."""
    words = _WORD.findall(right)
    return bool(re.search(r"[-+*/·×^²³]|[A-Za-z]{2}|\d[A-Za-z]", right)) and all(
        word in FUNCTIONS or word in {"pi", "π"} or len(word) <= _LEAST + 1 for word in words
    )


def _without_functions(right: str) -> str:
    return _WORD.sub(
        lambda word: " " if word[0] in FUNCTIONS or word[0] == "pi" else word[0], right
    )


def _value(name: str, around: str) -> str | None:
    for flags in (re.NOFLAG, re.IGNORECASE):
        for found in re.finditer(rf"(?<![\w²³/·]){re.escape(name)}(?!\w){_VALUE}", around, flags):
            is_term = around[: found.start()].rstrip().endswith(_SIGNS)  # "a + b = 30"
            if not is_term:
                return found["value"]
    return None


def _put(right: str, values: dict[str, str | None]) -> str:
    """Write each name's value in brackets; functions and π stay."""

    def word(found: re.Match[str]) -> str:
        if found[0] in FUNCTIONS or found[0] in {"pi", "π"}:
            return found[0]
        return _LETTER.sub(lambda one: f"({values.get(one[0], one[0])})", found[0])

    return re.sub(rf"[^\W\d_]{{2,}}|{_NAME}", word, right)
