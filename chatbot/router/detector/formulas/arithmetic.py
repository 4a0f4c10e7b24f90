"""Roots, logarithms, percentages, divisibility and other words of school arithmetic."""

from collections.abc import Mapping, Sequence
from functools import reduce
from types import MappingProxyType

from chatbot.router.detector.formulas.calculus import read_each, read_sum
from chatbot.router.detector.formulas.changes import CHANGES, read_pair, read_ratio
from chatbot.router.detector.formulas.complexes import COMPLEX
from chatbot.router.detector.formulas.grammar import Formula, Operation
from chatbot.router.detector.formulas.nodes import (
    ATOM,
    NEGATIVE,
    POWER,
    PRODUCT,
    Node,
    add,
    call,
    multiply,
    number,
    plain,
    power,
)

_TWO = number("2")
_THREE = number("3")
_OF = ("z", "ze", "liczb", "od", "dla", "ulamk")
_DIVIDED = ("z", "dzieleni", "liczb", "podzieleni", "zosta", "pozosta", "bedzie", "po", "gdy",
            "jesli", "jezeli", "kiedy", "jak", "podziel", "dziel", "przy", "jest")  # fmt: skip


def read_root(formula: Formula) -> Node | None:
    """Read "pierwiastek (kwadratowy, trzeciego stopnia, sześcienny) z 529"."""
    formula.advance()
    degree: Node | None = None
    if formula.phrase("stopnia"):
        degree = formula.attempt(formula.number) or formula.attempt(formula.variable)
    elif formula.word("szescienn"):
        degree = _THREE
    elif not formula.word("kwadratow", "drugiego"):
        degree = formula.ordinal()
    formula.skip("stopnia", "stopien")
    if degree is None and formula.attempt(lambda: formula.number_then("stopnia")):
        degree = number(formula.tokens[formula.at - 2].text)
    formula.skip(*_OF)
    inner = formula.signed()
    if inner is None:
        return None
    if degree is None or degree.text == "2":
        return call("sqrt", plain(inner))
    is_odd = degree.text.isdecimal() and int(degree.text) % 2 == 1
    is_negative = inner.level == NEGATIVE or inner.text.startswith("-")
    return call("real_root" if is_odd and is_negative else "root", plain(inner), degree)


def read_factorial(formula: Formula) -> Node | None:
    """Read "silnia z 5"."""
    formula.advance()
    formula.skip(*_OF)
    inner = formula.power()
    return None if inner is None else call("factorial", inner)


def read_logarithm(formula: Formula) -> Node | None:
    """Read "logarytm (naturalny, o podstawie 2) z 8", "log2(8)", "log_2 8"; plain: base 10."""
    is_named = bool(formula.word("logarytm"))
    if not is_named:
        formula.advance()
    base: Node | None = None
    is_natural = bool(formula.word("naturaln"))
    if formula.word("dwojkow", "binarn"):
        base = _TWO
    formula.word("dziesietn")
    if formula.phrase("o", "podstaw") or formula.phrase("przy", "podstaw"):
        base = formula.power()
    elif formula.sign("_"):
        base = formula.attempt(formula.postfix)
    elif formula.is_glued_number():
        base = formula.attempt(formula.number)
    formula.skip(*_OF)
    inner = formula.attempt(formula.implicit)
    if inner is None:
        return call("log", Node(text="x", letters=("x",))) if is_named and base is None else None
    if base is None and (formula.phrase("o", "podstaw") or formula.phrase("przy", "podstaw")):
        base = formula.power()
    if is_natural or (base is None and inner.letters):
        return call("log", plain(inner))
    return call("log", plain(inner), base or number("10"))


def read_square(formula: Formula) -> Node | None:
    """Read "kwadrat liczby 12", "sześcian 5"."""
    exponent = _THREE if formula.word("szescian") else _TWO
    formula.word("kwadrat")
    formula.skip("liczb", "z")
    inner = formula.signed()
    return None if inner is None else power(inner, exponent)


def read_power(formula: Formula) -> Node | None:
    """Read "potęga o podstawie 4 i wykładniku 5"."""
    formula.advance()
    if not (formula.phrase("o", "podstaw") or formula.phrase("liczb", "o", "podstaw")):
        return None
    base = formula.signed()
    formula.sign(",")
    formula.skip("i", "a", "oraz", "o")
    exponent = formula.signed() if base is not None and formula.word("wykladnik") else None
    return None if base is None or exponent is None else power(base, exponent)


def read_divide(formula: Formula) -> Node | None:
    """Read "podziel 144 przez 12"; "iloraz 20 i 5"."""
    what = formula.peek(1)
    found = read_pair(formula, ("przez", "na", "i", "oraz", "a"), lambda a, b: multiply(a, "/", b))
    if found is None or what is None or not what.text.startswith("wielomian"):
        return found
    return call("cancel", found)


def read_multiply(formula: Formula) -> Node | None:
    """Read "pomnóż 12 przez 15", "pomnóż macierze … i …"."""
    formula.advance()
    formula.skip("liczb", "macierz", "przez", "siebie")
    product = formula.closed()
    while product is not None and (
        formula.word("przez", "razy", "i", "oraz") or formula.sign(",", "*")
    ):
        following = formula.closed()
        if following is None:
            break
        product = multiply(product, "*", following)
    return product if product is not None and product.is_work else None


def read_add(formula: Formula) -> Node | None:
    """Read "dodaj 5 do 7", "dodaj 5 i 7", "dodaj wszystkie liczby od 1 do 50"."""
    if (run := formula.attempt(lambda: read_sum(formula))) is not None:
        return run
    formula.advance()
    formula.skip("liczb", "do", "siebie", "razem")
    total = formula.product()
    if total is not None and total.role == "percent" and formula.word("do"):
        formula.skip("liczb", "kwot", "cen")
        whole = formula.closed()
        return whole and add(whole, "+", total)
    while total is not None and (
        formula.word("do", "i", "oraz", "plus", "a") or formula.sign(",", "+")
    ):
        formula.word("i", "jeszcze")
        following = formula.product()
        if following is None:
            break
        total = add(total, "+", following)
    return total if total is not None and total.is_work else None


def read_subtract(formula: Formula) -> Node | None:
    """Read "odejmij 5 od 12"."""
    return read_pair(formula, ("od",), lambda a, b: add(b, "-", a))


def read_difference(formula: Formula) -> Node | None:
    """Read "różnica (liczb) 10 i 3"."""
    formula.advance()
    formula.skip("liczb", "miedzy", "pomiedzy")
    each = read_each(formula)
    formula.skip("liczb", "z")
    left = formula.closed()
    if left is None or not formula.word("i", "a", "oraz"):
        return None
    formula.skip("liczb")
    right = formula.closed()
    return None if right is None else add(each(left), "-", each(right))


def read_remainder(formula: Formula) -> Node | None:
    """Read "reszta z dzielenia 17 przez 5"."""
    formula.advance()
    formula.skip(*_DIVIDED)
    left = formula.power()
    formula.skip("podziel", "dziel", "sie")
    if left is None or not formula.word("przez", "modulo", "mod", "na"):
        return None
    formula.skip("liczb")
    right = formula.power()
    if right is None:
        return None
    return call("rem" if right.letters else "Mod", left, right)


def read_mean(formula: Formula) -> Node | None:
    """Read "średnia (arytmetyczna) liczb 3, 5 i 10"."""
    formula.advance()
    kind = formula.word("harmoniczn", "geometryczn", "kwadratow")
    formula.skip("arytmetyczn", "z", "liczb", "nastepujac", "ocen", "wartosc")
    formula.attempt(lambda: formula.number_then("liczb"))
    found = formula.items()
    if len(found) < 2:  # noqa: PLR2004 - one number is its own mean
        return None
    if kind is not None:
        return _other_mean(kind, found)
    total = " + ".join(item.text for item in found)
    return Node(text=f"({total})/{len(found)}", level=PRODUCT, is_work=True)


def _other_mean(kind: str, found: Sequence[Node]) -> Node:
    """Write the harmonic, the geometric or the quadratic mean."""
    count = len(found)
    if kind.startswith("harmoniczn"):
        total = " + ".join(f"1/{item.at(ATOM)}" for item in found)
        return Node(text=f"{count}/({total})", level=PRODUCT, is_work=True)
    if kind.startswith("geometryczn"):
        product = "*".join(item.at(PRODUCT) for item in found)
        return Node(text=f"({product})**(1/{count})", level=POWER, is_work=True)
    squares = " + ".join(power(item, _TWO).text for item in found)
    return Node(text=f"sqrt(({squares})/{count})", is_work=True)


def read_median(formula: Formula) -> Node | None:
    """Read "mediana 3, 5, 10"."""
    formula.advance()
    formula.skip("z", "liczb", "zbioru", "nastepujac")
    found = formula.items()
    return call("median", *found) if len(found) > 1 else None


def read_greatest(formula: Formula) -> Node | None:
    """Read "największy wspólny dzielnik 12 i 18", "największa z liczb 3, 7, 5"."""
    is_multiple = False
    if not formula.phrase("wspoln"):
        formula.advance()
    else:
        formula.at -= 1
    if formula.word("wspoln"):
        is_multiple = bool(formula.word("wielokrotno"))
        formula.word("dzielnik", "podzielnik")
        if formula.word("mianownik"):
            return _common_denominator(formula)
        return _fold(formula, "lcm" if is_multiple else "gcd")
    function = "Min" if formula.tokens[formula.at - 1].text.startswith("najmn") else "Max"
    formula.skip("z", "liczb", "sposrod")
    found = formula.items()
    return call(function, *found) if len(found) > 1 else None


def read_bigger(formula: Formula) -> Node | None:
    """Read "co jest większe, 3/4 czy 5/7", "która liczba jest mniejsza: 2^10 czy 10^3"."""
    function = "Min" if formula.word("mniejsz") else "Max"
    formula.word("wieksz")
    formula.sign(",", ":")
    left = formula.sum()
    right = formula.sum() if left is not None and formula.word("czy", "niz", "od", "i") else None
    return None if left is None or right is None else call(function, left, right)


def read_gcd(formula: Formula) -> Node | None:
    """Read "NWD(12, 18)", "NWD liczb 12 i 18"."""
    formula.advance()
    return _fold(formula, "gcd")


def read_lcm(formula: Formula) -> Node | None:
    """Read "NWW 4 i 6"."""
    formula.advance()
    return _fold(formula, "lcm")


def read_binomial(formula: Formula) -> Node | None:
    """Read "dwumian (Newtona) 5 po 2", "symbol Newtona 5 nad 2"."""
    formula.advance()
    formula.skip("newtona", "liczb", "z")
    above = formula.power()
    below = formula.power() if formula.word("po", "nad", "i") or formula.sign(",") else None
    return None if above is None or below is None else call("binomial", above, below)


def read_combinations(formula: Formula) -> Node | None:
    """Read "(ile jest) kombinacji 6 z 49"."""
    formula.advance()
    formula.skip("po", "liczb")
    below = formula.power()
    above = formula.power() if formula.word("z", "ze") else None
    return None if above is None or below is None else call("binomial", above, below)


def read_percentage(formula: Formula) -> Node | None:
    """Read "jakim procentem liczby 80 jest 20", "jaki procent z 80 stanowi 20"."""
    if (ratio := formula.attempt(lambda: read_ratio(formula))) is not None:
        return ratio
    formula.advance()
    if not formula.word("procent", "proc") and not formula.sign("%"):
        return None
    formula.skip("z", "liczb", "od")
    whole = formula.power()
    if whole is None or not (formula.word("to", "jest", "stanowi") or formula.sign("=")):
        return None
    formula.skip("liczb")
    part = formula.power()
    return None if part is None else multiply(multiply(part, "/", whole), "*", number("100"))


def _common_denominator(formula: Formula) -> Node | None:
    """Read "wspólny mianownik 1/6 i 1/8", "… ułamków o mianownikach 6 i 8"."""
    formula.skip("dla", "ulamk", "ulamkow", "o", "mianownik", "liczb", "z")
    found = [number(item.text.rpartition("/")[2]) for item in formula.items()]
    is_read = len(found) > 1 and all(item.text.isdecimal() for item in found)
    return reduce(lambda one, other: call("lcm", one, other), found) if is_read else None


def _fold(formula: Formula, function: str) -> Node | None:
    formula.sign(",")
    formula.skip("liczb", "dla", "z", "od")
    found = formula.items()
    if len(found) < 2:  # noqa: PLR2004 - a divisor is common to two
        return None
    return reduce(lambda one, other: call(function, one, other), found)


ARITHMETIC: Mapping[str, Operation] = MappingProxyType({
    "pierwiastek": read_root,
    "pierwiastk": read_root,
    "silni": read_factorial,
    "logarytm": read_logarithm,
    "log": read_logarithm,
    "lg": read_logarithm,
    "kwadrat": read_square,
    "szescian": read_square,
    "poteg": read_power,
    "podziel": read_divide,
    "iloraz": read_divide,
    "dzieleni": read_divide,
    "pomnoz": read_multiply,
    "przemnoz": read_multiply,
    "wymnoz": read_multiply,
    "mnozeni": read_multiply,
    "dodaj": read_add,
    "dodawani": read_add,
    "dodani": read_add,
    "odejmij": read_subtract,
    "odjac": read_subtract,
    "odejmowani": read_subtract,
    "odejmuj": read_subtract,
    "odjeci": read_subtract,
    "roznic": read_difference,
    **COMPLEX,
    **CHANGES,
    "reszt": read_remainder,
    "sredni": read_mean,
    "median": read_median,
    "wspoln": read_greatest,
    "wieksz": read_bigger,
    "mniejsz": read_bigger,
    "najwieksz": read_greatest,
    "najmniejsz": read_greatest,
    "nwd": read_gcd,
    "gcd": read_gcd,
    "nww": read_lcm,
    "lcm": read_lcm,
    "dwumian": read_binomial,
    "symbol": read_binomial,
    "kombinacj": read_combinations,
    "jaki": read_percentage,
    "ile": read_percentage,
})
