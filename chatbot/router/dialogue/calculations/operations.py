"""Another operation on what the last one was done to: "a odwrotna?", "a przy podstawie 4?"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts, written
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.rereading import plain_value
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_LONGEST = 12  # words
_CALCULUS = regex(
    r"^(?P<name>diff|integrate)\((?P<f>.+), (?P<x>[a-z])(?:, (?P<order>\d))?\)$|"
    r"^(?P<definite>integrate)\((?P<g>.+), \((?P<y>[a-z]), [^()]+\)\)$"
)
_OF_SAME = regex(r"\bt(?:ej|ego|a|e) (?:sam\w+|funkcj\w*|wyrazeni\w*)|\b(?:wyjsciow|poczatkow)\w+")
_OF_RESULT = regex(r"\b(?:wynik\w*|pochodnej|calki)\b")
_ORDERS = (
    (regex(r"\bdrug\w+ (?:raz\b|pochodn)|\b(?:jeszcze raz|ponownie) .*(?:rozniczk|pochodn)"
                r"|(?:rozniczk|pochodn)\w* (?:\w+ )?(?:jeszcze raz|ponownie)"), 2),
    (regex(r"\btrzeci\w+ pochodn"), 3),
    (regex(r"\bczwart\w+ pochodn"), 4),
)  # fmt: skip
_MATRIX = regex(r"Matrix\(\[\[[^()]*\]\]\)")
_OF_MATRIX = (
    (regex(r"\bod ?wro[tc]\w*|\bodwrac\w*"), "{}.inv()"),
    (regex(r"\btranspo\w+"), "{}.T"),
    (regex(r"\bslad\w*\b"), "{}.trace()"),
    (regex(r"\brzad\w*\b|\brzed\w*\b"), "{}.rank()"),
    (regex(r"\bwyznacznik\w*"), "{}.det()"),
    (regex(r"\bwartosc\w* wlasn\w+"), "{}.eigenvals()"),
    (regex(r"\b(?:ja|macierz) (?:\w+ )?do kwadratu"), "{}**2"),
    (regex(r"\b(?:ja|macierz) (?:\w+ )?do (?:trzeciej|szescianu)"), "{}**3"),
)
_LOGARITHM = regex(r"^log\((?P<of>[^(),]+)(?:, (?P<base>[^(),]+))?\)$")
_BASE = regex(r"\bpodstaw\w*|\blog_? ?\d|\blogarytm\w* (?:dwojkow|dziesietn|naturaln)")
_OTHER_OF = regex(r"\b(?:z|ze|od) (?:liczby )?\d")
_KNOWN_BASES = (
    (regex(r"\bdziesietn\w+"), ", 10"),
    (regex(r"\bnaturaln\w+|\bln\b"), ""),
    (regex(r"\bdwojkow\w+|\bbinarn\w+"), ", 2"),
    (regex(r"\btrojkow\w+"), ", 3"),
    (regex(r"\bczworkow\w+"), ", 4"),
    (regex(r"\bpiatkow\w+"), ", 5"),
    (regex(r"\bosemkow\w+"), ", 8"),
    (regex(r"\bszesnastkow\w+"), ", 16"),
)
_NOTATION = regex(r"\b(?:system|zapis|postac|liczbow)\w*")
_REMAINDER = regex(r"^Mod\((?P<of>[^(),]+), (?P<by>[^(),]+)\)$")
_BY = regex(r"\bprzez\b")
_SAME_NUMBER = regex(r"\b(?:tej|ta|tego|to)(?: sam\w+)? (?:liczb\w+|reszt\w+|wynik\w*)")
_COMBINATIONS = regex(r"^binomial\((?P<n>\d+), (?P<k>\d+)\)$")
_ORDERED = regex(
    r"\bwariacj\w+ bez|\bkolejnosc\w* (?:jest wazna|ma znaczenie|sie liczy|bedzie wazna)|"
    r"\b(?:gdy|jak|jesli|jezeli|liczac) (?:\w+ )?kolejnosc"
)
_EQUATION = regex(r"^solve\(Eq\((?P<f>.+), 0\), [a-z]\)$")
_FACTORS = regex(r"\bczynnik\w*|\bpostac\w* iloczynow\w+")
_TRIGONOMETRY = regex(r"\b(?:sin|cos|tan|cot)(?=\()")
_NAMED = (
    (regex(r"\b[ck]osinus\w*|\bcos\b"), "cos"),
    (regex(r"\bsinus\w*|\bsin\b"), "sin"),
    (regex(r"\b[ck]otangens\w*|\bctg\b"), "cot"),
    (regex(r"\btangens\w*|\btg\b"), "tan"),
)
_POINTS = regex(r"\b(?:tego|to|tej|ta|te|jej|wynik\w*|otrzyman\w+)\b")
_LOGARITHM_ASKED = regex(r"\b(?:z?logarytm\w*|log|ln)\b")
_REMAINDER_ASKED = regex(
    r"\breszt\w*\b.*\b(?:po)?dziel\w*|\b(?:po)?dziel\w*.*\breszt\w*|\bmod(?:ulo)?\b"
)
_ADDED_SHARE = regex(r"^(?P<net>.+)\*\(1 \+ Rational\((?P<share>\d+), 100\)\)$")
_NET = regex(r"\bnetto\b|\bbez (?:vat|podatku|narzutu|marzy)\b")
_OWN_ARGUMENT = regex(
    r"(?:sinus|tangens)\w* (?:od |z |ze )?(?:\d|[xytn]\b|iks|dwoch|trzech|dwa|trzy)|"
    r"\b(?:sin|cos|c?tg)(?!inus|angens) ?\(?\d?[a-z0-9]|\bsam(?:ego|ej|ym|a)?\b|\bi\b|\brazy\b"
)


def operated(scene: Scene) -> str | None:
    """Do what the prompt names to what the last operation was done to, not to its result."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or scene.size > _LONGEST or "[" in scene.text or "=" in scene.text:
        return None
    rules = (
        _of_matrix, _of_calculus, _of_logarithm, _of_remainder, _of_choice, _factored, _named_anew,
        _logarithm_of_result, _remainder_of_result, _without_share,
    )  # fmt: skip
    return next((found for rule in rules if (found := rule(scene, expression)) is not None), None)


def _of_matrix(scene: Scene, expression: str) -> str | None:
    """The inverse, rank or square of the one matrix that was calculated with."""
    matrices = set(_MATRIX.findall(expression))
    if len(matrices) != 1 or read_amounts(_without_powers(scene.text)):
        return None
    (matrix,) = matrices
    made = next((form for said, form in _OF_MATRIX if said.search(scene.folded)), None)
    found = made.format(matrix) if made is not None else None
    return found if found != expression else None


def _without_powers(text: str) -> str:
    return re.sub(r"\bdo (?:kwadratu|sześcianu|szescianu|trzeciej)\b", "", text)


def _of_calculus(scene: Scene, expression: str) -> str | None:
    """A higher derivative, the integral or derivative of the same function, without its bounds."""
    before = _CALCULUS.match(expression)
    if before is None or read_amounts(scene.text) or _OF_RESULT.search(_without_orders(scene)):
        return None
    f, x = before["f"] or before["g"], before["x"] or before["y"]
    order = next((order for said, order in _ORDERS if said.search(scene.folded)), None)
    if before["name"] == "diff" and order is not None:
        return f"diff({f}, {x}, {order})"
    if before["definite"] and "nieoznaczon" in scene.folded:
        return f"integrate({f}, {x})"
    if not _OF_SAME.search(scene.folded):
        return None
    if before["name"] == "diff" and re.search(r"\bcalk\w*", scene.folded):
        return f"integrate({f}, {x})"
    is_integral = (before["name"] or before["definite"]) == "integrate"
    return f"diff({f}, {x})" if is_integral and "pochodn" in scene.folded else None


def _without_orders(scene: Scene) -> str:
    """The prompt without what it asks for: "pochodnej" of a result is no order of one."""
    return re.sub(r"\b(?:drug|trzeci|czwart)\w+ pochodn\w+", "", scene.folded)


def _of_logarithm(scene: Scene, expression: str) -> str | None:
    """The logarithm of the same number to another base."""
    before = _LOGARITHM.match(expression)
    if before is None or _OTHER_OF.search(scene.folded) or _NOTATION.search(scene.folded):
        return None
    return _logarithm(before["of"], scene, re.sub(r"(?<=\blog)_? ?(?=\d)", " ", scene.folded))


def _logarithm(of: str, scene: Scene, text: str) -> str | None:
    """The logarithm to the base that a prompt names, or tells by the one number of ``text``."""
    numbers = read_amounts(text)
    known = next((base for said, base in _KNOWN_BASES if said.search(scene.folded)), None)
    if known is not None and not numbers:
        return f"log({of}{known})"
    is_base = len(numbers) == 1 and _BASE.search(scene.folded)
    return f"log({of}, {written(numbers[0].value)})" if is_base else None


def _of_remainder(scene: Scene, expression: str) -> str | None:
    """The remainder by another divisor."""
    before, numbers = _REMAINDER.match(expression), read_amounts(scene.text)
    is_of_same = _BY.search(scene.folded) and not _SAME_NUMBER.search(scene.folded)
    if before is None or len(numbers) != 1 or not is_of_same:
        return None
    return f"Mod({before['of']}, {written(numbers[0].value)})"


def _of_choice(scene: Scene, expression: str) -> str | None:
    """Choices whose order counts: "a jak kolejność ma znaczenie?"."""
    before = _COMBINATIONS.match(expression)
    if before is None or not _ORDERED.search(scene.folded) or read_amounts(scene.text):
        return None
    n, k = int(before["n"]), int(before["k"])
    return f"factorial({n})/factorial({n - k})"


def _factored(scene: Scene, expression: str) -> str | None:
    """The factors of the polynomial whose zeros were asked for."""
    before = _EQUATION.match(expression)
    is_asked = before is not None and _FACTORS.search(scene.folded) and not read_amounts(scene.text)
    return f"factor({before['f']})" if before is not None and is_asked else None


def _named_anew(scene: Scene, expression: str) -> str | None:
    """The same with another trigonometric function: "to samo dla cosinusa"."""
    if len(_TRIGONOMETRY.findall(expression)) != 1 or read_amounts(scene.text):
        return None
    named = [name for said, name in _NAMED if said.search(scene.folded)]
    if len(named) != 1 or _OWN_ARGUMENT.search(scene.folded):
        return None
    found = _TRIGONOMETRY.sub(named[0], expression)
    return found if found != expression else None


def _logarithm_of_result(scene: Scene, expression: str) -> str | None:
    """The logarithm of a number that was calculated: "a log dwójkowy z wyniku?"."""
    is_asked = _LOGARITHM_ASKED.search(scene.folded) and _POINTS.search(scene.folded)
    if not is_asked or plain_value(expression) is None:
        return None
    return _logarithm(expression, scene, scene.text)


def _remainder_of_result(scene: Scene, expression: str) -> str | None:
    """What remains of a number that was calculated: "a reszta z dzielenia tej liczby przez 7?"."""
    numbers = read_amounts(scene.text)
    if plain_value(expression) is None or len(numbers) != 1:
        return None
    is_asked = _REMAINDER_ASKED.search(scene.folded) and _POINTS.search(scene.folded)
    return f"Mod({expression}, {written(numbers[0].value)})" if is_asked else None


def _without_share(scene: Scene, expression: str) -> str | None:
    """The amount to which the last share was added: "a odwrotnie: brutto 246, ile netto?"."""
    before, numbers = _ADDED_SHARE.match(expression), read_amounts(scene.text)
    if before is None or len(numbers) != 1 or not _NET.search(scene.folded):
        return None
    return f"{written(numbers[0].value)}/(1 + Rational({before['share']}, 100))"
