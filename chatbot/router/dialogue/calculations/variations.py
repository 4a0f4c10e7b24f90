"""Another operation on what was just calculated with: the second derivative, the inverse matrix."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.listing import MEANS
from chatbot.router.dialogue.scene import Scene

_DIFF = regex(r"^diff\((?P<f>.+), (?P<x>[a-z])(?:, (?P<n>\d))?\)$")
_INTEGRAL = regex(r"^integrate\((?P<f>.+), (?:(?P<x>[a-z])|\((?P<y>[a-z]), .+, .+\))\)$")
_MATRIX = regex(r"^\(?(?P<m>Matrix\(\[.*?\]\]\))\)?(?:\.\w+(?:\(\))?|\*\*-?\d)?$")
_PRODUCT = regex(r"^(Matrix\(\[.*?\]\]\))\*(Matrix\(\[.*?\]\]\))$")
_LOG = regex(r"^log\(([^,()]+|exp\(\d+\))(?:, [^,()]+)?\)$")
_TRIG = regex(r"\b(sin|cos|tan|cot)\(")
_SUM = regex(r"^summation\((?P<k>\w+), \((?P=k), (?P<a>\d+), (?P<n>\d+)\)\)$")
_EVENS = regex(r"^(summation\(2\*k)(, \(k, 1, \d+\)\))$")
_RELATION = regex(r"(?<=[\w)] )(?:>=|<=|>|<)(?= [-\w(])")
_SOLVE = regex(r"^solve\((?:Eq\((?P<f>.+), (?P<g>[^,()]+)\)|(?P<h>.+)), (?P<x>[a-z])\)$")
_SIGN_NAMED = regex(
    r"(?:zamiast|nie) (?:znaku )?(?:=|rown\w*).{0,24}?"
    r"(?:(?P<ge>>=|≥|wiek\w+ (?:lub|albo|badz) rown\w+)|"
    r"(?P<le><=|≤|mniej\w+ (?:lub|albo|badz) rown\w+)|(?P<gt>>|wiek\w+)|(?P<lt><|mniej\w+))"
)
_SIGN_ALONE = regex(
    r"^(?:(?:a|i|no|z|ze|jak|gdyby|bedzie|bylo|znak\w*|teraz|dla) )*"
    r"(?:(?P<ge>>=|≥|wiek\w+ (?:lub|albo|badz) rown\w+)|"
    r"(?P<le><=|≤|mniej\w+ (?:lub|albo|badz) rown\w+)|(?P<gt>>|wiek\w+)|(?P<lt><|mniej\w+))\W*$"
)
_RELATIONS = ((">=", "ge"), ("<=", "le"), (">", "gt"), ("<", "lt"))
_POWER = regex(r"^expand\((?P<f>.+)\)$|^factor\((?P<g>.+)\)$")
_OF_ONE = regex(r"^(?:isprime|factorint|divisors|sqrt|factorial|primefactors)\((\d+)\)$")
_OF_SEVERAL = regex(r"^(gcd|lcm)\((.+)\)$")
_CIRCLE = regex(
    r"^(?:2\*|4\*|Rational\(4, 3\)\*)?pi\*(?P<r>\d+(?:\.\d+)?|Rational\(\d+, \d+\))(?:\*\*[23])?$"
)
_ACROSS = regex(r"\bsrednic\w*,? (?:a )?(?:nie|zamiast) promie\w*|\bnie promie\w*.*\bsrednic\w*")
_SQUARE = regex(r"^(?P<a>\d+(?:\.\d+)?)\*\*2$|^(?P<b>\d+(?:\.\d+)?)\*(?P=b)$")
_SIDES = regex(
    r"^(?P<a>\d+(?:\.\d+)?|Rational\(\d+, \d+\))\*(?P<b>\d+(?:\.\d+)?|Rational\(\d+, \d+\))$"
)
_DIAGONAL = regex(
    r"^sqrt\((?P<a>[\d.]+)\*\*2 \+ (?P<b>[\d.]+)\*\*2\)$|^2\*\((?P<c>[\d.]+) \+ (?P<d>[\d.]+)\)$"
)
_PERCENT = regex(
    r"^(?P<a>.+)\*Rational\((?P<p>\d+), (?P<of>\d+)\)$|^(?P<b>.+)\*(?P<q>\d+)/(?P<per>100)$"
)
_BOUNDS = regex(r"\bod (.{1,14}?) do (.{1,18}?)(?:[?.!,]|$)|\[(.{1,9})[;,] (.{1,9})\]")
_UPPER = regex(r"^(?:(?:a|i|no|gdyby|jakby|tylko|to samo|tak samo) )*do (.{1,12}?)[?.! ]*$")
_BRACKETED = regex(r"\((\w+), (?P<a>[^,()]+), (?P<b>(?:[^,()]|\([^()]*\))+)\)\)$")
_NAMES = {"sin": r"sinus\w*|sin", "cos": r"cosinus\w*|cos|kosinus\w*",
          "tan": r"tangens\w*|tg|tan", "cot": r"cotangens\w*|ctg|kotangens\w*"}  # fmt: skip
_TWO_SIDES = regex(r"^(\d+)( ?(?:\*\*|/|-) ?)(\d+)$")
_LITERAL = regex(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_LISTING = regex(r"\b(?:a|i|oraz|dla|z|to|teraz|liczb\w*)\b|[\d(),;\[\] .−-]+")
_LIMIT = regex(r"^limit\((?P<f>.+), (?P<x>[a-z]), [^,]+\)$")
_POINT = regex(
    r"\b(?:w(?: punkcie)?|do|przy x do|dla x do|punkt\w*(?: \w+)?)(?: x ?=)? "
    r"?((?:minus |[-−])?(?:zer\w+|niesk\w+|∞|oo|\d+))"
)
_WHOLE = 100
_TAILS = (
    ("odwrot", ".inv()"), ("transpo", ".T"), ("wyznacznik", ".det()"), ("rzad", ".rank()"),
    (r"\bslad", ".trace()"), ("kwadrat", "**2"), ("wlasn", ".eigenvals()"),
)  # fmt: skip
_PARTS = (
    (r"\bpodstaw", r"(?<=^log\()([^,()]+), [^,()]+(?=\)$)", r"\1, {}"),
    (r"\blicznik", r"(?<![\w.])\d+(?=/)", "{}"),
    (r"\bmianownik", r"(?<=/)\d+", "{}"),
    (r"\bpoteg|\bwykladnik|\bstopn", r"(?<=\*\*)\d+", "{}"),
)
_CIRCLES = (
    (r"objetosc\w* kuli", "Rational(4, 3)*pi*{}**3"),
    (r"(?:pole )?powierzchni\w* (?:\w+ )?(?:kuli|sfery|tejze)", "4*pi*{}**2"),
    (r"obwod\w*|dlugosc okregu", "2*pi*{}"),
    (r"srednic\w*", "2*{}"),
    (r"\bpolkol\w*|polow\w+ kola", "pi*{}**2/2"),
    (r"\bpole\b|powierzchni\w*", "pi*{}**2"),
)
_RECTANGLES = (
    (r"obwod\w*|ogrodz\w*|plot\w*|listw\w*", "2*({} + {})"),
    (r"przekatn\w*", "sqrt({}**2 + {}**2)"),
    (r"\bpole\b|powierzchni\w*", "{}*{}"),
)
_SQUARES = (
    (r"objetosc\w*|szescian\w*", "{}**3"),
    (r"obwod\w*", "4*{}"),
    (r"przekatn\w*", "{}*sqrt(2)"),
)
_ONE = (
    (r"dzielnik\w*|(?:przez co|przez jakie) .*dziel\w*", "divisors({})"),
    (r"czynnik\w*|rozloz\w*|rozklad\w*|rozpad\w*|rozbi\w*|jako iloczyn", "factorint({})"),
    (r"pierwsz\w*", "isprime({})"),
    (r"pierwiast\w*", "sqrt({})"),
    (r"silni\w*", "factorial({})"),
    (r"kwadrat\w*", "{}**2"),
)


def varied(scene: Scene) -> str | None:
    """Build another calculation on the operand of the last one, by what the prompt names."""
    expression = last_expression(scene.state)
    if expression is None:
        return None
    return next((found for rule in _RULES if (found := rule(scene, expression))), None)


def _turned(scene: Scene, expression: str) -> str | None:
    """Exchange the two sides of a power, a fraction, a difference: "a odwrotnie?"."""
    found = _TWO_SIDES.match(expression)
    if found is None or not re.search(
        r"\b(?:na odwrot|odwrotnie|zamien\w* miejscami)\b", scene.folded
    ):
        return None
    return f"{found[3]}{found[2]}{found[1]}"


def _relisted(scene: Scene, expression: str) -> str | None:
    """Put other numbers for a whole list or for vectors: "dla (2, 3, 1) oraz (1, 1, 4)?"."""
    numbers = [one.text for one in read_amounts(scene.text)]
    told = [found[0] for found in _LITERAL.finditer(expression)]
    words = _LISTING.sub(" ", scene.folded).strip(" .?!")
    if len(numbers) < 2 or words or any(one.pair for one in read_amounts(scene.text)):  # noqa: PLR2004
        return None
    if several := _OF_SEVERAL.match(expression):
        return f"{several[1]}({', '.join(numbers)})"
    if not expression.startswith("Matrix(") or len(numbers) != len(told):
        return None
    left = iter(numbers)
    return _LITERAL.sub(lambda _: next(left), expression)


def _statistics(scene: Scene, expression: str) -> str | None:
    """Another statistic of the same list: the median, the sum, the range."""
    mean = next((found for form in MEANS if (found := form.match(expression))), None)
    if mean is None or read_amounts(scene.text):
        return None
    values = sorted(re.split(r"\s*\+\s*", mean[1]), key=float)
    middle = len(values) // 2
    if "median" in scene.folded:
        is_even = len(values) % 2 == 0
        return f"({values[middle - 1]} + {values[middle]})/2" if is_even else values[middle]
    if re.search(r"\brozstep|\bmiedzy najw\w+ a najm", scene.folded):
        return f"{values[-1]} - {values[0]}"
    return mean[1] if re.search(r"\bsum[aeęy]\b|\brazem\b", scene.folded) else None


def _again(scene: Scene, expression: str) -> str | None:
    """The same change in percent once more: "w kolejnym roku znowu"."""
    found = _PERCENT.match(expression)
    if found is None or not re.search(
        r"\b(?:znow\w*|ponownie|kolejn\w+|powtor\w+|jeszcze|dodatkow\w+)\b", scene.folded
    ):
        return None
    above, below = int(found["p"] or found["q"]), int(found["of"] or found["per"])
    if _WHOLE % below or (below != _WHOLE and not _tells_percent(scene)):
        return None
    share, numbers = above * _WHOLE // below, read_amounts(scene.text)
    if len(numbers) > 1 or any(one.unit not in {"", "%"} for one in numbers):
        return None
    if numbers:
        sign = "-" if share < _WHOLE else "+"
        return f"{expression}*(100 {sign} {numbers[0].text})/100"
    return f"{expression}*Rational({share}, 100)"


def _tells_percent(scene: Scene) -> bool:
    last = scene.state.last
    return last is not None and re.search(r"%|\bproc", last.prompt) is not None


def _named_part(scene: Scene, expression: str) -> str | None:
    """Put a number where the prompt says: the base, the exponent, above or below the line."""
    numbers = read_amounts(scene.text)
    if len(numbers) != 1:
        return None
    for said, pattern, form in _PARTS:
        if re.search(said, scene.folded) and re.search(pattern, expression):
            return re.sub(pattern, form.format(numbers[0].text), expression, count=1)
    return None


def _bounds(scene: Scene, expression: str) -> str | None:
    """Set the bounds of an integral or a sum: "a od 0 do 2pi?", "a do pi?"."""
    said, before = _BOUNDS.search(scene.folded), _BRACKETED.search(expression)
    upper = _UPPER.match(scene.folded) if said is None and before else None
    if upper is not None and before is not None and (high := _bound(upper[1])) is not None:
        return f"{expression[: before.start()]}({before[1]}, {before['a']}, {high}))"
    if said is None:
        return None
    low, high = (_bound(text) for text in said.groups() if text is not None)
    if low is None or high is None:
        return None
    if before is not None:
        return f"{expression[: before.start()]}({before[1]}, {low}, {high}))"
    integral = _INTEGRAL.match(expression)
    return f"integrate({integral['f']}, ({integral['x']}, {low}, {high}))" if integral else None


def _bound(text: str) -> str | None:
    text = re.sub(r"^(minus )", "-", text.strip())
    if re.search(r"niesk|∞|^-?oo$", text):
        return "-oo" if text.startswith("-") else "oo"
    if re.fullmatch(r"zer(?:o|a|ze)", text):
        return "0"
    found = read_formula(f"7 + ({text})") or read_formula(f"7 + {text}")
    return found.expression.removeprefix("7 + ") if found else None


def _towards(scene: Scene, expression: str) -> str | None:
    """Take the last limit at another point: "a w nieskończoności?"."""
    found = _LIMIT.match(expression)
    said = _POINT.search(scene.folded)
    point = _bound(said[1]) if found and said else None
    return f"limit({found['f']}, {found['x']}, {point})" if found and point else None


def _derived(scene: Scene, expression: str) -> str | None:
    """After a derivative: a higher one, the zeros of it or of the function."""
    found = _DIFF.match(expression)
    if found is None:
        return None
    f, x = found["f"], found["x"]
    if re.search(
        r"miejsc\w* zerow|przyrown\w*|\bzeruj\w*|\bzera\b|ekstrem\w*|punkt\w* krytyczn",
        scene.folded,
    ):
        is_own = re.search(r"\b(?:samej|tej|same) f|funkcji wyjsciow", scene.folded)
        return f"solve(Eq({f if is_own else expression}, 0), {x})"
    if re.search(r"\btrzeci[aae]\w*\b", scene.folded):
        return f"diff({f}, {x}, 3)"
    if re.search(r"\bdrug[aie]\w*\b|\bjeszcze raz\b", scene.folded):
        return f"diff({f}, {x}, 2)"
    return f"integrate({f}, {x})" if re.search(r"\bcalk", scene.folded) else None


def _integrated(scene: Scene, expression: str) -> str | None:
    """After an integral: the derivative of the same function, or its function squared."""
    found = _INTEGRAL.match(expression)
    if found and re.search(r"\bpochodn|\b(?:z)?roznicz", scene.folded):
        return f"diff({found['f']}, {found['x'] or found['y']})"
    if re.search(r"na (?:jego|jej) kwadrat|do kwadratu", scene.folded) and _TRIG.search(expression):
        return re.sub(r"\b((?:sin|cos|tan)\([a-z]\))(?!\*\*)", r"\1**2", expression)
    return None


def _matrix(scene: Scene, expression: str) -> str | None:
    found = _MATRIX.match(expression)
    if found is None:
        return None
    of = f"({expression})" if _PRODUCT.match(expression) else found["m"]
    return next((f"{of}{tail}" for stem, tail in _TAILS if re.search(stem, scene.folded)), None)


def _reversed(scene: Scene, expression: str) -> str | None:
    """Multiply two matrices the other way round."""
    found = _PRODUCT.match(expression)
    if found is None or not re.search(
        r"\bodwrotn\w+ kolejnosc\w*|\bna odwrot\b|\bodwrotnie\b|\bzamien\w* miejscami\b|"
        r"\bod konca\b",
        scene.folded,
    ):
        return None
    return f"{found[2]}*{found[1]}"


def _logarithm(scene: Scene, expression: str) -> str | None:
    """Take the natural or the decimal logarithm of the same."""
    found = _LOG.match(expression)
    if found is None or re.search(r"\d", scene.folded):
        return None
    if re.search(r"\bnaturaln\w+|\bln\b", scene.folded):
        return f"log({found[1]})"
    return f"log({found[1]}, 10)" if re.search(r"\bdziesietn\w+", scene.folded) else None


def _angle(scene: Scene, expression: str) -> str | None:
    """Take another function of the same angle."""
    if not _TRIG.match(expression):
        return None
    told = next(
        (
            name
            for name, pattern in _NAMES.items()
            if re.search(rf"\b(?:{pattern})\b", scene.folded)
        ),
        None,
    )
    is_same = told is None or re.search(r"(?<!ta )\d", scene.folded)
    return None if is_same else _TRIG.sub(f"{told}(", expression, count=1)


def _part_of_sum(scene: Scene, expression: str) -> str | None:
    """Keep only the even, the odd, the squares of what was added."""
    if (evens := _EVENS.match(expression)) and "nieparzyst" in scene.folded:
        return f"{evens[1]} - 1{evens[2]}"
    found = _SUM.match(expression)
    if found is None:
        return None
    k, first, last = found["k"], int(found["a"]), int(found["n"])
    if re.search(r"\bnieparzyst", scene.folded):
        return f"summation(2*{k} - 1, ({k}, {first // 2 + 1}, {(last + 1) // 2}))"
    if re.search(r"\bparzyst", scene.folded):
        return f"summation(2*{k}, ({k}, {(first + 1) // 2}, {last // 2}))"
    if re.search(r"\bkwadrat", scene.folded):
        return f"summation({k}**2, ({k}, {first}, {last}))"
    return f"summation({k}**3, ({k}, {first}, {last}))" if "szescian" in scene.folded else None


def _relation(scene: Scene, expression: str) -> str | None:
    """Put another sign for the equals sign of the last equation."""
    if _RELATION.search(expression) and (other := _SIGN_ALONE.match(scene.folded)) is not None:
        name = next(name for name, group in _RELATIONS if other[group])
        return _RELATION.sub(name, expression)
    found = _SOLVE.match(expression)
    sign = _SIGN_NAMED.search(scene.folded) if found else None
    if found is None or sign is None:
        return None
    written = next(name for name, group in _RELATIONS if sign[group])
    return f"solve({found['f'] or found['h']} {written} {found['g'] or 0}, {found['x']})"


def _powers(scene: Scene, expression: str) -> str | None:
    """Expand instead of factoring, or with the other sign; leave the brackets out."""
    found = _POWER.match(expression)
    if re.search(r"\b(?:bez|wywal|usun|skasuj|opusc|pomin)\w* nawias\w*", scene.folded):
        return re.sub(r"(?<!\w)\(([^()]*)\)", r"\1", expression)
    if found and re.search(r"\bminus\w*", scene.folded) and "+" in expression:
        return expression.replace("+", "-")
    if found and re.search(r"\bplus\w*", scene.folded) and "-" in expression:
        return expression.replace("-", "+")
    if found and re.search(r"\brozloz|\bczynnik", scene.folded):
        return f"factor({found['f'] or found['g']})"
    return None


def _divisors(scene: Scene, expression: str) -> str | None:
    """Another question about the same whole numbers: "a NWW?", "a dzielniki?"."""
    if re.search(r"\d", scene.folded):
        return None
    if several := _OF_SEVERAL.match(expression):
        other = {"gcd": "nww|wielokrotn", "lcm": "nwd|dzielnik"}[several[1]]
        swapped = {"gcd": "lcm", "lcm": "gcd"}[several[1]]
        return f"{swapped}({several[2]})" if re.search(other, scene.folded) else None
    one = _OF_ONE.match(expression)
    return _named(scene, _ONE, one[1]) if one else None


def _shape(scene: Scene, expression: str) -> str | None:
    """Another measure of the same figure, or another figure with the same measure."""
    if re.search(r"\d", scene.folded):
        return None
    if circle := _CIRCLE.match(expression):
        if _ACROSS.search(scene.folded):
            return expression.replace(circle["r"], f"({circle['r']}/2)", 1)
        return _named(scene, _CIRCLES, circle["r"])
    if square := _SQUARE.match(expression):
        return _named(scene, _SQUARES, square["a"] or square["b"])
    sides = _SIDES.match(expression) or _DIAGONAL.match(expression)
    values = [side for side in sides.groups() if side] if sides else []
    return _named(scene, _RECTANGLES, *values) if values else None


def _named(scene: Scene, forms: tuple[tuple[str, str], ...], *values: str) -> str | None:
    found = (form for pattern, form in forms if re.search(rf"\b(?:{pattern})", scene.folded))
    form = next(found, None)
    return None if form is None else form.format(*values)


_RULES = (
    _turned, _relisted, _statistics, _again, _named_part, _bounds, _towards, _derived,
    _integrated, _reversed, _matrix, _logarithm, _angle, _part_of_sum, _relation,
    _powers, _divisors, _shape,
)  # fmt: skip
