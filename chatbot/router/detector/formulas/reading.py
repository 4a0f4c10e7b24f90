"""Find the formula in a prompt and write it in SymPy's syntax."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.router.detector.formulas.algebra import ALGEBRA, read_relations, solve
from chatbot.router.detector.formulas.arithmetic import ARITHMETIC
from chatbot.router.detector.formulas.calculus import CALCULUS
from chatbot.router.detector.formulas.conversions import read_conversion
from chatbot.router.detector.formulas.geometry import read_figure
from chatbot.router.detector.formulas.grammar import Formula, Operation
from chatbot.router.detector.formulas.nodes import ATOM, Node, call, number, relate
from chatbot.router.detector.formulas.sayings import read_saying
from chatbot.router.detector.formulas.tokens import Token, tokenise
from chatbot.router.detector.spans import fold_evenly

LONGEST = 2_000

# Earlier tables are asked first: "pierwiastki równania" before "pierwiastek z".
_OPERATIONS: Mapping[str, Operation] = MappingProxyType({
    **CALCULUS,
    **{stem: read for stem, read in ALGEBRA.items() if stem not in ARITHMETIC},
    **{stem: read for stem, read in ARITHMETIC.items() if stem not in CALCULUS},
})
_ASKED = re.compile(r"(?:wyznacz|oblicz|wynosi|znajdz|podaj|wzgledem|policz|to)\s+([a-z])\b")
_PLACES = re.compile(r"(\d+)\s*(?:miejsc|cyfr)")
_GIVEN = re.compile(r"\b(?:dla|gdy|jesli|jezeli|przy|gdzie)\b")
_AFTERWARDS: tuple[tuple[str, str], ...] = (
    (r"\bupros|\bskroc", "simplify"),
    (r"\brozwin|\bwymnoz", "expand"),
    (r"\brozloz|\bczynnik", "factor"),
    (r"\bmiejsc\w* zerow|\bpierwiastki\b", "zeros"),
    (r"\brozwiaz", "zeros"),
    (r"\bpochodn", "diff"),
    (r"\bcalk[aeoi]\w?\b", "integrate"),
)


_AREA = re.compile(r"pole (?:figury )?pod (?:krzywa|wykresem|parabola)(?: funkcji)? (?:y ?= ?)?")
_PRIME = re.compile(r",?\s*(?:oblicz|policz|wyznacz|podaj|ile to)?\s*f\s*['’′]\s*\(\s*x\s*\)\s*=?")
_VALUE = re.compile(r"(?<=[\dx)²³])[,;.]?\s[^=]*?\bf\s*\(\s*(-?\d+(?:[.,]\d+)?)\s*\)[?. ]*$")
_UNREADABLE = re.compile(
    r"\bdelt[aey]\b|systemie \w*(?:dwojk|binar|szesnastk|osemk)|"
    r"\bcalk\w+ (?:podwojn|potrojn|krzywolin|powierzchn)"
)
_SCIENTIFIC = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)?)[eE]([+-]?\d{1,2})(?!\w)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A formula found in a prompt.

    ``share`` is the part of the prompt's tokens, from 0 to 1, that it accounts for.
    """

    expression: str
    share: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    node: Node
    start: int
    end: int


def read_formula(prompt: str) -> Reading | None:
    """Return the longest formula of the prompt's first `LONGEST` characters; ``None`` without one.

    A lone number or name is no formula: there must be something to compute.
    """
    text = _prepare(_without_exclamation(prompt[:LONGEST]))
    tokens = tokenise(text)
    if not tokens:
        return None
    said = read_figure(text, tokens) or read_saying(text) or read_conversion(text)
    if said is not None:
        return Reading(expression=said, share=1.0)
    if _UNREADABLE.search(fold(text)):
        return None
    substituted = _substitute(tokens)
    found = _longest(substituted)
    node = None if found is None else _finish(found.node, text)
    if found is None or node is None:
        return None
    return Reading(expression=node.text, share=(found.end - found.start) / len(substituted))


def _prepare(text: str) -> str:
    """Say in words what stands in the notation of functions: f'(x), f(3), the area under y = ….

    Figures such as 1e3 are written out.
    """
    text = _SCIENTIFIC.sub(_write_out, text)
    if area := _AREA.search(fold_evenly(text)):
        text = f"{text[: area.start()]}całka z {text[area.end() :]}"
    if derived := _PRIME.search(text):
        text = f"pochodna {text[: derived.start()]} {text[derived.end() :]}"
    if valued := _VALUE.search(text):
        text = f"{text[: valued.start()]} dla x = {valued[1]}"
    return text


def _write_out(found: re.Match[str]) -> str:
    return f"{Decimal(found[1].replace(',', '.')).scaleb(int(found[2])):f}"


def _longest(tokens: Sequence[Token]) -> _Found | None:
    """Try a formula at every token and keep the one that covers most."""
    best: _Found | None = None
    at = 0
    while at < len(tokens):
        found = _at(tokens, at)
        if found is not None and (best is None or _size(found) > _size(best)):
            best = found
        at = max(at + 1, found.end if found is not None and found.node.is_work else at + 1)
    return best


def _size(found: _Found) -> tuple[bool, int]:
    return found.node.is_work, found.end - found.start


def _at(tokens: Sequence[Token], at: int) -> _Found | None:
    if tokens[at].kind == "word" and tokens[at].text in {"z", "i", "do", "od"}:
        return None
    formula = Formula(tokens, _OPERATIONS, at)
    node = formula.attempt(lambda: read_relations(formula)) or formula.attempt(formula.sum)
    if node is None:
        return None
    return _Found(node=node, start=at, end=formula.at)


def _finish(node: Node, text: str) -> Node | None:
    """Apply what is said before or after the formula: the unknown, "uprość", places."""
    words = fold(text)
    if node.text.startswith("solve(Eq(") or node.text.startswith("solve("):
        return _solved_for(node, words)
    if (places := _PLACES.search(words)) and not node.text.startswith("round("):
        return call("N", node, number(str(int(places[1]) + 1)))
    if node.role == "matrix" and not node.is_work:
        return _matrix_afterwards(node, words)
    if node.letters and (node.level < ATOM or not node.text.endswith(")")):
        node = _afterwards(node, words)
    return node if node.is_work else None


def _afterwards(node: Node, words: str) -> Node:
    for pattern, function in _AFTERWARDS:
        if re.search(pattern, words):
            if function == "zeros":
                return solve([relate(node, "=", number("0"))]) or node
            letter = "x" if "x" in node.letters else node.letters[0]
            tail = f", {letter}" if function in {"diff", "integrate"} else ""
            return call(function, node, tail=tail)
    return node


def _matrix_afterwards(node: Node, words: str) -> Node | None:
    for stem, tail in (("odwrotn", ".inv()"), ("wyznacznik", ".det()"), ("transpo", ".T")):
        if stem in words:
            return replace(node, text=node.text + tail, is_work=True)
    return None


def _solved_for(node: Node, words: str) -> Node:
    asked = _ASKED.search(words)
    if asked is None or asked[1] not in node.letters or node.text.endswith("])"):
        return node
    head, _, _ = node.text.rpartition(", ")
    return replace(node, text=f"{head}, {asked[1]})")


def _substitute(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Put values into letters: "… dla x = 3" and "… gdy a = 2, b = 5"."""
    given = next(
        (
            at
            for at, token in enumerate(tokens)
            if token.kind == "word" and _GIVEN.fullmatch(token.text)
        ),
        None,
    )
    if not given:
        return tuple(tokens)
    values = _values(tokens[given + 1 :])
    if values is None or not any(token.text in values for token in tokens[:given]):
        return tuple(tokens)
    if any(token.text.startswith(("granic", "lim", "pochodn", "zroznicz")) for token in tokens):
        return tuple(tokens)
    return tuple(
        replacement
        for token in tokens[:given]
        for replacement in (
            _bracketed(values[token.text], token) if token.text in values else (token,)
        )
    )


def _values(tokens: Sequence[Token]) -> Mapping[str, str] | None:
    values: dict[str, str] = {}
    at = 0
    while at < len(tokens):
        name = tokens[at]
        sign = tokens[at + 1] if at + 1 < len(tokens) else None
        if name.kind != "letter" or sign is None or sign.text not in {"=", "rowne", "rowna"}:
            break
        at += 2
        minus = at < len(tokens) and tokens[at].text in {"-", "minus"}
        at += minus
        if at >= len(tokens) or tokens[at].kind not in {"number", "share"}:
            return None
        values[name.text] = ("-" if minus else "") + tokens[at].text
        at += 1
        while at < len(tokens) and tokens[at].text in {",", "i", "oraz"}:
            at += 1
    rest = [token for token in tokens[at:] if token.kind in {"letter", "number"}]
    return values if values and not rest else None


def _bracketed(value: str, token: Token) -> tuple[Token, ...]:
    inside = replace(token, kind="number", text=value)
    return replace(token, kind="sign", text="("), inside, replace(token, kind="sign", text=")")


def _without_exclamation(text: str) -> str:
    """Drop a closing exclamation mark that is punctuation: "Policz 2+2!"."""
    bare = text.rstrip()
    if bare.count("!") != 1 or len(re.findall(r"[^\W\d]{3,}", bare)) == 0:
        return text
    if not bare.endswith("!") or not re.search(r"[-+*/^=·×÷:]|razy|plus|minus", bare[:-1]):
        return text
    return bare[:-1]
