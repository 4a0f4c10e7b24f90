"""Calculations on the last result: "podziel to przez siedem", "a pierwiastek z tego?"."""

import re

from chatbot.language.numerals import read_number
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.scene import Finding, Scene, call
from chatbot.router.dialogue.state import MATHEMATICS, DialogueState

_STAND_IN = "90210077"
_IT = (
    r"(?:t(?:ego|en|ym|emu|ej|e|a|o) )?(?:wynik\w*|sum[aeyi]|liczb[aey]|kwot[aey]|roznic[aey]|"
    r"ulam(?:ek|ka|kiem|kowi)|iloczyn\w*|iloraz\w*|wartosc\w*)|tego|temu|tym|to(?! jest)|"
    r"jego|niego|niej|nim|ja|go|ona|on|ono|stad|it|that|the result"
)
_ANAPHORA = re.compile(rf"\b(?:{_IT})\b")
_STEPS = re.compile(
    r",?\s*\b(?:(?:i|a) )?(?:potem|nastepnie|a na koniec|na koniec)\b\s*|"
    r",?\s*\bi (?=(?:ten )?wynik\b|to,? co zostanie\b|to (?:pomnoz|podziel|dodaj|odejmij)\b|"
    r"(?:pomnoz|podziel|dodaj|odejmij|dolicz)\b)|,\s*(?=wynik\b)"
)
_OPERATIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "-",
        re.compile(
            r"\b(?:odejm\w*|odjac|odlicz\w*|minus|pomniejsz\w*|subtract)\b|(?<!\d)\s*[-−]\s*(?=\d)"
        ),
    ),
    (
        "+",
        re.compile(
            r"\b(?:dodaj|dodac|dolicz\w*|doloz|dorzuc|plus|powieksz\w*|zwieksz\w*|add)\b|\+"
        ),
    ),
    ("*", re.compile(r"\b(?:pomnoz\w*|mnozon\w*|przemnoz\w*|razy|times|multiply)\b|[×*·]")),
    (
        "/",
        re.compile(
            r"\b(?:podziel\w*|dzielone|dziel|na (?:osobe|glowe)|(?=na \w+ (?:osob\w*|czesci|"
            r"rownych))|divide\w*)\b|[÷:](?=\s*\d)"
        ),
    ),
)
_SHARE = re.compile(r"(\d+(?:[.,]\d+)?)\s*(?:%|proc\w*)")
_SIGNS = dict(_OPERATIONS)
_UNARY: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("1/({})", re.compile(r"\bodwrotnosc\w*")),
    ("isprime({})", re.compile(r"\b(?:liczb[aą] )?pierwsz[aey]\b")),
    ("factorint({})", re.compile(r"\bczynnik\w*")),
    (
        "sqrt({})",
        re.compile(
            r"(?<!szy )(?<!tych )\bpierwiast\w+(?! (?:trzeciego|szescienn))|√|\bsquare root\b"
        ),
    ),
    ("({})**2", re.compile(r"\bkwadrat\w*|\bsquared?\b")),
    ("({})**3", re.compile(r"\bszescian\w*")),
    ("({})/2", re.compile(r"\b(?:polow[aeęy]|na pol|na polowe|po polowie)\b")),
    ("2*({})", re.compile(r"\b(?:podwoj\w*|dwukrotn\w+|dwa razy (?:tyle|wiecej))\b")),
    ("3*({})", re.compile(r"\b(?:potroj\w*|trzykrotn\w+)\b")),
    ("12*({})", re.compile(r"\b(?:w skali roku|rocznie|na rok|przez (?:caly )?rok|za rok)\b")),
    ("factorial({})", re.compile(r"\bsilni\w*")),
)
_CALCULUS = (
    ("diff({}, {})", re.compile(r"\b(?:zroznicz\w*|pochodn\w+)\b")),
    ("integrate({}, {})", re.compile(r"\b(?:scalkuj\w*|calk[aeęi]\w*)\b")),
    ("simplify({})", re.compile(r"\buprosc\w*\b")),
    ("expand({})", re.compile(r"\b(?:rozwin\w*|wymnoz\w*)\b")),
    ("factor({})", re.compile(r"\brozloz\w*\b")),
)
_SAME_WITH = re.compile(r"\b(?:to samo|tak samo|zrob to|a (?:dla|z|ze)|jeszcze z|i (?:dla|z))\b")
_LIMIT = re.compile(r"\b(gorn|doln)\w+ granic\w+[^\d-]{0,20}(-?\d+(?:[.,]\d+)?)")
_LIMITS = re.compile(r"\((\w+), ([^,()]+), ([^,()]+)\)")
_LESS = re.compile(r"\bpo (?:odjeciu|odliczeniu|rabacie|znizce|obnizce)\b")
_MORE = re.compile(r"\bpo (?:dodaniu|doliczeniu|podwyzce|narzucie)\b")
_OF = re.compile(r"(?:%|proc\w*) (?:z|od) (\d[\d ]*(?:[.,]\d+)?)")
_FIGURE = re.compile(
    r"(?<![\w.,])[-−–]?\d{1,3}(?:[  ]\d{3})+(?:,\d+)?|(?<![\w.,])[-−–]?\d+(?:[.,]\d+)?"
)
_RESULT = re.compile(
    r"(?:=|≈|\bto|\bwynosi|\brazem|\bdaje|\bjest)\s*([-−]?\d[\d  ]*(?:,\d+)?(?:/\d+)?)"
)
_YEAR = re.compile(r"^(?:1\d{3}|20\d{2})$")
_VALUES = frozenset({"solve", "Eq", "limit"})
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_SCALES = (("tys", 3), ("mln", 6), ("milion", 6), ("mld", 9), ("miliard", 9))
_BETWEEN = re.compile(r"\broznic\w+\b")
_MEAN = re.compile(r"\bsredni\w*\b")
_PER = re.compile(r"\b(?:na|przypada na|wypada na) (?:kilometr|km|osob\w+|mieszkanca|jedn\w+)")
_SO_MANY = re.compile(r"\b(\w+) taki(?:ch|e)\b")
_INSTEAD = re.compile(
    r"\bzamiast (\d+(?:[.,]\d+)?)\D{1,12}?(\d+(?:[.,]\d+)?)|"
    r"(\d+(?:[.,]\d+)?) zamiast (\d+(?:[.,]\d+)?)"
)
_PIECES = re.compile(
    r"^(?:a|i) (?:gdyby \w+ |za |dla )?(\w+) (?:sztuk\w*|kilo\w*|kg|bilet\w*|osob\w*|par\w?)\W*$"
)
_ONLY_SHARE = re.compile(r"^(?:a|i|to)? ?(?:ile to )?(\d+(?:[.,]\d+)?) ?(?:%|proc\w*)\W*$")
_ONLY_BASE = re.compile(r"^(?:a|i) (?:z|od) (\d[\d ]*(?:[.,]\d+)?)\s*(?:zl\w*|pln|euro)?\W*$")
_ROOTS = re.compile(
    r"\b(?:sum[aeęy]|iloczyn\w*) (?:tych |obu )?(?:pierwiast\w+|rozwiaza\w+|miejsc zerowych|"
    r"wynik\w+)"
)
_POINT = re.compile(r"\b(?:dla|gdy|przy|w punkcie) ([xyt]) ?= ?(-?\d+(?:[.,]\d+)?)")
_TURNED: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("{} - ({})", re.compile(r"\b(?:ile )?brakuje(?: \w+)? do (\w+)")),
    ("{} - ({})", re.compile(rf"\bodejm\w* (?:{_IT}) od (\w+)")),
    ("{} - ({})", re.compile(r"\breszty\b[^?]{0,30}\bze? (\w+)")),
    ("{}/({})", re.compile(rf"\bpodziel (\w+) przez (?:{_IT})\b")),
    (
        "Mod({1}, {0})",
        re.compile(r"\b(?:dzieli sie|podzieln\w+|sie dzieli)\b[^?]{0,12} przez (\w+)"),
    ),
)
_SHORT = 6
_OTHER = re.compile(
    r"\b(?:kto|kiedy|skad|dlaczego|czemu|test\w*|quiz|zadani\w*|wyjasnij|naucz|excel\w*|python\w*|"
    r"kod|wymysl\w*|notat\w+|sobie|dla ciebie|histori\w+|ulubion\w+|po rzymsku|mam|mamy|slownie)\b"
)
_NOISE = re.compile(
    r"\b(?:od|do|przez|na|z|o|no|i|a|teraz|jeszcze|yyy|eee|mi|prosze|potem|wiec|co zostanie|ile|"
    r"bedzie|wyjdzie|to)\b|\$"
)
_WHOLE = 0.9
_FEW = 16


def follow(scene: Scene) -> Finding:
    """Build the expression that a prompt asks for on the last result or expression."""
    if MATHEMATICS not in scene.offered or scene.size > _FEW + 8 or _OTHER.search(scene.folded):
        return None
    for rule in (
        _other_limit,
        _other_number,
        _same_with,
        _of_base,
        _of_share,
        _on_roots,
        _on_figures,
        _at_point,
        _missing,
        _chain,
    ):
        if (found := rule(scene)) is not None:
            return call(MATHEMATICS, expression=found)
    return None


def last_value(state: DialogueState) -> str | None:
    """The last expression that has a value, else the last number of the reply."""
    last = state.last
    if last is None:
        return None
    expressions = [
        str(made.arguments["expression"])
        for made in last.calls
        if made.name == MATHEMATICS and "expression" in made.arguments
    ]
    if expressions and not any(word in expressions[-1] for word in _VALUES):
        return expressions[-1]
    if expressions:
        found = _RESULT.findall(last.reply)
        return _plain(found[-1]) if found else None
    figures = [figure for figure in _figures(last.reply) if not _YEAR.match(figure)]
    return figures[0] if len(figures) == 1 and last.calls else None


def _other_limit(scene: Scene) -> str | None:
    expression = last_value(scene.state)
    told = _LIMIT.search(scene.folded)
    if told is None or expression is None or (limits := _LIMITS.search(expression)) is None:
        return None
    new = told[2].replace(",", ".")
    low, high = (limits[2], new) if told[1] == "gorn" else (new, limits[3])
    return f"{expression[: limits.start()]}({limits[1]}, {low}, {high}){expression[limits.end() :]}"


def _other_number(scene: Scene) -> str | None:
    """Replace one number of the last expression ("a gdyby zamiast 5 było 6?", "a pięć sztuk?")."""
    expression = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None:
        return None
    if (told := _INSTEAD.search(scene.folded)) is not None:
        old, new = (told[1], told[2]) if told[1] else (told[4], told[3])
        pattern = rf"(?<![\w.]){re.escape(_plain(old))}(?![\w.])"
        return re.sub(pattern, _plain(new), expression) if re.search(pattern, expression) else None
    count = _PIECES.match(scene.folded)
    number = read_number(scene.text[count.start(1) : count.end(1)]) if count else None
    if number is None or not (first := re.match(r"\d+(?=\*)", expression)):
        return None
    return f"{number}{expression[first.end() :]}"


def _of_share(scene: Scene) -> str | None:
    """Take another share, or a share of something else ("a 20%?", "a z 500 zł?")."""
    last = scene.state.last
    if last is None or not scene.is_active(MATHEMATICS) or scene.size > _SHORT:
        return None
    told = fold_evenly(f"{last.prompt} {last.reply}")
    base, part = _OF.search(told), _SHARE.search(told)
    if base is None or part is None:
        return None
    if (other := _ONLY_SHARE.match(scene.folded)) is not None:
        return f"{_plain(other[1])}*{_plain(base[1])}/100"
    if (other := _ONLY_BASE.match(scene.folded)) is not None:
        return f"{_plain(part[1])}*{_plain(other[1])}/100"
    return None


def _on_roots(scene: Scene) -> str | None:
    """Calculate with the solutions of an equation ("a suma tych pierwiastków?")."""
    last = scene.state.last
    if last is None or not _ROOTS.search(scene.folded):
        return None
    roots = [_plain(found) for found in re.findall(r"= ([-−]?\d+(?:[,/]\d+)?)", last.reply)]
    expressions = [str(made.arguments.get("expression")) for made in last.calls]
    if not roots[1:] or not any("solve" in expression for expression in expressions):
        return None
    sign = " + " if re.search(r"\bsum", scene.folded) else "*"
    return sign.join(f"({root})" for root in roots)


def _at_point(scene: Scene) -> str | None:
    """Give the value of the last function at a point ("policz jej wartość dla x = 2")."""
    point = _POINT.search(scene.folded)
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    if point is None or value is None or _variable(value) != point[1]:
        return None
    return f"limit({value}, {point[1]}, {_plain(point[2])})"


def _missing(scene: Scene) -> str | None:
    """Subtract the result from a number ("ile brakuje do 100?", "odejmij wynik od 200")."""
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    if value is None:
        return None
    for form, pattern in _TURNED:
        if (found := pattern.search(scene.folded)) is not None:
            number = read_number(scene.text[found.start(1) : found.end(1)])
            return (
                None
                if number is None
                else form.format(_plain(str(found[1])) if found[1][0].isdigit() else number, value)
            )
    return None


def _same_with(scene: Scene) -> str | None:
    """Replace the only number of the last expression ("zrób to jeszcze z 9991")."""
    if not scene.is_active(MATHEMATICS) or not _SAME_WITH.search(scene.folded):
        return None
    expression = last_value(scene.state)
    figures = _figures(scene.text)
    if expression is None or len(figures) != 1:
        return None
    numbers = set(_NUMBER.findall(expression))
    if len(numbers) != 1 or any(p.search(scene.folded) for _, p in _OPERATIONS):
        return None
    return _NUMBER.sub(figures[0], expression)


def _of_base(scene: Scene) -> str | None:
    """Take a share from what it is a share of ("po odjęciu tego rabatu")."""
    last = scene.state.last
    less, more = _LESS.search(scene.folded), _MORE.search(scene.folded)
    part = last_value(scene.state)
    if last is None or part is None or not (less or more) or _figures(scene.text):
        return None
    base = _OF.search(fold_evenly(f"{last.prompt} {last.reply}"))
    if base is None:
        return None
    return f"{_plain(base[1])} {'-' if less else '+'} ({part})"


def _on_figures(scene: Scene) -> str | None:
    """Calculate with the numbers of the last reply: difference, mean, so many of them, a share."""
    last = scene.state.last
    if last is None or scene.is_active(MATHEMATICS) or _figures(scene.text):
        return None
    figures = [
        figure
        for figure in _figures(last.reply)
        if not _YEAR.match(figure) or "m n.p.m" in last.reply
    ]
    if len(figures) == 1 and (many := _SO_MANY.search(scene.folded)) is not None:
        count = read_number(scene.text[many.start(1) : many.end(1)])
        return None if count is None else f"{count}*({figures[0]})"
    if len(figures) == 2:  # noqa: PLR2004 - two numbers
        one, other = figures
        if _BETWEEN.search(scene.folded):
            return f"({one}) - ({other})"
        if _MEAN.search(scene.folded):
            return f"(({one}) + ({other}))/2"
        if _PER.search(scene.folded):
            return f"({one})/({other})"
    return None


def _chain(scene: Scene) -> str | None:
    """Apply the steps of a prompt one after the other."""
    value = last_value(scene.state)
    if value is None:
        return None
    steps = [step for step in _STEPS.split(scene.text) if step and step.strip(" ,.?!")]
    is_meant = _ANAPHORA.search(scene.folded) is not None
    if not is_meant and not (scene.is_active(MATHEMATICS) and _begins_with_step(scene)):
        return None
    for step in steps:
        found = _step(step, value)
        if found is None:
            return None
        value = found
    return value


def _begins_with_step(scene: Scene) -> bool:
    """Whether no number stands before the operation ("razy trzy", not "2 razy 3")."""
    places = [
        found.start() for _, p in (*_OPERATIONS, *_UNARY) if (found := p.search(scene.folded))
    ]
    if not places:
        return False
    return scene.size <= _FEW


def _step(text: str, value: str) -> str | None:
    folded = fold_evenly(text)
    it = _ANAPHORA.search(folded)
    for operator, pattern in _OPERATIONS:
        if (found := pattern.search(folded)) is not None:
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            return _operate(operator, rest, value)
    for form, pattern in _CALCULUS:
        if pattern.search(folded) and (variable := _variable(value)):
            return form.format(value, variable)
    for form, pattern in _UNARY:
        if pattern.search(folded):
            return form.format(value)
    if it is None:
        return None
    if (share := _SHARE.search(folded)) is not None and share.end() <= it.start():
        return f"({value})*{_plain(share[1])}/100"
    return _rewritten(text, it, value)


def _operate(operator: str, rest: str, value: str) -> str | None:
    rest = _SIGNS[operator].sub(" ", rest)
    folded = fold_evenly(rest)
    share = _SHARE.search(folded)
    if share is not None and operator in "+-":
        return f"({value})*(100 {operator} {_plain(share[1])})/100"
    bare = _ANAPHORA.sub(lambda found: " " * len(found[0]), folded)
    bare = _NOISE.sub(lambda found: " " * len(found[0]), bare)
    operand = "".join(a if b != " " else " " for a, b in zip(rest, bare, strict=True)).strip(
        " ,.?!"
    )
    formula = read_formula(f"{_STAND_IN} {operator} {operand}")
    if formula is not None and formula.expression.startswith(_STAND_IN) and formula.share > _WHOLE:
        return _filled(formula.expression, value)
    figures = _figures(operand)
    if len(figures) == 1:
        return f"({value}) {operator} ({figures[0]})"
    alone = read_formula(operand)
    return f"({value}) {operator} ({alone.expression})" if alone is not None else None


def _rewritten(text: str, it: re.Match[str], value: str) -> str | None:
    """Read the prompt with a number in the place of the pronoun."""
    formula = read_formula(f"{text[: it.start()]}{_STAND_IN}{text[it.end() :]}")
    if formula is None or _STAND_IN not in formula.expression or formula.expression == _STAND_IN:
        return None
    return _filled(formula.expression, value)


def _filled(expression: str, value: str) -> str:
    in_fraction = re.sub(rf"Rational\(([^(),]+), {_STAND_IN}\)", rf"(\1)/{_STAND_IN}", expression)
    in_fraction = re.sub(rf"Rational\({_STAND_IN}, ([^(),]+)\)", rf"{_STAND_IN}/(\1)", in_fraction)
    return in_fraction.replace(_STAND_IN, f"({value})")


def _variable(expression: str) -> str | None:
    return next(
        (letter for letter in ("x", "y", "t", "z", "n") if re.search(rf"\b{letter}\b", expression)),
        None,
    )


def _figures(text: str) -> list[str]:
    found = (text[one.start() :] for one in _FIGURE.finditer(text))
    return [_scaled(one) for one in found]


def _scaled(text: str) -> str:
    """The figure that opens a text, with the word that multiplies it: "330 tysięcy"."""
    figure = _FIGURE.match(text)
    number = _plain(figure[0]) if figure else ""
    rest = fold_evenly(text[figure.end() : figure.end() + 12] if figure else "")
    scale = next((zeros for stem, zeros in _SCALES if rest.lstrip().startswith(stem)), None)
    return f"{number}*10**{scale}" if scale else number


def _plain(number: str) -> str:
    bare = re.sub(r"[  ]", "", number).replace(",", ".")
    return re.sub(r"^[−–]", "-", bare)
