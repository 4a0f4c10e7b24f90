"""Reads an expression into a tree of allowed nodes; nothing in it is ever executed."""

import ast
import keyword
import re
from collections.abc import Mapping
from types import MappingProxyType

from chatbot.errors import ToolError
from chatbot.tools.mathematics.expression import Apply, Expression, Group, Number, Symbol, walk
from chatbot.tools.mathematics.functions import (
    CALLABLE,
    METHODS,
    PASSED_THROUGH,
    RELATIONAL,
    check_arity,
    find_function,
    suggest,
)
from chatbot.tools.mathematics.rewriting import CONNECTIVES, rewrite
from chatbot.tools.mathematics.scanning import Token, scan

MAX_NODES = 400
MAX_DEPTH = 100
MAX_DIGITS = 500
MAX_SIGNS = 20
MAX_CALLS = 60
MAX_EXPONENT = 300

_OPERATORS: Mapping[type[ast.AST], str] = MappingProxyType({
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.FloorDiv: "quotient",
    ast.Mod: "mod",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Not: "not",
    ast.And: "and",
    ast.Or: "or",
    ast.Eq: "=",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
})
_POSTFIXES = frozenset({"!", "!!", "°", "%"})
_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9]{0,11}(_[A-Za-z0-9]{1,4})?")
_FORBIDDEN_METHODS = (
    "Po kropce przyjmuję tylko: .det(), .inv(), .T, .rank(), .trace(), .eigenvals(), .dot(B), "
    ".cross(B), .subs(x, 3)."
)


def read(text: str) -> Expression:
    """The tree of an expression in SymPy's syntax or school notation.

    Raises:
        ToolError: in Polish, what is not understood or not allowed, where, and what to write.
    """
    tokens = scan(text)
    if not tokens:
        raise ToolError("Podaj wyrażenie do obliczenia, na przykład: sqrt(2)*3 + 1.")
    for token in tokens:
        _check_token(token)
    _check_signs(tokens)
    _check_calls(tokens)
    source = rewrite(tokens)
    tree = _Reader(source).read(_parse(source))
    _check_size(tree)
    return tree


def _check_token(token: Token) -> None:
    word = token.text
    if token.kind == "number":
        mantissa, _, exponent = word.partition("e")
        if len(mantissa) > MAX_DIGITS or (exponent and abs(int(exponent)) > MAX_EXPONENT):
            raise ToolError(
                f"Liczba na pozycji {token.position} jest za długa: przyjmuję najwyżej "
                f"{MAX_DIGITS} cyfr."
            )
    elif token.kind == "name" and word not in CONNECTIVES and not _is_word(word):
        raise ToolError(
            f"Słowo „{word[:30]}” na pozycji {token.position} nie jest tu dozwolone. "
            "Podaj samo wyrażenie, na przykład: integrate(x**3, (x, 0, 2))."
        )


def _is_word(word: str) -> bool:
    return word.isidentifier() and not keyword.iskeyword(word) and not word.startswith("_")


def _check_signs(tokens: tuple[Token, ...]) -> None:
    """Refuse what would only exhaust the parser: ``-----…1``."""
    row = 0
    for token in tokens:
        row = row + 1 if token.text in {"+", "-", "not"} else 0
        if row > MAX_SIGNS:
            raise ToolError(f"Za dużo znaków z rzędu na pozycji {token.position}.")


def _check_calls(tokens: tuple[Token, ...]) -> None:
    calls = sum(
        token.text.removeprefix("\\") in CALLABLE or token.text in _POSTFIXES for token in tokens
    )
    if calls > MAX_CALLS:
        raise ToolError(f"Za dużo funkcji: przyjmuję najwyżej {MAX_CALLS}. Podziel wyrażenie.")


def _parse(source: str) -> ast.expr:
    try:
        return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        offset = getattr(error, "offset", None) or 1
        place = source[max(offset - 8, 0) : offset + 7].strip()
        raise ToolError(
            f"Nie rozumiem zapisu przy „{place}”. Sprawdź znaki działań i nawiasy; "
            "przykład: (2*x + 1)/3."
        ) from error


def _check_size(tree: Expression) -> None:
    if sum(1 for _ in walk(tree)) > MAX_NODES:
        raise ToolError(f"Wyrażenie ma ponad {MAX_NODES} składników. Podziel je na części.")


class _Reader:
    """Turns allowed nodes of Python's syntax tree into ours, and refuses every other one."""

    def __init__(self, source: str) -> None:
        self._source = source.encode()  # Python counts columns in bytes
        self._depth = 0

    def read(self, node: ast.expr) -> Expression:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ToolError("Wyrażenie jest zbyt głęboko zagnieżdżone. Podziel je na części.")
        try:
            return self._read(node)
        finally:
            self._depth -= 1

    def _read(self, node: ast.expr) -> Expression:
        match node:
            case ast.Constant():
                return self._number(node)
            case ast.Name(id=name):
                return _symbol(name)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return Group(tuple(map(self.read, items)))
            case ast.Compare():
                return self._comparison(node)
            case ast.Call() | ast.Attribute():
                return self._call(node)
            case _:
                return self._operation(node)

    def _operation(self, node: ast.expr) -> Apply:
        match node:
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                operands = [left, right]
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                operands = [operand]
            case ast.BoolOp(op=op, values=operands):
                pass
            case _:
                raise self._refusal(node)
        return Apply(_OPERATORS[type(op)], tuple(map(self.read, operands)))

    def _number(self, node: ast.Constant) -> Number:
        if type(node.value) not in {int, float}:
            raise self._refusal(node)
        return Number(self._source[node.col_offset : node.end_col_offset].decode())

    def _comparison(self, node: ast.Compare) -> Expression:
        """``1 < x < 3`` is both comparisons."""
        if any(type(op) not in _OPERATORS for op in node.ops):
            raise self._refusal(node)
        sides = tuple(map(self.read, (node.left, *node.comparators)))
        pairs = tuple(
            Apply(_OPERATORS[type(op)], (left, right))
            for op, left, right in zip(node.ops, sides, sides[1:], strict=False)
        )
        return pairs[0] if len(pairs) == 1 else Apply("and", pairs)

    def _call(self, node: ast.Call | ast.Attribute) -> Expression:
        match node:
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return _apply(name, tuple(map(self.read, args)))
            case ast.Call(func=ast.Attribute(value=value, attr=method), args=args, keywords=[]):
                return self._method(value, method, args)
            case ast.Attribute(value=value, attr="T"):
                return self._method(value, "T", [])
            case ast.Call(keywords=[ast.keyword(arg=name), *_]):
                raise ToolError(
                    f"Argumentów z nazwą („{name}=”) nie przyjmuję. Podaj same wartości; granicę "
                    "jednostronną zapisz tak: limit_right(1/x, x, 0)."
                )
            case ast.Attribute(attr=method):
                raise ToolError(f"Nie znam „.{method}”. {_FORBIDDEN_METHODS}")
            case _:
                raise self._refusal(node)

    def _method(self, value: ast.expr, method: str, further: list[ast.expr]) -> Expression:
        if method not in METHODS:
            raise ToolError(f"Nie znam „.{method}”. {_FORBIDDEN_METHODS}")
        return _apply(METHODS[method], tuple(map(self.read, (value, *further))))

    def _refusal(self, node: ast.expr) -> ToolError:
        shown = self._source[node.col_offset : node.end_col_offset].decode()[:40]
        return ToolError(
            f"Zapis „{shown}” nie jest dozwolony. Podaj liczby, zmienne, działania i funkcje, "
            "na przykład: solve(x**2 - 4, x)."
        )


def _symbol(name: str) -> Symbol:
    if name in CALLABLE and len(name) > 1:
        raise ToolError(f"Po nazwie funkcji „{name}” brakuje nawiasu z argumentem: {name}(x).")
    if not _SYMBOL.fullmatch(name):
        raise ToolError(
            f"Nazwa „{name[:30]}” nie może być zmienną.{suggest(name)} "
            "Zmienna to litera, na przykład: x, a1, alpha."
        )
    return Symbol(name)


def _apply(name: str, arguments: tuple[Expression, ...]) -> Expression:
    if name in PASSED_THROUGH and len(arguments) == 1:
        return arguments[0]
    if name in RELATIONAL:
        if len(arguments) == 1:
            arguments = (*arguments, Number("0"))
        if len(arguments) != 2:  # noqa: PLR2004 - a relation has two sides
            raise ToolError(f"Funkcja „{name}” ma dwie strony: {name}(x**2, 4).")
        return Apply(RELATIONAL[name], arguments)
    if name in {"And", "Or", "Not"} and arguments:
        return Apply(name.lower(), arguments)
    if name in {"symbols", "Symbol", "var"}:
        raise ToolError("Zmiennych nie trzeba deklarować: pisz po prostu x, y, a.")
    function = find_function(name)
    check_arity(function, len(arguments))
    return Apply(function, arguments)
