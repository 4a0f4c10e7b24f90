"""Values for the slots of training templates, inflected where a template asks for a case."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from random import Random
from types import MappingProxyType
from typing import cast

from chatbot.language.morphology import Case, morphology
from chatbot.language.phrases import parse_phrase, write_phrase
from chatbot.language.pieces import split_phrase
from chatbot.types import NameKind

_KINDS: Mapping[str, NameKind] = MappingProxyType({
    "place": "place",
    "country": "place",
    "person": "person",
})
_ISLANDS = frozenset({
    "Hel", "Majorka", "Kreta", "Sycylia", "Teneryfa", "Islandia", "Ukraina", "Litwa", "Łotwa",
    "Białoruś",
})  # fmt: skip
# Shares of the kinds of numbers, added up, and of formulas with brackets.
_TWO_DIGITS = 0.6
_MORE_DIGITS = 0.8
_DECIMAL = 0.9
_IN_BRACKETS = 0.15
_SOFT_STARTS = ("W", "F")
_VOWELS = "aeiouyąęó"


def read_sections(text: str) -> Mapping[str, tuple[str, ...]]:
    """Read ``[name]`` sections whose values are separated by semicolons (a code line keeps its)."""
    sections: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]") and line[1:-1].isidentifier():
            name = line[1:-1]
        elif line.strip():
            values = (value.strip() for value in line.split("; "))
            sections[name] = (*sections.get(name, ()), *values)
    return MappingProxyType(sections)


@lru_cache(maxsize=8_192)
def inflect(phrase: str, case: Case, kind: NameKind | None = None) -> str:
    """Put a nominative phrase into another case; unchanged where the dictionary cannot."""
    pieces, rest = split_phrase(morphology(), phrase)
    parse = parse_phrase(pieces, kind=kind, cases=(("nom", 0.0),))
    if parse is None:
        return phrase
    written = write_phrase(morphology(), pieces, parse, case)
    return phrase if written is None else written + rest


def in_place(name: str) -> str:
    """Say where: "w Łodzi", "we Wrocławiu", "na Helu"."""
    if name in _ISLANDS:
        return f"na {inflect(name, 'loc', 'place')}"
    is_hard = name[0] in _SOFT_STARTS and len(name) > 1 and name[1].lower() not in _VOWELS
    return f"{'we' if is_hard else 'w'} {inflect(name, 'loc', 'place')}"


class Slots:
    """Fills slots such as ``place:in``, ``topic:gen`` or ``num`` from the lists and at random."""

    def __init__(self, sections: Mapping[str, tuple[str, ...]], random: Random) -> None:
        """Take the lists, and the only source of chance."""
        self._sections = sections
        self._random = random
        self._made: Mapping[str, Callable[[], str]] = MappingProxyType({
            "num": self._number,
            "arith": self._arithmetic,
            "arith_words": self._arithmetic_in_words,
            "percent": self._percent,
            "year": lambda: str(random.randint(966, 2024)),
        })

    @classmethod
    def load(cls, random: Random) -> "Slots":
        """Read the lists beside this module."""
        text = (files("evals.training") / "slots.txt").read_text(encoding="utf-8")
        return cls(read_sections(text), random)

    def fill(self, slot: str) -> str:
        """Return a value for a slot, ``name`` or ``name:case`` (``in``: with its preposition)."""
        name, _, case = slot.partition(":")
        if name in self._made:
            return self._made[name]()
        value = self._random.choice(self._sections[name])
        if case == "in":
            return in_place(value)
        if case in {"", "nom"}:
            return value
        return inflect(value, cast("Case", case), _KINDS.get(name))

    def _number(self) -> str:
        pick = self._random.random()
        if pick < _TWO_DIGITS:
            return str(self._random.randint(2, 99))
        if pick < _MORE_DIGITS:
            return str(self._random.randint(100, 2000))
        if pick < _DECIMAL:
            return f"{self._random.randint(0, 99)},{self._random.randint(1, 99)}"
        return self._random.choice(("dwa", "trzy", "pięć", "dwanaście", "sto", "dwadzieścia pięć"))

    def _arithmetic(self) -> str:
        figures = [self._number() for _ in range(self._random.choice((2, 2, 2, 3, 4)))]
        signs = ("+", "-", "*", "/", "·", "×", ":", "^", " + ", " - ", " * ", " / ", " x ")
        text = figures[0]
        for figure in figures[1:]:
            text += self._random.choice(signs) + figure
        if self._random.random() < _IN_BRACKETS:
            text = f"({text}){self._random.choice(signs)}{self._number()}"
        return text

    def _arithmetic_in_words(self) -> str:
        sign = self._random.choice((
            "razy", "plus", "minus", "dodać", "odjąć", "podzielić przez", "dzielone przez",
            "do potęgi", "podzielone na", "przez",
        ))  # fmt: skip
        return f"{self._number()} {sign} {self._number()}"

    def _percent(self) -> str:
        sign = self._random.choice(("%", " %", " procent", " proc."))
        of = self._random.choice(("z", "od", "z liczby"))
        return f"{self._number()}{sign} {of} {self._number()}"
