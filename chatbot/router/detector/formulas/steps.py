"""Calculations told in steps: "weź 20, dodaj 15, wynik pomnóż przez 2"."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.changes import read_rounding
from chatbot.router.detector.formulas.grammar import Formula, Operation
from chatbot.router.detector.formulas.nodes import (
    SUM,
    Node,
    add,
    call,
    multiply,
    number,
    plain,
)

_BETWEEN = ("i", "a", "potem", "nastepnie", "teraz", "jeszcze", "na", "koniec", "koncu", "dalej")
_RESULT = ("wynik", "calosc", "to", "wszystko", "tego", "razem", "go")
_WHOLE = frozenset({"potem", "nastepnie", "teraz", "jeszcze", *_RESULT})
_VERBS_OF_PRODUCTS = ("pomnoz", "przemnoz", "mnoz", "podziel", "dziel", "razy")
_LAST_SIGN = regex(r" ([-+]) [\d.]+$")
_ADD = ("dodaj", "dodac", "dodam", "dodasz", "dorzuc", "dolicz")
_SUBTRACT = ("odejm", "odjac", "odejmuj", "zabierz", "zabrac", "ujmij", "ujac")


def read_step(formula: Formula, left: Node) -> Node | None:
    """Read what is done next: "i odejmij 100", "a potem razy 3", "z tego pierwiastek"."""
    start = formula.at
    formula.sign(",", ".", ";")
    formula.skip(*_BETWEEN)
    link = formula.word("od", "do", "z")
    formula.skip(*_RESULT)
    between = {token.text for token in formula.tokens[start : formula.at]}
    if (step := formula.attempt(lambda: _verb(formula, left))) is not None:
        return step
    if link and (formula.word("pierwiast") or formula.phrase("wyciagn", "pierwiast")):
        formula.skip("kwadratow")
        return call("sqrt", plain(left))
    if formula.phrase("pod", "pierwiastkiem"):
        return call("sqrt", plain(left))
    if link and "tego" in between and not left.letters:
        return _linked(formula, left, link)
    if "jeszcze" in between and (again := formula.attempt(lambda: _again(formula, left, start))):
        return again
    return _sign(formula, left) if between & _WHOLE or between == {"i"} else None


def _linked(formula: Formula, left: Node, link: str) -> Node | None:
    """Read "od tego 19", "do tego 12", "z tego połowa": what is only linked with the result."""
    if link == "z":
        part = formula.power()
        is_part = part is not None and part.role in {"share", "percent"}
        return multiply(part, "*", left) if part is not None and is_part else None
    right = formula.product()
    if right is None or right.role in {"share", "percent"}:
        return None
    return add(left, "-" if link == "od" else "+", right)


def _again(formula: Formula, left: Node, start: int) -> Node | None:
    """Read "i jeszcze 75" after "odejmij 120", "i jeszcze przez 2" after "pomnóż … przez 6"."""
    if formula.word("przez"):
        said = (token.text for token in reversed(formula.tokens[:start]))
        verb = next((one for one in said if one.startswith(_VERBS_OF_PRODUCTS)), "")
        right = formula.unary() if verb else None
        return right and multiply(left, "*" if "mnoz" in verb else "/", right)
    last = _LAST_SIGN.search(left.text)
    right = formula.number() if last is not None and left.level == SUM else None
    if last is None or right is None or not (formula.is_at_end or formula.sign(".", "?")):
        return None
    return add(left, last[1], right)


def _verb(formula: Formula, left: Node) -> Node | None:
    for stems, read, sign in _VERBS:
        if formula.word(*stems):
            return read(formula, left, sign)
    return None


def _skip_result(formula: Formula) -> None:
    formula.skip("od", "do", "jeszcze", "liczb", *_RESULT)


def _term(formula: Formula, left: Node, sign: str) -> Node | None:
    _skip_result(formula)
    right = formula.product()
    return right and add(left, sign, right)


def _factor(formula: Formula, left: Node, sign: str) -> Node | None:
    _skip_result(formula)
    if (half := _halved(formula, left)) is not None:
        return half
    right = formula.unary() if formula.word("przez", "razy", "na") else None
    return right and multiply(left, sign, right)


def _halved(formula: Formula, left: Node) -> Node | None:
    """Read "na pół", which is no division by a half."""
    following = formula.peek(1)
    is_half = following is not None and following.text in {"pol", "1/2", "polowe"}
    if not is_half or not formula.word("na"):
        return None
    formula.advance()
    return multiply(left, "/", number("2"))


def _changed(formula: Formula, left: Node, sign: str) -> Node | None:
    _skip_result(formula)
    right = formula.product() if formula.word("o") else None
    return right and add(left, sign, right)


def _multiple(formula: Formula, left: Node, sign: str) -> Node:
    _skip_result(formula)
    return multiply(left, "*", number(sign))


def _raised(formula: Formula, left: Node, sign: str) -> Node | None:
    _skip_result(formula)
    return formula.raised(left) or _changed(formula, left, sign)


def _rounded(formula: Formula, left: Node, _: str) -> Node:
    formula.skip(*_RESULT)
    return read_rounding(formula, left)


def _sign(formula: Formula, left: Node) -> Node | None:
    """Read "a potem razy 3", "i to wszystko minus 5", "a potem na pół"."""
    if (half := _halved(formula, left)) is not None:
        return half
    if formula.word("na"):
        right = formula.number()
        return right and multiply(left, "/", right)
    if sign := formula.sign("*", "/") or formula.product_word():
        right = formula.unary()
        return right and multiply(left, sign, right)
    sign = {"plus": "+", "minus": "-"}.get(formula.word("plus", "minus") or "")
    right = formula.product() if sign else None
    return None if sign is None or right is None else add(left, sign, right)


def read_start(formula: Formula) -> Node | None:
    """Read "weź 20, dodaj 15": a number with which steps begin."""
    formula.advance()
    formula.skip("od", "sobie", "liczb", "z")
    first = formula.closed()
    return first and read_step(formula, first)


def read_from(formula: Formula) -> Node | None:
    """Read "od 120 odejmij 3 razy 15", "do sumy 3 i 4 dodaj 10"."""
    verbs = _ADD if formula.word("do") else _SUBTRACT
    if verbs is _SUBTRACT:
        formula.advance()
    formula.skip("liczb", "kwoty", "wynik")
    left = formula.closed()
    if left is None:
        return None
    formula.sign(",")
    formula.skip("trzeba", "nalezy", "musze", "mam", "teraz", "jak", "jesli")
    if not formula.word(*verbs):
        return None
    return _term(formula, left, "+" if verbs is _ADD else "-")


_VERBS: Sequence[tuple[Sequence[str], Callable[[Formula, Node, str], Node | None], str]] = (
    (_ADD, _term, "+"),
    (_SUBTRACT, _term, "-"),
    (("podwoj",), _multiple, "2"),
    (("potroj",), _multiple, "3"),
    (("podnies",), _raised, "+"),
    (("zaokragl",), _rounded, ""),
    (("pomnoz", "przemnoz", "wymnoz", "mnoz"), _factor, "*"),
    (("podziel", "dziel"), _factor, "/"),
    (("zwieksz", "powieksz", "podwyzsz"), _changed, "+"),
    (("zmniejsz", "pomniejsz", "obniz"), _changed, "-"),
)
STEPS: Mapping[str, Operation] = MappingProxyType({
    "od": read_from,
    "do": read_from,
    "wez": read_start,
    "bior": read_start,
    "zaczn": read_start,
    "zaczyn": read_start,
    "pomysl": read_start,
    "startuj": read_start,
})
