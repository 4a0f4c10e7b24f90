"""Equations, systems, inequalities, rewriting of expressions, matrices, properties of numbers."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.router.detector.formulas.grammar import Formula, Operation
from chatbot.router.detector.formulas.nodes import Node, call, letters_of, number, relate

_ZERO = number("0")
_OF = (
    "trojmian",
    "parabol",
    "dwumianu",
    "wyrazen",
    "ulamek",
    "ulamk",
    "wielomian",
    "liczb",
    "funkcj",
    "z",
    "ze",
    "dla",
    "macierz",
)
_SOLVABLE = (
    "rownan", "uklad", "nierowno", "mi", "prosze", "kwadratow", "liniow", "stopnia", "ponizsz",
    "nastepujac", "tych", "tego", "zadanie", "dwoch", "trzech", "dla", "trygonometryczn",
)  # fmt: skip


def read_solve(formula: Formula) -> Node | None:
    """Read "rozwiąż (układ równań) 2a+b=7 i a−b=2", "rozwiąż nierówność x^2 > 4"."""
    formula.advance()
    formula.ordinal()
    formula.skip(*_SOLVABLE)
    return read_relations(formula)


def read_relations(formula: Formula) -> Node | None:
    """Read one equation or inequality, or several that are joined, and solve them."""
    found: list[Node] = []
    formula.sign("{")
    while (item := formula.attempt(formula.relation)) is not None and item.role == "relation":
        found.append(item)
        if not formula.attempt(lambda: _joined(formula)):
            break
    return solve(found) if found else None


def solve(relations: Sequence[Node], letter: str | None = None) -> Node | None:
    """Write the solution of relations, for ``letter`` or for all their variables."""
    letters = letters_of(relations)
    if not letters:
        return None
    if len(relations) == 1:
        one = letter if letter in letters else _unknown(letters)
        text = f"solve({relations[0].text}, {one})"
        return Node(text=text, letters=letters, role="solution", is_work=True)
    texts = ", ".join(relation.text for relation in relations)
    inside = f"[{texts}], [{', '.join(sorted(letters))}]"
    return Node(text=f"solve({inside})", letters=letters, role="solution", is_work=True)


def read_zeros(formula: Formula) -> Node | None:
    """Read "miejsca zerowe funkcji x^2 − 4"."""
    formula.advance()
    formula.skip("zerow", *_OF)
    body = formula.sum()
    if body is None or not body.letters or body.role == "solution":
        return body
    right = formula.sum() if formula.sign("=") else None
    if right is not None and right.letters and body.text == "y":
        body = right
    return solve([relate(body, "=", _ZERO)])


def read_extremes(formula: Formula) -> Node | None:
    """Read "ekstrema funkcji x^3 − 3x": where the derivative is zero."""
    formula.advance()
    formula.skip(*_OF, "lokaln")
    body = formula.sum()
    if body is None or not body.letters:
        return None
    letter = _unknown(body.letters)
    derived = call("diff", body, tail=f", {letter}")
    return solve([relate(derived, "=", _ZERO)], letter)


def read_simplify(formula: Formula) -> Node | None:
    """Read "uprość (x^2−1)/(x−1)", "skróć 6/8"; "wzór skróconego mnożenia" is none."""
    if formula.tokens[formula.at].text.startswith("skrocon"):
        return None
    return _rewrite(formula, "simplify")


def read_expand(formula: Formula) -> Node | None:
    """Read "rozwiń (a+b)^2", "wymnóż (x+1)(x−1)"."""
    return _rewrite(formula, "expand")


_SHARED_OUT = ("rozloze", "rozlozym", "rozlozo")


def read_factor(formula: Formula) -> Node | None:
    """Read "rozłóż na czynniki x^2 − 9", "rozłóż liczbę 60 na czynniki pierwsze".

    Who says "rozłożę 1200 zł na 6 rat" shares it out.
    """
    if formula.tokens[formula.at].text.startswith(_SHARED_OUT):
        return None
    formula.advance()
    if formula.phrase("na", "ulamk", "prost"):
        return _called(formula, "apart")
    formula.skip("na", "czynnik", "pierwsz", "przed", "nawias", "wspoln", "i", "upros", *_OF)
    formula.ordinal()
    body = formula.attempt(lambda: _body(formula))
    if body is None:
        return None
    formula.phrase("na", "czynnik")
    formula.ordinal()
    if body.is_work and not body.letters:  # "wyłącz czynnik przed pierwiastek √180"
        return body
    return call("factorint" if body.role == "number" else "factor", body)


def read_spelt_out(formula: Formula) -> Node | None:
    """Read "rozpisz 5040 na czynniki pierwsze"; what else is written out is no product."""
    is_product = any(token.text.startswith("czynnik") for token in formula.tokens[formula.at :])
    return read_factor(formula) if is_product else None


def read_radicals(formula: Formula) -> Node | None:
    """Read "usuń niewymierność z mianownika 1/√2"."""
    formula.advance()
    if not formula.word("niewymiern"):
        return None
    formula.skip("mianownik", *_OF)
    return _called(formula, "radsimp")


def read_gradient(formula: Formula) -> Node | None:
    """Read "gradient funkcji x^2*y": its derivatives by every variable."""
    formula.advance()
    formula.skip("f", *_OF)
    body = formula.sum()
    if body is None or len(body.letters) < 2:  # noqa: PLR2004 - one variable has a derivative
        return None
    parts = ", ".join(f"diff({body.text}, {letter})" for letter in sorted(body.letters))
    return Node(text=f"Matrix([{parts}])", is_work=True)


def read_whether(formula: Formula) -> Node | None:
    """Read "czy 97 jest liczbą pierwszą", "czy 91 jest podzielne przez 7"."""
    formula.advance()
    formula.skip("liczb")
    asked = formula.power()
    formula.word("jest", "to")
    formula.skip("liczb")
    if asked is None:
        return None
    if (prime := formula.ordinal()) and prime.text == "1":
        return call("isprime", asked)
    if formula.word("podzieln", "dzieli"):
        formula.word("sie")
        formula.word("przez")
        divisor = formula.power()
        return None if divisor is None else call("Mod", asked, divisor)
    if formula.word("parzyst", "nieparzyst"):
        return call("Mod", asked, number("2"))
    return None


def read_divisors(formula: Formula) -> Node | None:
    """Read "dzielniki (naturalne) liczby 60"."""
    formula.advance()
    formula.skip("naturaln", "calkowit", "dodatni", *_OF)
    asked = formula.power()
    return None if asked is None else call("divisors", asked)


def read_matrix_word(formula: Formula) -> Node | None:
    """Read "wyznacznik macierzy …", "macierz odwrotna do …", "rząd macierzy …"."""
    for stem, before, after in _MATRIX_WORDS:
        start = formula.at
        formula.word("macierz")
        if formula.word(stem):
            formula.skip("wlasn", "do", "dla", "macierz", "z", "stopnia", "mi")
            formula.attempt(lambda: _read_size(formula))
            formula.sign(":")
            inner = formula.power()
            if inner is None or inner.role != "matrix":
                return None
            role = "matrix" if stem in {"odwrotn", "transpo"} else ""
            return Node(text=f"{before}{inner.text}{after}", role=role, is_work=True)  # type: ignore[arg-type]  # one of two literals
        formula.at = start
    return None


def _read_size(formula: Formula) -> bool | None:
    """Step over "2x2" or "2 na 2" before a matrix."""
    is_size = formula.number() and (formula.variable() or formula.word("na") or formula.sign("*"))
    return bool(is_size and formula.number()) or None


def _rewrite(formula: Formula, function: str) -> Node | None:
    formula.advance()
    formula.skip(*_OF)
    body = _body(formula)
    if body is None or body.role == "number":
        return None
    return (
        body
        if function == "simplify" and body.is_work and not body.letters
        else (call(function, body))
    )


def _body(formula: Formula) -> Node | None:
    return formula.sum()


def _called(formula: Formula, function: str) -> Node | None:
    formula.skip(*_OF)
    body = formula.sum()
    return None if body is None else call(function, body)


def _joined(formula: Formula) -> bool | None:
    is_found = bool(formula.sign(",", ";") or formula.word("i", "oraz", "a"))
    while formula.word("i", "oraz", "a", "drugie"):
        is_found = True
    following = formula.peek()
    is_next = following is not None and following.kind in {"number", "letter", "sign", "share"}
    return is_next or None if is_found or is_next else None


def _unknown(letters: Sequence[str]) -> str:
    return next((letter for letter in ("x", "y", "z") if letter in letters), letters[0])


_MATRIX_WORDS = (
    ("wyznacznik", "", ".det()"),
    ("det", "", ".det()"),
    ("odwrotn", "", ".inv()"),
    ("odwroc", "", ".inv()"),
    ("rzad", "", ".rank()"),
    ("transpo", "", ".T"),
    ("wartosci", "", ".eigenvals()"),
    ("eigenval", "", ".eigenvals()"),
    ("slad", "trace(", ")"),
)

ALGEBRA: Mapping[str, Operation] = MappingProxyType({
    "rozwiaz": read_solve,
    "rownan": read_solve,
    "nierowno": read_solve,
    "uklad": read_solve,
    "miejsc": read_zeros,
    "pierwiastki": read_zeros,
    "pierwiastkow": read_zeros,
    "zera": read_zeros,
    "ekstrem": read_extremes,
    "minimum": read_extremes,
    "maksimum": read_extremes,
    "upros": read_simplify,
    "skroc": read_simplify,
    "przekszta": read_simplify,
    "rozwin": read_expand,
    "wymnoz": read_expand,
    "rozloz": read_factor,
    "rozklad": read_factor,
    "rozpis": read_spelt_out,
    "faktory": read_factor,
    "czynnik": read_factor,
    "wylacz": read_factor,
    "usun": read_radicals,
    "gradient": read_gradient,
    "czy": read_whether,
    "dzielnik": read_divisors,
    "wyznacznik": read_matrix_word,
    "det": read_matrix_word,
    "macierz": read_matrix_word,
    "odwrotn": read_matrix_word,
    "odwroc": read_matrix_word,
    "rzad": read_matrix_word,
    "transpo": read_matrix_word,
    "slad": read_matrix_word,
    "wartosci": read_matrix_word,
    "eigenval": read_matrix_word,
})
