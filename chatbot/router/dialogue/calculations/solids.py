"""Another measure of the same solid or triangle, or another solid of the same measures."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_N = r"(?:\d+(?:\.\d+)?|Rational\(\d+, \d+\)|\(\d+/\d+\))"
_CYLINDER = regex(
    rf"^pi\*(?P<r>{_N})\*\*2\*(?P<h>{_N})$|"
    rf"^(?:Rational\(1, 3\)|1/3)\*pi\*(?P<s>{_N})\*\*2\*(?P<k>{_N})$|"
    rf"^pi\*(?P<t>{_N})\*\*2\*(?P<l>{_N})/3$"
)
_CUBOID = regex(rf"^(?P<a>{_N})\*(?P<b>{_N})\*(?P<c>{_N})$|^(?P<d>{_N})\*\*3$")
_RIGHT_ANGLED = regex(rf"^sqrt\((?P<a>{_N})\*\*2 (?P<sign>[+-]) (?P<b>{_N})\*\*2\)$")
_SIDE = r"bok\w*|boczn\w+"
_OF_ROUND: tuple[tuple[str, str], ...] = (
    (r"\bstoz\w+", "pi*{r}**2*{h}/3"),
    (r"\bwalec\b|\bwalc\w+", "pi*{r}**2*{h}"),
    (rf"\bpowierzchni\w* (?:{_SIDE})|\bpol\w* (?:{_SIDE})|\bboczn\w+", "2*pi*{r}*{h}"),
    (r"\bpowierzchni\w*|\bpole (?:\w+ )?calkowit\w+|\bcalkowit\w+", "2*pi*{r}*({r} + {h})"),
    (r"\bpol\w* podstaw\w*|\bpodstaw\w*", "pi*{r}**2"),
    (r"\bpol\w+ (?:wod|objetosc)\w*|\bdo polowy\b|\bw polowie\b", "pi*{r}**2*{h}/2"),
)
_OF_CUBOID: tuple[tuple[str, str], ...] = (
    (r"\bostroslup\w*", "{a}*{b}*{c}/3"),
    (r"\bprzekatn\w*", "sqrt({a}**2 + {b}**2 + {c}**2)"),
    (r"\bpol\w* (?:powierzchni )?podstaw\w*|\bdn[oa]\b", "{a}*{b}"),
    (r"\b(?:jednej|pojedynczej) scian\w*", "{a}*{b}"),
    (r"\bpowierzchni\w*|\bpole\b|\bscian\w*", "2*({a}*{b} + {a}*{c} + {b}*{c})"),
    (r"\bkrawedz\w*|\blistw\w*", "4*({a} + {b} + {c})"),
)
_DIGIT = regex(r"\d")
_RISE = regex(r"^(?P<base>[\w(), ./]+)\*tan\((?P<angle>[\w*/. ]+|rad\(\d+\))\)$")
_SLOPE = regex(
    r"\b(?:krokw\w*|krokiew|drabin\w*|ramp\w*|pochylni\w*|przeciwprostokatn\w*|zjezdzaln\w*|"
    r"skos\w*|stok\w*|zbocz\w*|lin[aęyie]|promien\w* slon\w*)\b"
)
_LONG = regex(r"\bdlug\w*|\bile (?:\w+ )?(?:ma|bedzie|wyjdzie|metrow|m)\b|^a \w+\W*$")


def of_solid(scene: Scene) -> str | None:
    """Build what the prompt names of the solid, or of the right-angled triangle, before."""
    expression = last_expression(scene.state)
    if expression is None or _DIGIT.search(scene.folded):
        return None
    if found := _CYLINDER.match(expression):
        r, h = (found["r"] or found["s"] or found["t"]), (found["h"] or found["k"] or found["l"])
        made = _named(scene, _OF_ROUND, r=r, h=h)
        return None if made == expression else made
    if found := _CUBOID.match(expression):
        a, b, c = (found["d"],) * 3 if found["d"] else (found["a"], found["b"], found["c"])
        return _named(scene, _OF_CUBOID, a=a, b=b, c=c) if _is_solid(scene) else None
    found = _RIGHT_ANGLED.match(expression)
    return _of_triangle(scene, found, expression) if found else None


def sloping(scene: Scene) -> str | None:
    """How long what slopes is, after how high it rises: a rafter, a ladder, the hypotenuse."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    found = _RISE.match(expression) if expression else None
    if found is None or _DIGIT.search(scene.folded) or not _SLOPE.search(scene.folded):
        return None
    return f"{found['base']}/cos({found['angle']})" if _LONG.search(scene.folded) else None


def _is_solid(scene: Scene) -> bool:
    """Whether three factors are the measures of a thing, not prices and pieces."""
    last = scene.state.last
    told = fold_evenly(last.prompt) if last else ""
    return (
        re.search(
            r"szescian|prostopadl|akwari|basen|pudel|pudl|objetosc|karton|skrzyn|graniast|wykop",
            told,
        )
        is not None
    )


def _of_triangle(scene: Scene, found: re.Match[str], expression: str) -> str | None:
    last = scene.state.last
    told = f"{fold_evenly(last.prompt) if last else ''} {scene.folded}"
    if "trojkat" not in told and "przyprostok" not in told and "przeciwprost" not in told:
        return None
    a, b = found["a"], found["b"]
    one = b if found["sign"] == "-" else a
    legs = (one, b) if found["sign"] == "+" else (one, expression)
    if re.search(r"\bobwod\w*", scene.folded):
        return f"{a} + {b} + {expression}"
    return f"{legs[0]}*{legs[1]}/2" if re.search(r"\bpole\b|\bpola\b", scene.folded) else None


def _named(scene: Scene, forms: tuple[tuple[str, str], ...], **measures: str) -> str | None:
    found = (form for pattern, form in forms if re.search(pattern, scene.folded))
    form = next(found, None)
    return None if form is None else form.format(**measures)
