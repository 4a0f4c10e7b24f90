"""What is made of one number: increased, doubled, rounded, turned round."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from chatbot.router.detector.formulas.grammar import Formula, Operation
from chatbot.router.detector.formulas.nodes import (
    Node,
    add,
    call,
    multiply,
    negate,
    number,
    percent,
)
from chatbot.router.detector.formulas.words import LESS, MORE

_MULTIPLES = (
    ("podwoj", "2"), ("potroj", "3"), ("dwukrotnosc", "2"), ("trzykrotnosc", "3"),
    ("czterokrotnosc", "4"), ("pieciokrotnosc", "5"), ("szesciokrotnosc", "6"),
    ("siedmiokrotnosc", "7"), ("osmiokrotnosc", "8"), ("dziewieciokrotnosc", "9"),
    ("dziesieciokrotnosc", "10"), ("stokrotnosc", "100"),
)  # fmt: skip
_ROUNDED = (
    ("calk", 0), ("calosc", 0), ("jednosc", 0), ("jednost", 0), ("dziesiatek", -1), ("setek", -2),
    ("tysiec", -3), ("milion", -6),
)  # fmt: skip


def read_increase(formula: Formula) -> Node | None:
    """Read "zwiększ 200 o 15%", "zwiększ 480 o jedną trzecią"."""
    return read_pair(formula, ("o",), lambda a, b: add(a, "+", _share_of(a, b)))


def read_decrease(formula: Formula) -> Node | None:
    """Read "zmniejsz 200 o 15%", "zmniejsz 480 o połowę"."""
    return read_pair(formula, ("o",), lambda a, b: add(a, "-", _share_of(a, b)))


def _share_of(whole: Node, change: Node) -> Node:
    """A fraction by which a whole number changes is one of that number."""
    is_part = change.role == "share" and whole.text.isdecimal() and len(whole.text) > 1
    return multiply(change, "*", whole) if is_part else change


def read_multiple(formula: Formula) -> Node | None:
    """Read "podwojona suma 3 i 4", "trzykrotność różnicy …"."""
    said = formula.tokens[formula.at].text
    formula.advance()
    factor = next(value for stem, value in _MULTIPLES if said.startswith(stem))
    if factor == "2" and formula.word("silni"):
        formula.skip("z", "ze", "liczb", "od", "dla")
        inner = formula.power()
        return inner and call("doublefactorial", inner)
    is_value = formula.word("wartosc")
    formula.skip("liczb")
    inner = formula.power()
    is_told = said in {"podwoj", "potroj"}
    if inner is None or not ("krotn" in said or is_told or is_value or inner.is_work):
        return None
    return multiply(number(factor), "*", inner)


def read_difference_of(formula: Formula) -> Node | None:
    """Read "o ile 3/4 z 80 jest większe od 25 % ze 120", "o 20 % więcej niż 150"."""
    start = formula.at
    formula.advance()
    is_asked = formula.word("ile")
    if is_asked and (found := formula.attempt(lambda: _read_compared(formula))) is not None:
        return found
    left = formula.product()
    if left is None or not is_asked:
        passed = (token.text for token in formula.tokens[start : formula.at])
        return left if any(word in {"niz", "od"} for word in passed) else None
    formula.skip("to", "jest", "sa", "liczb")
    sign = formula.more_or_less()
    right = formula.product() if sign else None
    if sign is None or right is None:
        return None
    return add(left, "-", right) if sign == "+" else add(right, "-", left)


def _read_compared(formula: Formula) -> Node | None:
    """Read "większe jest 5^3 od 3^5" behind "o ile"."""
    sign = "+" if formula.word(*MORE) else "-" if formula.word(*LESS) else None
    formula.skip("jest", "sa", "bedzie", "liczb")
    left = formula.product() if sign else None
    right = formula.product() if left is not None and formula.word("niz", "od") else None
    if left is None or right is None:
        return None
    return add(left, "-", right) if sign == "+" else add(right, "-", left)


def read_ratio(formula: Formula) -> Node | None:
    """Read "ile razy 3^5 jest większe od 3^3", "ile razy większe jest 84 od 12"."""
    if not formula.phrase("ile", "razy"):
        return None
    said = formula.word(*MORE, *LESS)
    formula.skip("jest", "sa", "liczb")
    left = formula.product()
    formula.skip("jest", "sa", "bedzie")
    said = said or formula.word(*MORE, *LESS)
    right = formula.product() if left is not None and said and formula.word("niz", "od") else None
    if left is None or right is None or said is None:
        return None
    above, below = (right, left) if said.startswith(LESS) else (left, right)
    return multiply(above, "/", below)


def read_whole_part(formula: Formula) -> Node | None:
    """Read "część całkowita liczby 37/5", "podłoga z 7,8", "sufit z 7,2"."""
    said = formula.tokens[formula.at].text
    formula.advance()
    if said.startswith("czesc") and not (said := formula.word("calkowit", "ulamkow") or ""):
        return None
    formula.skip("z", "ze", "liczb", "ulamk", "od")
    inner = formula.signed()
    if inner is None:
        return None
    if said.startswith("ulamkow"):
        return add(inner, "-", call("floor", inner))
    return call("ceiling" if said.startswith("sufit") else "floor", inner)


def read_rounded(formula: Formula) -> Node | None:
    """Read "zaokrąglij 3,14159 do 2 miejsc", "zaokrąglij w górę 58/7"."""
    formula.advance()
    formula.skip("liczb", "wynik", "mi")
    if side := formula.attempt(lambda: _read_side(formula)):
        formula.skip("liczb", "wynik", "mi", "do", "calosc", "jednosc")
        whole = formula.sum()
        return whole and call(side, whole)
    inner = formula.sum()
    if inner is not None and (side := formula.attempt(lambda: _read_side(formula))):
        return call(side, inner)
    return None if inner is None else read_rounding(formula, inner)


def _read_side(formula: Formula) -> str | None:
    """Read "w górę", "w dół"."""
    if not formula.word("w"):
        return None
    return "ceiling" if formula.word("gore") else "floor" if formula.word("dol") else None


def read_rounding(formula: Formula, inner: Node) -> Node:
    """Read "do 2 miejsc", "do pełnych setek": to what a number is rounded, else to a whole one."""
    if not formula.word("do", "na"):
        return call("round", inner)
    formula.skip("najblizsz", "pelnych", "pelnej", "rzedu", "czesci", "pelnego")
    for stem, place in _ROUNDED:
        if formula.word(stem):
            return call("round", inner, number(str(place))) if place else call("round", inner)
    places = formula.power()
    return call("round", inner) if places is None else call("round", inner, places)


def read_opposite(formula: Formula) -> Node | None:
    """Read "odwrotność liczby 8", "liczba przeciwna do 5"."""
    is_inverse = bool(formula.word("odwrotn"))
    formula.word("przeciwn")
    formula.skip("do", "liczb", "z", "wzgledem")
    inner = formula.unary()
    if inner is None or inner.role == "matrix":
        return None
    return multiply(number("1"), "/", inner) if is_inverse else replace(negate(inner), is_work=True)


def read_raise(formula: Formula) -> Node | None:
    """Read "podnieś 3 do potęgi 4": the grammar knows the rest; "podnieś 200 o 10 %"."""
    start = formula.at
    formula.advance()
    found = formula.power()
    if found is not None and formula.is_noun_next("o"):
        formula.at = start
        return read_increase(formula)
    return found if found is not None and found.is_work else None


def read_pair(
    formula: Formula, between: tuple[str, ...], join: Callable[[Node, Node], Node]
) -> Node | None:
    """Read an operation between two operands: "podziel 144 przez 12"."""
    formula.advance()
    formula.skip("liczb", "kwote", "wielomian")
    left = formula.closed()
    if left is None or not formula.word(*between):
        return None
    formula.skip("liczb")
    right = formula.closed()
    if right is None:
        return None
    return join(left, percent(right) if formula.sign("%") else right)


CHANGES: Mapping[str, Operation] = MappingProxyType({
    **{stem: read_multiple for stem, _ in _MULTIPLES},
    "zwieksz": read_increase,
    "powieksz": read_increase,
    "zmniejsz": read_decrease,
    "pomniejsz": read_decrease,
    "obniz": read_decrease,
    "podwyzsz": read_increase,
    "o": read_difference_of,
    "zaokragl": read_rounded,
    "czesc": read_whole_part,
    "podlog": read_whole_part,
    "sufit": read_whole_part,
    "odwrotno": read_opposite,
    "odwrotna": read_opposite,
    "przeciwn": read_opposite,
    "podnies": read_raise,
})
