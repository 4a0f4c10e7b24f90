"""Volumes, areas and lengths of round solids and cubes, whose sizes are named in any order."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_SOLIDS = Guarded(
    r"\b(?:(?P<cube>szescian\w*)|(?P<cylinder>walec|walc\w+|rur[ayeę]|studni\w*|silos\w*|puszk\w+|"
    r"beczk\w+|szklank\w+)|(?P<cone>stoz\w+)|(?P<ball>kul[aieę]?|sfer\w|pilk\w))\b"
)
_SIZES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("r", regex(r"\bpromie\w+|\br\b")),
    ("d", regex(r"\bsrednic\w+|\bd\b")),
    ("h", regex(r"\bwysok\w+|\bglebok\w+|\bdlugos\w+|\bh\b")),
    ("l", regex(r"\btworzac\w+|\bl\b")),
    ("a", regex(r"\bkrawed\w+|\bbok\w*|\ba\b")),
    ("told", regex(r"\bobjetos\w+|\bpojemnos\w+|\bpol[ea]\w*|\bpowierzchni\w*")),
)
_NAME_BEHIND = regex(
    r"^ (?:mm|cm|dm|m|km|metr\w*) (srednicy|wysokosci|glebokosci|dlugosci|promienia)\b"
)
_UNTOLD = r"\w*\b(?! (?:\w+ ){0,2}?\d)"
_MEASURES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("lateral", regex(r"\bboczn\w+")),
    ("volume", regex(r"\bobjetos|\bpojemnos|\blitr|\bile (?:\w+ )?wody|\bile (?:\w+ )?msz")),
    ("total", regex(r"\bcalkowit|\bpol[ea]\b(?! podstaw)|\bpowierzchni")),
    ("diagonal", regex(r"\bprzekatn")),
    ("slant", regex(rf"\btworzac{_UNTOLD}")),
    ("height", regex(rf"\bwysokos{_UNTOLD}")),
)
_FORMULAS: Mapping[tuple[str, str, str], str] = MappingProxyType({
    ("cube", "volume", "a"): "{a}**3",
    ("cube", "total", "a"): "6*{a}**2",
    ("cube", "diagonal", "a"): "{a}*sqrt(3)",
    ("cylinder", "volume", "hr"): "pi*{r}**2*{h}",
    ("cylinder", "lateral", "hr"): "2*pi*{r}*{h}",
    ("cylinder", "total", "hr"): "2*pi*{r}*({r} + {h})",
    ("cone", "volume", "hr"): "pi*{r}**2*{h}/3",
    ("cone", "volume", "lr"): "pi*{r}**2*sqrt({l}**2 - {r}**2)/3",
    ("cone", "lateral", "lr"): "pi*{r}*{l}",
    ("cone", "lateral", "hr"): "pi*{r}*sqrt({r}**2 + {h}**2)",
    ("cone", "total", "lr"): "pi*{r}*({r} + {l})",
    ("cone", "total", "hr"): "pi*{r}*({r} + sqrt({r}**2 + {h}**2))",
    ("cone", "slant", "hr"): "sqrt({r}**2 + {h}**2)",
    ("cone", "height", "lr"): "sqrt({l}**2 - {r}**2)",
    ("ball", "volume", "r"): "4/3*pi*{r}**3",
    ("ball", "total", "r"): "4*pi*{r}**2",
})
_IN_DECIMETRES: Mapping[str, str] = MappingProxyType({"m": "*10", "cm": "/10", "mm": "/100"})
_MOST = 2


def read_solid(statement: Statement) -> str | None:
    """Return what is asked of a cube, cylinder, cone or ball of which all sizes are told."""
    numbers, words = statement.quantities, statement.words
    found = _SOLIDS.search(words)
    if found is None or not 0 < len(numbers) <= _MOST:
        return None
    measure = next((name for name, said in _MEASURES if said.search(words)), None)
    sizes = _named(numbers)
    if measure is None or sizes is None:
        return None
    is_litres = bool(re.search(r"\blitr", words))
    units = {one.unit for one in sizes.values()}
    if is_litres and not units <= _IN_DECIMETRES.keys() | {"dm"}:
        return None
    if len(units & {"m", "cm", "mm", "dm", "km"}) > 1 and not is_litres:
        return None
    texts = {name: _written(name, one, is_litres=is_litres) for name, one in sizes.items()}
    texts = {("r" if name == "d" else name): text for name, text in texts.items()}
    formula = _FORMULAS.get((found.lastgroup or "", measure, "".join(sorted(texts))))
    return formula and formula.format(**texts)


def _named(numbers: tuple[Quantity, ...]) -> Mapping[str, Quantity] | None:
    """What each number is the size of; ``None`` where one is not named, or two are the same."""
    sizes: dict[str, Quantity] = {}
    for one in numbers:
        behind = _NAME_BEHIND.match(one.after)
        beside = behind[1] if behind else re.split(r"\d", one.before)[-1]
        places = {
            name: max((found.start() for found in said.finditer(beside)), default=-1)
            for name, said in _SIZES
        }
        name = max(places, key=lambda each: places[each])
        if places[name] < 0 or name in sizes or one.is_each or one.unit in {"%", "razy"}:
            return None
        sizes[name] = one
    return sizes


def _written(name: str, one: Quantity, *, is_litres: bool) -> str:
    """A size in the expression: half a diameter, in decimetres where litres are asked for."""
    text = f"{one.text}{_IN_DECIMETRES.get(one.unit, '') if is_litres else ''}"
    text = f"{text}/2" if name == "d" else text
    return text if text == one.text else f"({text})"
