"""The last operation of calculus on another function, at a point, or with a part replaced."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression, plain, variable_of
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_APPLIED = regex(
    r"^(?P<head>diff|integrate|limit)\((?P<f>.+?)(?P<tail>, (?:[a-z](?:, [^,()]+)?|\([^()]+\))\))$|"
    r"^(?P<form>expand|factor|simplify)\((?P<g>.+)\)$"
)
_DERIVED = regex(r"^diff\((.+), [a-z]\)$")
_FUNCTION = regex(
    r"\d?[xytn](?![a-z])(?: ?[-+*/^²³]| ?$|\W)|\b(?:sin|cos|tg|ln|log|exp|e\^)|"
    r"\b(?:(?:co|ko)?sinus|(?:co|ko)?tangens|logarytm)\w*"
)
_LEADS = regex(
    r"^(?:(?:no|ok|dobra|oj|ojej|ups|sorry|sorki|sory|zle|pomylka|pomylil\w+(?: sie)?|jednak|"
    r"mial[ao]? byc|chodzi\w* (?:mi )?o|mial\w+ na mysli|to (?!samo))[ ,.!–-]+)*"
    r"(?:a|i|oraz|teraz|to samo|tak samo|jeszcze)?,? ?"
    r"(?:gdyby (?:bylo|to bylo) |jak |teraz )?(?:dla|z|od|funkcj\w+)? ?"
)
_TRAILS = regex(
    r"\b(?:w|na) (?:tych|tym|ten) (?:sam\w+ )?(?:granic\w+|przedzia\w+|punkc\w+)|[?!.,]+$|"
    r"\b(?:zamiast|w miejsce) .*$"
)
_POINT = regex(
    r"\b(?:w punkcie|podstaw\w*|wstaw\w*|dla|gdy|przy|w|kiedy)(?: za)? (?:(?P<x>[xyt]) ?"
    r"(?:=|rown\w+|wynosi|to|bedzie)? ?)?"
    r"(?P<at>-?\d+(?:[.,]\d+)?(?:/\d+)?|-?(?:pi|π)(?:/\d)?|minus \d+|"
    r"zerze|zera|zero|jedynce)\b"
)
_VALUES = {"zerze": "0", "zera": "0", "zero": "0", "jedynce": "1"}
_AT = regex(r"\bpunkcie|\bpodstaw|\bwstaw|\bwartosc|\bx ?=|\bt ?=|\bwynosi|\bzerze\b")
_EQUATION = regex(r"^solve\(Eq\((?P<f>.+), (?P<g>[^,()]+)\), (?P<x>[a-z])\)$")
_ZEROS = regex(r"^solve\((?:Eq\([^,]+, 0\)|[^,<>]+), x\)$")
_ZEROS_OF = regex(r"^solve\((?:Eq\((.+), 0\)), x\)$")
_POLYNOMIAL = regex(r"[-−+]?\d*x(?:\^\d|[²³])[-−+\dx^²³* ]*")
_BARE = regex(r"\bx ?=")
_BOUNDS = regex(r"\bod ([-−]?\d+(?:[.,]\d+)?) do ([-−]?\d+(?:[.,]\d+)?)")
_OF_SAME = (
    (r"\bpochodn\w*|\bzroznicz\w*", "diff({0}, x)"),
    (r"\bcalk\w*", "integrate({0}, x)"),
    (
        r"\bmiejsc\w* zerow\w*|\bpierwiastk\w*|\bkiedy .*\bzer\w+|\brozwiaz\w*",
        "solve(Eq({0}, 0), x)",
    ),
)
_NUMBER_NOUN = (
    r"(?:[a-z]{3,}(?:na|nascie|dzies)?t|jedyn|dwoj|troj|czwor|siodem|osem)k(?:a|i|e|iem)\b"
)
_TERM = rf"\d*[a-z]\b|\d+|{_NUMBER_NOUN}|(?:iks|igrek)\w*"
_NAMED_TERMS = {"iks": "x", "igrek": "y", "jedyn": "1"}
_BEFORE_TERM = regex(
    rf"\bprzed (?P<term>{_TERM})(?: (?!nie )\w+){{0,5}}? "
    r"(?:nie (?:minus|plus),? (?:a|tylko|ale|lecz) )?(?P<sign>minus|plus)|"
    rf"\b(?P<sign2>minus|plus)(?:em)?,? (?:(?:nie|a nie) (?:minus|plus),? )?(?:\w+ ){{0,2}}?"
    rf"(?:przed|przy) (?P<term2>{_TERM})|"
    r"\b(?:jakby|gdyby|jak|bylo|byc|bedzie) (?P<sign3>minus |plus |[-−+] ?)"
    r"(?P<term3>\d*[a-z]\b|\d+(?![\d,.]|\s*(?:%|proc)))"
)
_ONLY_SIGN = regex(r"^(?:a|to|no) (?:z|gdyby|jakby|jak) (?:\w+ )?(?:minus|plus)(?:em)?\W*$")
_RIGHT = regex(r"\bpo prawej\b|\bzamiast zera\b|\bprawa strona\b|\bpo znaku rownosci\b")
_END = regex(r"\bna koncu\b|\bwyraz\w* woln\w+|\bostatni\w* (?:liczb|wyraz)\w*")
_LAST_TERM = regex(r" [+-] \d+$")
_LONGEST = 12


def at_point(scene: Scene) -> str | None:
    """Give the value of the last function at a point: "podstaw x = 2", "w zerze"."""
    value = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    variable = variable_of(value) if value else None
    if value is None or variable is None or value.startswith(("solve", "limit")):
        return None
    found = _POINT.search(scene.folded) if _AT.search(scene.folded) else None
    if found is None or found["x"] not in {None, variable}:
        return None
    point = _VALUES.get(found["at"], found["at"]).replace("minus ", "-").replace("π", "pi")
    return f"limit({value}, {variable}, {plain(point)})"


def of_same(scene: Scene) -> str | None:
    """Do what the prompt names to the function whose zeros or discriminant were asked for."""
    value, last = last_expression(scene.state), scene.state.last
    if value is None or last is None or not scene.is_active(MATHEMATICS):
        return None
    function = _ZEROS_OF.match(value)
    f = function[1] if function else _told_function(last.prompt)
    if f is None or scene.size > _LONGEST or "=" in _BARE.sub("", scene.text):
        return None
    found = _POINT.search(scene.folded) if _AT.search(scene.folded) else None
    if found is not None and found["x"] in {None, "x"} and function:
        point = _VALUES.get(found["at"], found["at"]).replace("minus ", "-").replace("π", "pi")
        return f"limit({f}, x, {plain(point)})"
    bounds = _BOUNDS.search(scene.folded)
    if bounds is not None and "calk" in scene.folded:
        return f"integrate({f}, (x, {plain(bounds[1])}, {plain(bounds[2])}))"
    return None if read_amounts(scene.text) else _named_of(scene, f, value)


def _named_of(scene: Scene, f: str, value: str) -> str | None:
    """The discriminant, derivative, integral or zeros of a function, as the prompt names."""
    if re.search(r"\bdelt[aeęy]\b|\bwyroznik", scene.folded):
        found_of = read_formula(f"delta {f.replace('**', '^').replace('*', '')}")
        return found_of.expression if found_of is not None and found_of.share == 1 else None
    if value.startswith("diff(") and "zeruj" in scene.folded:
        return f"solve(Eq({value}, 0), x)"
    form = next((form for said, form in _OF_SAME if re.search(said, scene.folded)), None)
    return form.format(f) if form is not None and not value.startswith(form[:5]) else None


def with_sign(scene: Scene) -> str | None:
    """Put the other sign before the term that is named: "a gdyby przed 6x był minus?"."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    found = _BEFORE_TERM.search(scene.folded)
    if expression is None:
        return None
    if _ONLY_SIGN.match(scene.folded):
        old, new = (" + ", " - ") if "minus" in scene.folded else (" - ", " + ")
        return expression.replace(old, new) if expression.count(old) == 1 else None
    if found is None:
        return None
    term = _as_term(found["term"] or found["term2"] or found["term3"])
    said = found["sign"] or found["sign2"] or found["sign3"]
    sign = "-" if said.strip() in {"minus", "-", "−"} else "+"
    for after in ("", r"\*[a-z]"):  # the number itself, else what it is a coefficient of
        written = re.compile(rf"[+-] (?={re.escape(term)}{after}(?![\w*.]))")
        if len(written.findall(expression)) == 1:
            found_sign = written.sub(f"{sign} ", expression)
            return found_sign if found_sign != expression else None
    return None


def _as_term(said: str) -> str:
    """A term as an expression writes it: "6x", "szóstka", "iks"."""
    named = next((term for stem, term in _NAMED_TERMS.items() if said.startswith(stem)), None)
    if named is not None:
        return named
    numbers = read_amounts(said) if said.isalpha() and len(said) > 1 else ()
    return numbers[0].text if numbers else re.sub(r"(?<=\d)(?=[a-z])", "*", said)


def _told_function(prompt: str) -> str | None:
    """The polynomial that a prompt names, where it is no part of an expression of its own."""
    found = _POLYNOMIAL.search(prompt)
    read = read_formula(f"pochodna {found[0]}") if found else None
    inner = _DERIVED.match(read.expression) if read and read.share == 1 else None
    return inner[1] if inner else None


def of_other(scene: Scene) -> str | None:
    """Do the same to another function: "a z x^5?", "a dla sin(3x)?"."""
    value = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    before = _APPLIED.match(value) if value else None
    zeros = _ZEROS.match(value) if value else None
    if (
        (before is None and (zeros is None or "=" in scene.text))
        or scene.size > _LONGEST
        or not _FUNCTION.search(scene.folded)
    ):
        return None
    start = _LEADS.match(scene.folded)
    text = _TRAILS.sub("", scene.text[start.end() if start else 0 :].strip()).strip()
    found = read_formula(f"pochodna {text}")
    inner = _DERIVED.match(found.expression) if found and found.share == 1 else None
    if inner is None:
        return None
    if inner[1].startswith(("diff(", "integrate(", "limit(")):
        return inner[1]
    if before is None:
        return f"solve(Eq({inner[1]}, 0), x)"
    return f"{before['head'] or before['form']}({inner[1]}{before['tail'] or ')'}"


def with_other_side(scene: Scene) -> str | None:
    """Put a number to the right of the equals sign, or at the end of the left side."""
    value = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    before = _EQUATION.match(value) if value else None
    numbers = read_amounts(scene.text) if before else ()
    if before is None or len(numbers) != 1:
        return None
    f, g, x = before["f"], before["g"], before["x"]
    if _RIGHT.search(scene.folded):
        return f"solve(Eq({f}, {numbers[0].text}), {x})"
    if not _END.search(scene.folded) or not _LAST_TERM.search(f):
        return None
    sign, number = ("-" if numbers[0].value < 0 else "+"), str(abs(numbers[0].value))
    return f"solve(Eq({_LAST_TERM.sub(f' {sign} {number}', f)}, {g}), {x})"
