"""Areas, perimeters and volumes of the figures of school geometry."""

import re
from collections.abc import Callable, Sequence

from chatbot.language.folding import fold
from chatbot.router.detector.formulas.tokens import Token

_Formula = Callable[[Sequence[str]], str]

# Asked words, figure, how many figures (numbers) it needs, and the expression of them.
_FIGURES: tuple[tuple[str, int, _Formula], ...] = (
    (r"pole.*\b(?:kol|okreg).*promien", 1, lambda n: f"pi*{n[0]}**2"),
    (r"pole.*\b(?:kol|okreg).*srednic", 1, lambda n: f"pi*({n[0]}/2)**2"),
    (r"(?:obwod|dlugosc).*\b(?:kol|okreg).*promien", 1, lambda n: f"2*pi*{n[0]}"),
    (r"(?:obwod|dlugosc).*\b(?:kol|okreg).*srednic", 1, lambda n: f"pi*{n[0]}"),
    (r"pole.*kwadrat", 1, lambda n: f"{n[0]}**2"),
    (r"obwod.*kwadrat", 1, lambda n: f"4*{n[0]}"),
    (r"przekatn.*kwadrat", 1, lambda n: f"{n[0]}*sqrt(2)"),
    (r"pole.*prostokat", 2, lambda n: f"{n[0]}*{n[1]}"),
    (r"obwod.*prostokat", 2, lambda n: f"2*({n[0]} + {n[1]})"),
    (r"przekatn.*prostokat", 2, lambda n: f"sqrt({n[0]}**2 + {n[1]}**2)"),
    (r"pole.*trojkat.*(?:podstaw|wysoko)", 2, lambda n: f"{n[0]}*{n[1]}/2"),
    (r"pole.*trojkat\w* rownoboczn", 1, lambda n: f"{n[0]}**2*sqrt(3)/4"),
    (r"obwod.*trojkat", 3, lambda n: f"{n[0]} + {n[1]} + {n[2]}"),
    (r"pole.*trapez", 3, lambda n: f"({n[0]} + {n[1]})*{n[2]}/2"),
    (r"pole.*(?:romb|deltoid).*przekatn", 2, lambda n: f"{n[0]}*{n[1]}/2"),
    (r"przeciwprostokatn", 2, lambda n: f"sqrt({n[0]}**2 + {n[1]}**2)"),
    (r"objetosc.*kul", 1, lambda n: f"4/3*pi*{n[0]}**3"),
    (r"pole.*(?:kul|sfer)", 1, lambda n: f"4*pi*{n[0]}**2"),
    (r"objetosc.*szescian", 1, lambda n: f"{n[0]}**3"),
    (r"pole.*szescian", 1, lambda n: f"6*{n[0]}**2"),
    (r"objetosc.*prostopadloscian", 3, lambda n: f"{n[0]}*{n[1]}*{n[2]}"),
    (r"objetosc.*wal(?:ec|ca)", 2, lambda n: f"pi*{n[0]}**2*{n[1]}"),
    (r"objetosc.*stoz", 2, lambda n: f"pi*{n[0]}**2*{n[1]}/3"),
)
_COMPILED = tuple((re.compile(pattern), count, write) for pattern, count, write in _FIGURES)


def read_figure(prompt: str, tokens: Sequence[Token]) -> str | None:
    """Return the expression of a measure of a figure whose sizes the prompt tells, in order."""
    words = fold(prompt)
    numbers = [token.text for token in tokens if token.kind == "number"]
    for pattern, count, write in _COMPILED:
        if len(numbers) == count and pattern.search(words):
            return write(numbers)
    return None
