"""Calls as programmers write them: "diff(x^3, x)", "integrate(x^2, (x, 0, 3))", "factorint(84)"."""

from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.grammar import Formula, Operation
from chatbot.router.detector.formulas.nodes import Node, call
from chatbot.router.detector.spans import fold_evenly

_NAMES = (
    "factorint", "factorial", "factor", "diff", "integrate", "limit", "summation", "product",
    "binomial", "isprime", "divisors", "simplify", "expand", "solve", "cancel", "totient",
)  # fmt: skip
_CALL = Guarded(rf"\b(?:{'|'.join(_NAMES)}|gcd|lcm)\s?\(")
_LOGARITHM = Guarded(r"\blog\s?\(\s*([^(),]{1,20}),\s*([^(),]{1,20})\)")
_METHOD = Guarded(
    r"\bmatrix\s?\(\s*(?P<rows>\[\s*\[[^()]{1,200}\])\s*\)\s*\.(?P<name>det|inv|rank|trace)\(\)"
)
_METHODS = MappingProxyType({
    "det": "wyznacznik macierzy",
    "inv": "macierz odwrotna do",
    "rank": "rząd macierzy",
    "trace": "ślad macierzy",
})
_WHOLE = regex(rf"\W*(?:{'|'.join(_NAMES)})\s?\([^?!]{{1,120}}\)\W*")


def is_notated(text: str) -> bool:
    """Whether a prompt is such a call and nothing else."""
    return _WHOLE.fullmatch(fold_evenly(text)) is not None


def say_calls(text: str) -> str:
    """Part the arguments of calls by semicolons, so that no comma is one of a number."""
    folded = fold_evenly(text)
    if (method := _METHOD.search(folded)) is not None:
        said = f"{_METHODS[method['name']]} {method['rows']}"
        return f"{text[: method.start()]}{said}{text[method.end() :]}"
    if (found := _LOGARITHM.search(folded)) is not None:
        said = f"logarytm o podstawie {found[2]} z ({found[1]})"
        return f"{text[: found.start()]}{said}{text[found.end() :]}"
    for found in _CALL.finditer(folded):
        end = _closing(text, found.end())
        inside = text[found.end() : end].replace(",", ";")
        text = f"{text[: found.end()]}{inside}{text[end:]}"
    return text


def _closing(text: str, start: int) -> int:
    """Where the bracket that was opened before ``start`` is closed."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def read_call(formula: Formula) -> Node | None:
    """Read the name, and what stands in its brackets."""
    name = formula.tokens[formula.at].text
    formula.advance()
    if name not in _NAMES or not formula.sign("("):
        return None
    found: list[Node] = []
    while (item := formula.attempt(lambda: _read_argument(formula))) is not None:
        found.append(item)
        if not formula.sign(";"):
            break
    return call(name, *found) if found and formula.sign(")") else None


def _read_argument(formula: Formula) -> Node | None:
    """Read an expression, or bounds: "(x; 0; 3)"."""
    bounds = formula.attempt(lambda: _read_bounds(formula))
    return bounds or formula.relation()


def _read_bounds(formula: Formula) -> Node | None:
    if not formula.sign("("):
        return None
    items: list[str] = []
    while (item := formula.sum()) is not None:
        items.append(item.text)
        if not formula.sign(";"):
            break
    is_read = len(items) > 1 and formula.sign(")")
    return Node(text=f"({', '.join(items)})") if is_read else None


NOTATED: Mapping[str, Operation] = MappingProxyType(dict.fromkeys(_NAMES, read_call))
