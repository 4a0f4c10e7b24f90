"""Integrals, derivatives, limits and sums, as they are asked for in Polish."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.grammar import Formula, Operation
from chatbot.router.detector.formulas.nodes import Node, add, call, multiply, number, power
from chatbot.router.detector.formulas.ranges import Range, read_assigned, read_range

_OF = (
    "z", "ze", "funkcj", "wyrazen", "postaci", "wzorem", "dan", "dla", "zlozon", "podan",
    "nastepujac", "ponizsz", "tej", "wymiern", "trygonometryczn", "wykladnicz", "logarytmiczn",
)  # fmt: skip
_DIFFERENTIAL = regex(r"d[a-z]")
_NUMBERS = ("liczb", "wszystk", "natural", "dodatni", "parzyst", "nieparzyst")
_K = Node(text="k", letters=("k",))
_TWO = number("2")
_MOVING = (
    "dazac", "dazy", "zmierza", "idzie", "idac", "rosnie", "maleje", "daz", "zbiega", "dazenie",
)  # fmt: skip
_SIDES = MappingProxyType({"praw": "limit_right", "lew": "limit_left"})


def read_integral(formula: Formula) -> Node | None:
    """Read "całka (oznaczona) z x^3 od 0 do 2", "∫ x dx", "całka od 0 do 2 z x^3"."""
    if formula.tokens[formula.at].text.startswith("calkowit"):  # "część całkowita"
        return None
    formula.advance()
    formula.skip("oznaczon", "nieoznaczon", "niewlasciw", "pierwotn", "do")
    formula.sign("∫", ":")
    formula.sign("∫")
    letter = formula.attempt(lambda: _read_variable(formula))
    limits = formula.attempt(lambda: read_range(formula))
    formula.skip(*_OF)
    body = formula.sum()
    if body is None:
        return None
    letter = letter or _read_variable(formula)
    limits = limits or formula.attempt(lambda: read_range(formula))
    letter = letter or _read_variable(formula) or (limits.letter if limits else None)
    letter = letter or _variable_of(body)
    if limits is None:
        return call("integrate", body, tail=f", {letter}")
    return call("integrate", body, tail=f", ({letter}, {limits.low.text}, {limits.high.text})")


def read_derivative(formula: Formula) -> Node | None:
    """Read "(druga) pochodna (rzędu 2) funkcji x^2 (po x) (w punkcie 3)"."""
    order = formula.ordinal()
    if not formula.word("pochodn", "zroznicz", "rozniczk", "derivativ"):
        return None
    formula.skip("czastkow", "zwyczajn")
    order = order or formula.attempt(lambda: _read_order(formula))
    letter = formula.attempt(lambda: _read_variable(formula))
    formula.skip(*_OF)
    body = formula.sum()
    if body is None:
        return None
    formula.sign(",")
    letter = letter or _read_variable(formula) or _variable_of(body)
    times = "" if order is None or order.text == "1" else f", {order.text}"
    derived = call("diff", body, tail=f", {letter}{times}")
    point = formula.attempt(lambda: _read_point(formula))
    return derived if point is None else call("limit", derived, tail=f", {letter}, {point.text}")


def read_ordered(formula: Formula) -> Node | None:
    """Read what begins with an ordinal: "druga pochodna x^4", "piąta potęga liczby 3"."""
    found = formula.attempt(lambda: read_derivative(formula))
    if found is not None:
        return found
    exponent = formula.ordinal()
    if exponent is None or not formula.word("poteg"):
        return None
    formula.skip("liczb", "z")
    base = formula.signed()
    return None if base is None else power(base, exponent)


def read_limit(formula: Formula) -> Node | None:
    """Read "granica sin(x)/x przy x dążącym do 0", "lim x→0 sin(x)/x", "… w nieskończoności"."""
    formula.advance()
    formula.skip("lewostronn", "prawostronn", "ciagu", "jednostronn")
    if not formula.phrase("z", "lewej", "stron"):
        formula.phrase("z", "prawej", "stron")
    target = formula.attempt(lambda: _read_approach(formula))
    formula.skip(*_OF, "ciagu", "wyrazu")
    body = formula.sum()
    if body is None:
        return None
    target = target or formula.attempt(lambda: _read_approach(formula))
    if target is None:
        point = formula.attempt(lambda: _read_point(formula))
        target = None if point is None else (None, point)
    if target is None:
        return None
    letter, point = target[0] or _variable_of(body), target[1]
    return call(_side(formula), body, tail=f", {letter}, {point.text}")


def read_tendency(formula: Formula) -> Node | None:
    """Read "(do czego) dąży sin(x)/x, gdy x dąży do 0"."""
    formula.advance()
    body = formula.sum()
    target = None if body is None else _read_approach(formula)
    if body is None or target is None:
        return None
    return call("limit", body, tail=f", {target[0] or _variable_of(body)}, {target[1].text}")


def read_sum(formula: Formula) -> Node | None:
    """Read "suma liczb od 1 do 100", "suma szeregu 1/n^2 od n=1 do ∞", "suma 3 i 5"."""
    formula.advance()
    return formula.attempt(lambda: _run_over(formula, "summation")) or _join_items(formula, "+")


def read_product(formula: Formula) -> Node | None:
    """Read "iloczyn liczb od 1 do 5", "iloczyn 4 i 6"."""
    formula.advance()
    return formula.attempt(lambda: _run_over(formula, "product")) or _join_items(formula, "*")


def _join_items(formula: Formula, sign: str) -> Node | None:
    formula.skip("liczb", "z", "nastepujac", "kwot", "macierz", "kolejn")
    formula.attempt(lambda: _counted(formula))
    each = read_each(formula)
    formula.skip("liczb", "z")
    found = formula.items(formula.closed, most=2 if formula.is_closed else None)
    if len(found) < 2:  # noqa: PLR2004 - one thing has no sum
        return None
    found = [each(item) for item in found]
    joined = found[0]
    for item in found[1:]:
        joined = multiply(joined, "*", item) if sign == "*" else add(joined, "+", item)
    return joined


def _counted(formula: Formula) -> bool:
    """Step over how many are listed: "trzech kolejnych liczb:"."""
    formula.number()
    is_counted = formula.word("kolejn", "nastepujac", "liczb") is not None
    formula.skip("kolejn", "nastepujac", "liczb", "natural", "calkowit", "parzyst", "nieparzyst")
    return is_counted


def read_each(formula: Formula) -> Callable[[Node], Node]:
    """Read what is made of each number first: "kwadratów" of "suma kwadratów 3 i 4"."""
    if formula.word("kwadratow"):
        return lambda item: power(item, _TWO)
    if formula.word("szescianow"):
        return lambda item: power(item, number("3"))
    if formula.word("pierwiastkow"):
        formula.word("kwadratow")
        return lambda item: call("sqrt", item)
    if formula.word("odwrotnosci"):
        return lambda item: multiply(number("1"), "/", item)
    if formula.phrase("silni"):
        return lambda item: call("factorial", item)
    return lambda item: item


def _run_over(formula: Formula, function: str) -> Node | None:
    formula.skip("szereg", "wszystk", "kolejn", "ciagu", "geometryczn", "liczbow", "potegow",
                 "nieskonczon")  # fmt: skip
    formula.skip("do", "siebie", "po", "kolei", "wszystk", "razem", "liczb", "wyrazy")
    before = read_each(formula)
    count = formula.power() if formula.word("pierwsz", "poczatkow") else None
    behind = read_each(formula)
    formula.skip("wszystk", "kolejn", "liczb", "cyfr", "po", "kolei")
    if formula.word("pierwsz"):  # the primes are no run
        return None
    parity = formula.word("parzyst", "nieparzyst")
    formula.skip("liczb", "natural", "calkowit", "dodatni", "wlacznie", "kolejn")
    parity = parity or formula.word("parzyst", "nieparzyst")
    formula.skip("liczb", "natural")
    term = behind(before(_numbered(parity)))
    if count is not None:
        return Node(text=f"{function}({term.text}, (k, 1, {count.text}))", is_work=True)
    limits = formula.attempt(lambda: read_range(formula))
    limits = limits or formula.attempt(lambda: _read_end(formula))
    if limits is not None:
        return _read_body(formula, function, limits) or _runs(function, term, parity, limits)
    body = formula.sum()
    if body is None or not body.letters:
        return None
    limits = read_range(formula)
    if limits is None:
        return None
    letter = limits.letter or _variable_of(body)
    return call(function, body, tail=f", ({letter}, {limits.low.text}, {limits.high.text})")


def _read_end(formula: Formula) -> Range | None:
    """Read "do stu" behind "wszystkich liczb naturalnych": they begin with one."""
    before = formula.peek(-1)
    is_of_numbers = before is not None and before.text.startswith(_NUMBERS)
    high = formula.power() if is_of_numbers and formula.word("do") else None
    is_end = high is not None and high.text.isdecimal()
    return Range(low=number("1"), high=high) if high is not None and is_end else None


def _read_body(formula: Formula, function: str, limits: Range) -> Node | None:
    """Read what is summed where the bounds came first: "od k=1 do 10 z k^2"."""
    if limits.letter is None:
        return None
    formula.skip(*_OF)
    body = formula.attempt(formula.product)
    if body is None:
        return None
    return call(function, body, tail=f", ({limits.letter}, {limits.low.text}, {limits.high.text})")


def _numbered(parity: str | None) -> Node:
    """The k-th number of a run: of all, of the even or of the odd ones."""
    if parity is None:
        return _K
    even = multiply(_TWO, "*", _K)
    return add(even, "-", number("1")) if parity.startswith("n") else even


def _runs(function: str, term: Node, parity: str | None, limits: Range) -> Node | None:
    low, high = limits.low.text, limits.high.text
    if parity is None:
        return Node(text=f"{function}({term.text}, (k, {low}, {high}))", is_work=True)
    if not (low.isdecimal() and high.isdecimal()):
        return None
    if parity.startswith("n"):
        first, last = int(low) // 2 + 1, (int(high) + 1) // 2
    else:
        first, last = (int(low) + 1) // 2, int(high) // 2
    return Node(text=f"{function}({term.text}, (k, {first}, {last}))", is_work=True)


def _read_variable(formula: Formula) -> str | None:
    """Read "dx", "po x", "względem zmiennej x"."""
    token = formula.peek()
    if token is not None and token.kind == "word" and _DIFFERENTIAL.fullmatch(token.text):
        formula.advance()
        return token.text[1]
    return formula.attempt(lambda: _read_named(formula))


def _read_named(formula: Formula) -> str | None:
    if not formula.word("po", "wzgledem", "wzgl"):
        return None
    formula.skip("zmienn")
    letter = _letter(formula)
    if letter is None or not letter.letters:
        return None
    letters = [letter.text]
    while (further := formula.attempt(lambda: _read_further(formula))) is not None:
        letters.append(further.text)
    return ", ".join(letters)


def _letter(formula: Formula) -> Node | None:
    """Read a variable, also the one that looks like a preposition: "po x i z"."""
    if (letter := formula.variable()) is not None:
        return letter
    return Node(text="z", letters=("z",)) if formula.word("z") else None


def _read_further(formula: Formula) -> Node | None:
    """Read "i y" of "po x i y" (a mixed derivative)."""
    joined = formula.word("i", "oraz", "potem", "po") or formula.sign(",")
    formula.word("po")
    letter = _letter(formula) if joined else None
    following = formula.peek()
    is_last = following is None or following.kind == "word"
    return letter if letter is not None and letter.letters and is_last else None


def _read_order(formula: Formula) -> Node | None:
    if formula.word("rzedu"):
        return formula.power()
    order = formula.ordinal()
    return order if formula.word("rzedu", "stopnia") else None


def _read_point(formula: Formula) -> Node | None:
    """Read "w punkcie x=2", "w zerze", "dla x = 3", "w nieskończoności"."""
    formula.sign(",")
    if not formula.word("w", "dla", "przy", "gdy"):
        return None
    formula.skip("punkcie", "punkt")
    formula.attempt(lambda: read_assigned(formula))
    return formula.sum()


def _read_approach(formula: Formula) -> tuple[str | None, Node] | None:
    """Read "przy x dążącym do 0", "gdy x → 0", "x->0"."""
    formula.sign(",", "_")
    formula.sign("{", "(")
    formula.word("przy", "gdy", "dla", "jesli", "kiedy", "jezeli", "jak", "z")
    letter = formula.variable()
    is_moving = formula.word(*_MOVING)
    if not (formula.sign("->") or formula.word("do") or (is_moving and formula.word("w"))):
        return None
    point = formula.unary()
    if point is not None and formula.sign("/"):
        divisor = formula.power()
        point = None if divisor is None else multiply(point, "/", divisor)
    formula.sign("}", ")")
    return None if point is None else (letter.text if letter else None, point)


def _side(formula: Formula) -> str:
    words = {token.text for token in formula.tokens}
    for stem, function in _SIDES.items():
        if any(word.startswith(stem) and word.endswith(("ej", "a", "e", "o")) for word in words):
            return function
    return "limit"


def _variable_of(body: Node) -> str:
    return "x" if "x" in body.letters or not body.letters else body.letters[0]


CALCULUS: Mapping[str, Operation] = MappingProxyType({
    "calk": read_integral,
    "nieoznaczon": read_integral,
    "scalkuj": read_integral,
    "integral": read_integral,
    "caleczk": read_integral,
    "pierwotn": read_integral,
    "derivativ": read_derivative,
    "pochodn": read_derivative,
    "zroznicz": read_derivative,
    "rozniczk": read_derivative,
    **dict.fromkeys(("pierwsz", "drug", "trzeci", "czwart", "piat", "szost"), read_ordered),
    **dict.fromkeys(("siodm", "osm", "dziewiat", "dziesiat"), read_ordered),
    "granic": read_limit,
    "lim": read_limit,
    "limes": read_limit,
    **dict.fromkeys(("dazy", "zbiega", "zmierza"), read_tendency),
    "suma": read_sum,
    "sume": read_sum,
    "sumy": read_sum,
    "zsumuj": read_sum,
    "sumuj": read_sum,
    "sumowani": read_sum,
    "iloczyn": read_product,
})
