"""Apply what is said around a formula: the unknown, "uprość", places, a point."""

import re
from collections.abc import Callable
from dataclasses import replace

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.algebra import solve
from chatbot.router.detector.formulas.nodes import ATOM, Node, call, number, relate

_ASKED = regex(r"(?:wyznacz|oblicz|wynosi|znajdz|podaj|wzgledem|policz|to)\s+([a-z])\b")
PLACES = regex(r"(\d+|dwoch|trzech|czterech|pieciu|szesciu)\s*(?:miejsc|cyfr)")
_ROUNDING = regex(r"zaokragl|przecin|dokladn|znacz|dziesietn|rozwin|przybliz|cyfr")
_SPOKEN_PLACES = {"dwoch": 2, "trzech": 3, "czterech": 4, "pieciu": 5, "szesciu": 6}
_AFTERWARDS: tuple[tuple[str, str], ...] = (
    (r"\bupros|\bskroc(?!on)", "simplify"),
    (r"\brozwin|\bwymnoz|\bwykonaj mnozen|\bopusc nawias", "expand"),
    (r"\brozloz|\bczynnik|\biloczynow|\bwylacz", "factor"),
    (r"\bmiejsc\w* zerow|\bpierwiastk(?:i|ow)\b|\bsie zeruj", "zeros"),
    (r"\brozwiaz", "zeros"),
    (r"\bpochodn|\bzroznicz|\brozniczk", "diff"),
    (r"\bcalk[aeoi]\w?\b", "integrate"),
)
_LIMIT = regex(r"\bgranic(?!ach)|\blim\b|\blimes|\bdo czego (?:dazy|zbiega|zmierza)")
_APPLIED = regex(r"\b(?:limit(?:_left|_right)?|integrate|diff|summation|product)\(")
_PLAIN_ANGLE = regex(r"\b(sin|cos|tan|cot)\((\d+)\)")
_COMPLEX_PRODUCT = regex(r"^\([^a-hj-z/]*\)(?:\*\([^a-hj-z/]*\)|\*\*\d+)$")
_TO_ZERO = regex(r"\bw (?:zerze|0)\b|\bdo (?:zera|0)\b")
_TO_INFINITY = regex(r"\bciag(?!l)|\bnieskoncz")
_TIMES = regex(
    r"\b(?:(dwukrotn\w+|dwa razy|2 razy|drug\w+)|trzykrotn\w+|trzy razy|3 razy|trzeci\w+)\b"
)
_TAYLOR = regex(r"\btaylor|\bma?claurin|\bpotegowy\b")
_DEGREE = regex(
    r"\b(\d{1,2}|pierwsz\w+|drugi\w+|trzeci\w+|czwart\w+|piat\w+|szost\w+)[ .-]*"
    r"(?:(?:stopnia|rzedu|potegi)|(wyraz\w*))"
)
_AROUND = regex(
    r"\b(?:wokol|w punkcie|w otoczeniu|otoczeniu)(?: punktu)?(?: x(?:_?0)? ?=)? ?(-?\d+)"
)
_AT_POINT = regex(r"\bw (?:punkcie )?(?:x|x_0) ?= ?(-?\d+(?:[.,]\d+)?(?:/\d+)?)(?!\d|\.\d)|"
                       r"\bw (?:punkcie )?(-?\d+(?:[.,]\d+)?)(?!\d|\.\d)")  # fmt: skip


def finish(node: Node, text: str) -> Node | None:
    """Apply what is said before or after the formula: the unknown, "uprość", places."""
    words = fold(text)
    if node.text.startswith(("asin(", "acos(", "atan(")) and "stopn" in words:
        node = call("degrees", node)
    if "*pi/180" in node.text:  # one angle in degrees: the others are too
        node = replace(node, text=_PLAIN_ANGLE.sub(r"\1(\2*pi/180)", node.text))
    if node.text.startswith("solve(Eq(") or node.text.startswith("solve("):
        return _solved_for(node, words)
    if (
        (places := PLACES.search(words))
        and _ROUNDING.search(words)
        and not node.text.startswith("round(")
    ):
        count = _SPOKEN_PLACES.get(places[1]) or int(places[1])
        if "zaokragl" in words and "miejsc" in places[0]:
            return call("round", node, number(str(count)))
        return call("N", node, number(str(count + 1)))
    if node.role == "matrix" and not node.is_work:
        return _matrix_afterwards(node, words)
    node = _at_point(node, words)
    beyond = next((reader for said, reader in _BEYOND if said.search(words)), None)
    if node.letters and not _APPLIED.match(node.text) and beyond is not None:
        return beyond(node, words)
    is_open = node.level < ATOM or not node.text.endswith(")")
    if node.letters and is_open and not _APPLIED.search(node.text):
        node = _at_point(_afterwards(node, words), words)
    if "algebraiczn" in words and set(node.letters) == {"i"} and _COMPLEX_PRODUCT.search(node.text):
        node = call("expand", node)
    return node if node.is_work else None


def _at_point(node: Node, words: str) -> Node:
    """The value of a derivative where it is asked for: "wartość pochodnej … w punkcie x = 5"."""
    is_asked = re.search(r"\bwartosc pochodn|\bw punkcie\b", words)
    if not is_asked or not node.text.startswith("diff(") or not node.text.endswith(", x)"):
        return node
    found = list(_AT_POINT.finditer(words))
    if not found:
        return node
    return call("limit", node, tail=f", x, {(found[-1][1] or found[-1][2]).replace(',', '.')}")


def _series(node: Node, words: str) -> Node | None:
    """The beginning of the Taylor series of a formula, where its degree is told."""
    found = _DEGREE.search(words)
    if found is None or node.role in {"relation", "solution"}:
        return None
    stems = ("pierwsz", "drugi", "trzeci", "czwart", "piat", "szost")
    degree = next((at for at, stem in enumerate(stems, 1) if found[1].startswith(stem)), 0)
    letter = "x" if "x" in node.letters else node.letters[0]
    at = _AROUND.search(words)
    terms = (degree or int(found[1])) + (0 if found[2] else 1)
    return call("series", node, tail=f", {letter}, {at[1] if at else 0}, {terms}")


def _limit(node: Node, words: str) -> Node | None:
    """The limit of a formula where "granica" stands apart from it: in zero, or of a sequence."""
    letter = "n" if "n" in node.letters else node.letters[0]
    if _TO_ZERO.search(words):
        return call("limit", node, tail=f", {letter}, 0")
    is_sequence = node.letters == ("n",) or (letter == "n" and _TO_INFINITY.search(words))
    if is_sequence or "nieskoncz" in words:
        return call("limit", node, tail=f", {letter}, {'-oo' if 'minus niesk' in words else 'oo'}")
    return None


_BEYOND: tuple[tuple[re.Pattern[str], Callable[[Node, str], Node | None]], ...] = (
    (_LIMIT, _limit),
    (_TAYLOR, _series),
)


def _afterwards(node: Node, words: str) -> Node:
    for pattern, function in _AFTERWARDS:
        if re.search(pattern, words):
            if function == "zeros":
                return solve([relate(node, "=", number("0"))]) or node
            letter = "x" if "x" in node.letters else node.letters[0]
            tail = f", {letter}" if function in {"diff", "integrate"} else ""
            times = _TIMES.search(words) if function == "diff" else None
            tail += f", {2 if times[1] else 3}" if times else ""
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
