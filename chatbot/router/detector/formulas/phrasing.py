"""Say in the grammar's words what school notation says with names: f(3), tangents, areas, terms."""

import re
from collections.abc import Callable

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_N = r"-?\d+(?:[.,]\d+)?"
_AREA = Guarded(
    r"\b(?:pole|powierzchnia) (?:(?:figury|obszaru|powierzchni|lez\w+|zawart\w+|ograniczon\w+) )?"
    r"pod (?:(?:krzywa|wykresem|parabola|prosta|funkcji|funkcja|linia) )*(?:[yf](?:\(x\))? ?= ?)?"
)
_PUT = regex(
    rf"\b([a-z])\s*=\s*({_N}) (?:wstawi|podstawi)\w* (?:do|w) ([^?;]{{3,80}})", re.IGNORECASE
)
_ENDED = (
    r"(?=[;?„”]|,(?!\d)|\.(?!\d)|\b(?:oblicz|policz|wyznacz|podaj|znajdz|ile|jaka|i|oraz|a|dla|w|to|"
    r"wartosc|gdy)\b|\b[fghpw] ?\(|$)"
)
_FUNCTION = Guarded(
    rf"\b(?P<name>[fghpw])\s*\(\s*(?P<letter>[a-z])\s*\)\s*=\s*(?P<body>\S[^=?;]*?){_ENDED}"
)
_BARE_FUNCTION = regex(
    rf"\b(?P<name>[fgh])\s*=\s*(?P<letter>)(?P<body>\S[^=?;]*?){_ENDED}", re.IGNORECASE
)
_EQUAL_TO = regex(
    rf"\b(?P<name>[fgh]) ?\(x\) ?= ?(?P<body>[^=;?]*x[^=;?,]*)[,;.:]"
    rf"(?: [^\W\d]+)* (?P=name) ?\(x\) ?= ?"
    rf"(?P<value>{_N})\W*$"
)
_TERMS = Guarded(rf"\b(?P<name>[abcu])_?\(?(?P<letter>n)\)?\s*=\s*(?P<body>\S[^=?;]*?){_ENDED}")
_COMPOSED = Guarded(r"\b([fgh])\s*\(\s*([fgh])\s*\(|\(\s*([fgh])\s*∘\s*([fgh])\s*\)\s*\(")
_RING = Guarded(r"\(?\b([fgh])\s*∘\s*([fgh])\b\s*\)?\s*\(\s*([^()]{1,12})\s*\)")
_INTERVAL = rf"\[\s*({_N})\s*[,;]\s*({_N})\s*\]"
_DOUBLE = regex(
    r"(?:∫\s*∫|calk\w+ podwojn\w+)\s*(?:z |ze )?(?:funkcji )?(?:f ?\(x ?, ?y\) ?= ?)?"
    r"(?P<body>\S[^\[\]=]*?)(?P<d>\s*d[xy]\s*d[xy])?\s*(?:po|na|nad|w)? ?(?:\w+ )?(?:D ?= ?)?"
    rf"{_INTERVAL}\s*[x×*]\s*{_INTERVAL}",
    re.IGNORECASE,
)
_DOUBLE_BELOW = Guarded(
    rf"(?:∬|∫\s*∫)\s*_?\(?\s*{_INTERVAL}\s*[x×*]\s*{_INTERVAL}\)?(?P<body>[^\[\]=?]+?)d[xy]\s*d[xy]"
)
_NESTED = Guarded(
    r"calka od \(([^()]+)\) do \(([^()]+)\) z\s+calka od \(([^()]+)\) do \(([^()]+)\) z"
    r"([^=?]+?)d([xyt])\s*d([xyt])"
)
_AT_TANGENT = (
    rf"(?:,|\s)\s*(?:w|dla|przy|o)(?: punkcie)?(?: o)?(?: odcietej)? (?:x_?0? ?= ?)?(?P<at>{_N})"
)
_DRAWN = r"(?:wykres\w*|krzyw\w+|parabol\w+|hiperbol\w+|funkcj\w+)"
_NAME = r"[yfgh]\s*(?:\(x\))?\s*=\s*"
_TANGENTS = (
    Guarded(
        rf"\bstyczn\w+.*?(?:{_NAME}|\bdo (?:{_DRAWN} )*(?:{_NAME})?)"
        rf"(?P<body>[^=,;?]*?x[^=,;?]*?){_AT_TANGENT}"
    ),
    Guarded(
        rf"(?:{_NAME}|\b{_DRAWN} )(?P<body>[^=;?:]*?x\b[^=;?:]*?)(?:[,;.:]| i) (?:[a-z]+ ){{0,4}}"
        rf"styczn\w+(?: [a-z]+){{0,3}}?{_AT_TANGENT}"
    ),
)
_DIVIDED = Guarded(
    r"(?P<above>(?:\(?-?\d*x)[\dx\s+*^.-]*[+-] ?[\dx^ ]+\)?)\s*(?:przez|:|÷)"
    r"(?: dwumian| wielomian)?\s*(?P<below>\(?\s*-?\d*x[\dx\s+*^.-]*\)?)"
)
_INTEGRAND_FIRST = Guarded(
    r"^\W*(?:(?:oblicz|policz|wyznacz|funkcja) )?(?P<body>[^,;:?]*\b\d*[xtu]\b[^,;:?]*?)"
    r"(?: ?[,;:–-](?= )|(?= s?calkow| calka od)) "
    r"(?P<noun>calk[aęeio]\w*(?: oznaczon\w+)?|scalk\w+) "
    r"(?P<rest>(?:od|w granicach|na|po|w) [^?]*?)"
    r"(?:,? ?(?:(?:i )?ile|to|co)(?: (?:to|bedzie|wyjdzie|wychodzi|da|daje))*)?[ ?.!]*$"
)
_SLOPE = Guarded(r"\b(?:nachyleni|wspolczynnik\w* kierunkow)")
_TAYLOR = Guarded(r"\btaylor|\bma?claurin")
_UP_TO = Guarded(
    r"\b(?:do|az do|stopien|do stopnia|rzad) (?:x\s*\^\s*)?\(?(\d{1,2})\)?"
    r"(?! ?(?:wyraz|stopn|rzed))"
)
_EXPAND = Guarded(r"\brozwin\w*\b(?: (?:funkcje|wzor))?")
_GRADIENT = Guarded(r"∇\s*[fgF]?(?:\(x ?, ?y(?: ?, ?z)?\))?(?: dla)?|\bgradient\w*(?: dla)?")
_OF_TWO = Guarded(r"\bf ?\( ?x ?, ?y(?: ?, ?z)? ?\) ?= ?")
_LIMIT_OF_QUOTIENT = Guarded(
    r"(?P<noun>\bgranic\w*|\blim(?:es)?)(?: (?:ciagu|funkcji|wyrazenia|z|ze))* "
    r"(?P<above>[^():,;?=]*?[-+][^():,;?=]*?|[^():,;?=]*?\b(?:plus|minus)\b[^():,;?=]*?) "
    r"(?:przez|podzielon\w+ przez|dzielon\w+ przez) (?P<below>[^():,;?=]*?)"
    r"(?=,? (?:gdy|przy|dla|w|kiedy|jak|dazac\w+|[a-z] ?(?:->|→))"
    r"\b|,? ?[a-z] ?(?:->|→)|\s*[,?.]?\s*$)"
)
_OF_QUOTIENT = regex(r"\b(?:granic|pochodn|calk)")
_ASKED_NEXT = "upros\\w*|skroc\\w*|oblicz|policz|wyznacz|podaj|ile|jaka|to|co|po skroceniu"
_MATRIX_ROWS = Guarded(
    r"(?P<noun>\bmacierz\w*|\bwyznacznik\w*)"
    r"(?:,? (?:macierzy|stopnia|(?:o )?wiersz\w*|z wierszami|kolejno))*"
    r"\s*:?\s*(?P<rows>\(?-?\d+(?:[ ,]+-?\d+)+\)?"
    r"(?:\s*(?:[;,|\n]|\b(?:i|oraz)\b)\s*\(?-?\d+(?:[ ,]+-?\d+)+\)?)+)"
)
_ROW_TOLD = regex(
    r"(?:u gory|na gorze|w srodku|posrodku|na dole|u dolu|nizej|pod (?:nim|spodem)|"
    r"wiersz\w*(?: to)?:?|(?:a )?(?:potem|nastepnie|dalej)|(?:pierwsz|drug|trzec|czwart)\w+"
    r"(?: wiersz\w*)?:?) ([-−–]?\d+(?: [-−–]?\d+)+)"
)
_OF_MATRIX = regex(r"\bwyznacznik|\bmacierz")
_NOUNS = (
    ("wyznacznik", "wyznacznik"), ("rzad", "rząd"), ("slad", "ślad"), ("odwrotn", "odwrotna"),
    ("transpo", "transpozycja"), ("wartosci wlas", "wartości własne"),
)  # fmt: skip
_NUMERATOR = Guarded(
    r"(?:\b(?:z |ze )?ulam\w+,?:? ?)?(?:\b(?:w|o|z|ma|majacy|mial) )*\blicznik\w*:?"
    r"(?: (?:to|jest|rowny|mamy|masz|stoi|ma))? "
    r"(?P<above>[^,;?=]*?[a-z\d)]),? (?:(?:a|i|oraz|zas|natomiast) )?(?:(?:w|o) )?mianownik\w*:?"
    r"(?: (?:to|jest|rowny|mamy|masz|stoi|ma))? (?P<below>[^,;?=]*?[a-z\d)])"
    rf"(?=,? (?:gdy|kiedy|jak|jesli|dla|przy|w punkcie|{_ASKED_NEXT})\b|\s*[,;?!]|\s*\.(?!\d)|\s*$)"
)
_ROW_END = regex(r"[;|\n]|\)\s*,|\b(?:i|oraz)\b")
_NAMED_FUNCTION = regex(r"(?<![\w'^/*+-])y(?: ?\( ?x ?\))? ?= ?(?=[^=,;?]*\bx\b[^=]*$)")
_OF_FUNCTION = regex(r"\b(?:wartosc\w* funkcji|pochodn(?!.*rownani)|calk[aei]\b|zroznicz|rozniczk)")
_CALLED = regex(rf"(?<![\w'])(?P<name>[fghpw])\s*\(\s*(?P<at>{_N})\s*\)")
_CHOICE = Guarded(r"\bC\s*\(\s*(\d+)\s*[,;]\s*(\d+)\s*\)|\bC_\(?(\d+)\)? ?\^\(?(\d+)\)?")
_LOGARITHM = Guarded(r"(?<![a-z\\])(log)(\d+)(?=\s*(?:[-+*/=?]|$))")
_TIMES_LOGARITHM = Guarded(r"(?<![\w.,_^])(\d+) ?(?=log(?:[\d_(₀-₉]| \d))")
_BOUND_ABOVE = Guarded(r"∫\s*(?=[-\dπ]+\s*\^\s*[-(]?[\dπ∞e]+\)?\s+[^\s^])")


def phrase(text: str) -> str:
    """Return the text with each such notation said in words that the grammar has."""
    for say in _SAYERS:
        text = say(text)
    return text


def _put_integrand_last(text: str) -> str:
    """Say "x·sin x, całka od 0 do π" as the grammar does: "całka od 0 do π z x·sin x"."""
    found = _INTEGRAND_FIRST.search(fold_evenly(text))
    if found is None:
        return text
    body, rest = (text[found.start(name) : found.end(name)] for name in ("body", "rest"))
    return f"całka {rest} z ({body})"


def _drop_name_of_function(text: str) -> str:
    """Say "pochodna y = x^2" without the name, which is no unknown there."""
    folded = fold_evenly(text)
    found = _NAMED_FUNCTION.search(folded) if _OF_FUNCTION.search(folded) else None
    return text if found is None else f"{text[: found.start()]}{text[found.end() :]}"


def _divide_told(text: str) -> str:
    """Write a fraction whose parts are told: "w liczniku x + 1, a w mianowniku x - 1"."""
    found = _NUMERATOR.search(fold_evenly(text))
    if found is None:
        return text
    above, below = (text[found.start(name) : found.end(name)] for name in ("above", "below"))
    lead = " z " if _OF_QUOTIENT.search(fold_evenly(text[: found.start()])) else " "
    return f"{text[: found.start()]}{lead}({above})/({below}) {text[found.end() :]}"


def _divide_in_limit(text: str) -> str:
    """Put "n + 1 przez 2n - 3" of a limit into brackets: a fraction is read out."""
    folded = fold_evenly(text)
    found = _LIMIT_OF_QUOTIENT.search(folded) if "przez" in folded else None
    if found is None:
        return text
    above, below = (text[found.start(name) : found.end(name)] for name in ("above", "below"))
    start, end = found.start("above"), found.end("below")
    return f"{text[:start]}({above}) / ({below}){text[end:]}"


def _tell_rows_apart(text: str) -> str:
    """Write rows that are told one by one: "wiersze: 1 0 2, potem -1 3 1"."""
    folded = fold_evenly(text)
    asked = _OF_MATRIX.search(folded)
    rows = _ROW_TOLD.findall(folded) if asked else []
    if asked is None or len(rows) < 2:  # noqa: PLR2004 - a matrix
        return text
    written = "; ".join(re.sub(r"[−–]", "-", row) for row in rows)
    noun = next((said for stem, said in _NOUNS if re.search(rf"\b{stem}", folded)), "")
    return f"{noun} macierz {written}"


def _write_matrix(text: str) -> str:
    """Write rows in brackets: "wyznacznik macierzy 3x3: 1 2 3, 0 1 4, 5 6 0"."""
    text = _tell_rows_apart(text)
    found = _MATRIX_ROWS.search(fold_evenly(text))
    if found is None:
        return text
    rows = _ROW_END.split(found["rows"])
    if len(rows) == 1:
        rows = found["rows"].split(",")
    cells = [re.findall(r"-?\d+", row) for row in rows]
    if len({len(row) for row in cells}) != 1 or len(cells) < 2 or len(cells[0]) < 2:  # noqa: PLR2004 - a matrix
        return text
    written = ", ".join(f"[{', '.join(row)}]" for row in cells)
    return f"{text[: found.end('noun')]} [{written}]{text[found.end('rows') :]}"


def _say_values(text: str) -> str:
    """Say "pole pod wykresem" as an integral, and put in what is told: "x = 2 wstaw do …"."""
    if area := _AREA.search(fold_evenly(text)):
        text = f"{text[: area.start()]}całka z {text[area.end() :]}"
    if put := _PUT.search(text):
        text = f"{text[: put.start()]} {put[3]} dla {put[1]} = {put[2]}"
    return text


def _equate(text: str) -> str:
    """Say "f(x) = 2x - 5, f(x) = 0" as the equation that it is."""
    equal = _EQUAL_TO.search(text)
    return text if equal is None else f"rozwiąż {equal['body']} = {equal['value']}"


def _apply_functions(text: str) -> str:
    """Write f(4), f(g(x)) and a_7 out where f, g and a_n are told."""
    if "=" not in text:
        return text
    text = _RING.sub(r"\1(\2(\3))", text)
    folded = fold_evenly(text)
    composed = _COMPOSED.search(folded)
    found = [*_FUNCTION.finditer(folded), *_TERMS.finditer(folded)]
    if composed:
        known = {one["name"] for one in found}
        found += [one for one in _BARE_FUNCTION.finditer(folded) if one["name"] not in known]
    if not found or (composed and len(found) < 2):  # noqa: PLR2004 - one is put into the other
        return text
    bodies = {one["name"]: (one["letter"] or "x", one["body"].strip()) for one in found}
    rest = folded
    for one in found:
        rest = f"{rest[: one.start()]}{' ' * (one.end() - one.start())}{rest[one.end() :]}"
    asked = re.search(r"(?<![\w'])([fghpwabcu])_?\s*(?:\(((?:[^()]|\([^()]*\))+)\)|(\d+)\b)", rest)
    if asked is None or asked[1] not in bodies:
        return text
    whole = _put_in(bodies, asked[1], asked[2] or asked[3])
    if whole is None:
        return text
    behind = rest[asked.end() :]
    is_more = re.match(r"\s*[-+*/^]", behind) or re.search(r"[-+*/^]\s*$", rest[: asked.start()])
    if is_more or re.search(rf"(?<![\w'])[{''.join(bodies)}]\s*\(", behind):
        return text if composed else _put_in_all(bodies, rest) or text
    return f"wymnóż {whole}" if composed and re.search(r"[a-z]", whole) else whole


def _put_in_all(bodies: dict[str, tuple[str, str]], rest: str) -> str | None:
    """Write "f(2) + f(1)" out, where each is a value of a function that is told."""
    asked = list(_CALLED.finditer(rest))
    values = [_put_in(bodies, one["name"], one["at"]) for one in asked if one["name"] in bodies]
    if len(values) < len(asked) or None in values:
        return None
    for one, value in reversed(list(zip(asked, values, strict=True))):
        rest = f"{rest[: one.start()]}({value}){rest[one.end() :]}"
    return rest


def _put_in(bodies: dict[str, tuple[str, str]], name: str, argument: str) -> str | None:
    """The body of a function with its argument in place of its letter; that may be a call."""
    inner = re.fullmatch(r"\s*([fgh])\s*\(([^()]+)\)\s*", argument)
    if inner is not None:
        within = _put_in(bodies, inner[1], inner[2]) if inner[1] in bodies else None
        if within is None:
            return None
        argument = within
    elif not re.fullmatch(rf"\s*(?:{_N}(?:/\d+)?|[a-z]|[a-z\d]+\s*[-+]\s*[a-z\d]+)\s*", argument):
        return None
    letter, body = bodies[name]
    if argument.strip() == letter:
        return body
    return re.sub(rf"(?<![a-z]){letter}(?![a-z])", f"({argument.strip()})", body)


def _integrate_twice(text: str) -> str:
    """Say an integral over a rectangle, or one within another, as two that are nested."""
    folded = fold_evenly(text)
    if "∫" not in text and "∬" not in text and "podwojn" not in folded and "calka od" not in folded:
        return text
    if found := _DOUBLE_BELOW.search(folded) or _DOUBLE.search(folded):
        a, b, c, d = (part for part in found.groups() if part and re.fullmatch(_N, part))
        low, high = (a, c), (b, d)
        inner = f"całka od {low[1]} do {high[1]} z ({found['body']}) po y"
        return f"całka od {low[0]} do {high[0]} z ({inner}) po x"
    if found := _NESTED.search(folded):
        a, b, c, d, body, first, second = found.groups()
        return (
            f"całka od ({a}) do ({b}) z (całka od ({c}) do ({d}) z ({body}) po {first}) po {second}"
        )
    return text


def _draw_tangent(text: str) -> str:
    """Say the equation of a tangent by the derivative and the value at its point."""
    folded = fold_evenly(text)
    if "styczn" not in folded:
        return text
    found = next(filter(None, (one.search(folded) for one in _TANGENTS)), None)
    if found is None:
        return text
    body, at = found["body"].strip(), found["at"].replace(",", ".")
    if _SLOPE.search(folded):
        return f"pochodna ({body}) w punkcie {at}"
    value = re.sub(r"(?<![a-z])x(?![a-z])", f"({at})", body)
    return f"(pochodna ({body}) w punkcie {at})*(x - ({at})) + ({value})"


def _divide_polynomials(text: str) -> str:
    """Put polynomials that are divided into brackets."""
    folded = fold_evenly(text)
    if not re.search(r"\bwielomian|\breszt\w+|\biloraz|\bpodziel|\bdzieleni", folded):
        return text
    found = _DIVIDED.search(folded)
    if found is None:
        return text
    noun = "reszta z dzielenia" if "reszt" in folded else "iloraz wielomianów"
    above, below = (_bare(found[name]) for name in ("above", "below"))
    return f"{noun} ({above}) przez ({below})"


def _bare(polynomial: str) -> str:
    """Drop the brackets around a whole polynomial."""
    inner = polynomial.strip(" .")
    is_whole = inner.startswith("(") and inner.endswith(")") and "(" not in inner[1:]
    return inner[1:-1] if is_whole else inner.strip("()") if "(" not in inner[1:] else inner


def _expand_series(text: str) -> str:
    """Say the degree of a Taylor polynomial as the grammar expects it."""
    folded = fold_evenly(text)
    if not _TAYLOR.search(folded):
        return text
    degree = _UP_TO.search(folded)
    if degree:
        text = f"{text[: degree.start()]} {degree[1]} stopnia {text[degree.end() :]}"
    return _EXPAND.sub(" ", fold_evenly(text))


def _say_signs(text: str) -> str:
    """Say C(49, 6), ∇f and ∫0^1 in words, and write 2log5 out."""
    if "∇" in text or "gradient" in text:
        text = _OF_TWO.sub("", _GRADIENT.sub(" gradient ", text))
    text = _BOUND_ABOVE.sub("∫_", text)
    text = _TIMES_LOGARITHM.sub(r"\1*", _LOGARITHM.sub(r"\1(\2)", text))
    return _CHOICE.sub(
        lambda found: f" dwumian ({found[1] or found[3]}) po ({found[2] or found[4]}) ", text
    )


_SAYERS: tuple[Callable[[str], str], ...] = (
    _say_signs,
    _put_integrand_last,
    _drop_name_of_function,
    _write_matrix,
    _divide_told,
    _divide_in_limit,
    _say_values,
    _draw_tangent,
    _equate,
    _apply_functions,
    _integrate_twice,
    _divide_polynomials,
    _expand_series,
)
