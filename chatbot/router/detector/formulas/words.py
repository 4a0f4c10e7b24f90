"""The words of the grammar of formulas: functions, units, words without meaning, verbs."""

from collections.abc import Mapping
from types import MappingProxyType

CONSTANTS = frozenset({"pi", "E", "oo"})
FILLERS = (
    "liczb",
    "funkcji",
    "funkcja",
    "funkcje",
    "wyrazeni",
    "wartosc",
    "wynik",
    "ulamk",
    "wielomian",
    "trojmian",
    "dwumianu",
    "rownan",
    "szereg",
    "ciag",
    "zmienn",
    "kwoty",
    "sumy",
    "ponizsz",
    "nastepujac",
)
UNITS = frozenset({
    "zl", "zlotych", "zlote", "zloty", "pln", "euro", "eur", "usd", "dolarow", "cm", "mm", "km",
    "kg", "dag", "metrow", "m", "litrow", "sztuk", "osob", "gr", "groszy",
})  # fmt: skip
FUNCTIONS: Mapping[str, str] = MappingProxyType({
    "sin": "sin", "sinus": "sin", "sinusa": "sin", "sinusem": "sin",
    "cos": "cos", "cosinus": "cos", "cosinusa": "cos", "kosinus": "cos", "kosinusa": "cos",
    "tg": "tan", "tan": "tan", "tangens": "tan", "tangensa": "tan",
    "ctg": "cot", "cot": "cot", "cotangens": "cot", "kotangens": "cot", "cotangensa": "cot",
    "arcsin": "asin", "asin": "asin", "arccos": "acos", "acos": "acos", "arctg": "atan",
    "arctan": "atan", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "tgh": "tanh",
    "ln": "log", "exp": "exp", "sqrt": "sqrt", "abs": "Abs",
    "floor": "floor", "ceil": "ceiling",
})  # fmt: skip
TRIGONOMETRIC = frozenset({"sin", "cos", "tan", "cot"})
RELATIONS = frozenset({"=", "<", ">", "<=", ">=", "!="})
DIVISIONS = ("podziel", "dzielon", "dzieli", "dzielac")
MULTIPLICATIONS = ("pomnoz", "mnozon", "mnozy", "przemnoz")
MORE = ("wiecej", "wieksz", "wyzsz", "drozsz", "dluzsz", "ciezsz")
LESS = ("mniej", "mniejsz", "nizsz", "tansz", "krotsz", "lzejsz")
SIGNED_OPERATIONS = {"∫": "calk", "∑": "suma", "∏": "iloczyn"}
CONNECTIVES = ("i", "do", "tego", "jeszcze", "potem", "nastepnie", "a", "od", "wyniku", "razem")
