"""What a prompt says itself: its formula, operations in words between numbers, measures."""

from collections.abc import Sequence
from itertools import pairwise

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import holds
from chatbot.router.dialogue.scene import Scene

_ASKING = regex(r"\?|\b(?:ile|ilu|jak\w*|wiela)\b")
_BETWEEN = (
    ("*", regex(r"\brazy\b|[×*·]")),
    ("/", regex(r"\b(?:podziel\w* (?:na|przez)|dzielone przez|przez)\b|[÷:]")),
    ("+", regex(r"\bplus\b|\bdodac\b|\+")),
    ("-", regex(r"\bminus\b|\bodjac\b")),
)
_MEASURES = (
    (regex(r"\bobwod\w*|\blistw\w*|\bogrodz\w*"), "2*({} + {})"),
    (regex(r"\bprzekatn\w*"), "sqrt({}**2 + {}**2)"),
    (regex(r"\bpole\b|\bpowierzchni\w*|\bkwadratow\w+|\bm2\b|m²"), "{}*{}"),
)
_PRICE = regex(r"\bpo \d|\bzl\w*\b|\b(?:za|od) (?:sztuk|kilo|kg|metr|litr|osob)")
_GOES_ON = regex(
    r"\b(?:tego|wynik\w*|odejm\w*|dodaj|dolicz\w*|podziel\w*|pomnoz\w*|razy|minus|plus|przez)\b"
)
_APPLIED = regex(r"^[A-Za-z]\w+\(")
_POINTS_BACK = regex(r"\b(?:tego|temu|tym|te|ta|ten|tej|nich|niej|niego|wynik\w*|ich|jej|jego)\b")
_TWO = 2


def whole(scene: Scene) -> str | None:
    """The prompt's own calculation, where every number that it names has a part."""
    numbers = read_amounts(scene.text)
    if len(numbers) < _TWO:
        return None
    if any(one.pair for one in numbers):
        return _measured(scene, numbers)
    bare = scene.text.rstrip(" .")
    texts = [scene.text]
    if not _ASKING.search(scene.folded):
        texts += [f"{bare}. Ile zapłacę?"] if _PRICE.search(scene.folded) else []
        texts += [f"{bare}. Ile razem?"]
    for text in texts:
        found = read_formula(text)
        if found and all(holds(found.expression, one.value) for one in numbers):
            return found.expression
    return _said(scene, numbers)


def applied(scene: Scene) -> str | None:
    """A function of what the prompt itself names: "pierwiastek z 1764"."""
    found = None if _POINTS_BACK.search(scene.folded) else read_formula(scene.text)
    return found.expression if found and _APPLIED.match(found.expression) else None


def _measured(scene: Scene, numbers: Sequence[Amount]) -> str | None:
    """The perimeter, diagonal or area of what has two measures; of several, all together."""
    form = next((form for pattern, form in _MEASURES if pattern.search(scene.folded)), None)
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
    is_paired = len(numbers) % _TWO == 0 and all(one.pair == 1 for one, _ in pairs)
    if form is None or not is_paired:
        return None
    return " + ".join(form.format(one.text, other.text) for one, other in pairs)


def _said(scene: Scene, numbers: Sequence[Amount]) -> str | None:
    """Numbers with one operation in words between each two: "56 gości razy 190 złotych"."""
    if _GOES_ON.search(fold_evenly(scene.text[: numbers[0].start])):
        return None
    expression = numbers[0].text
    for one, other in pairwise(numbers):
        words = fold_evenly(scene.text[one.end : other.start])
        signs = [sign for sign, pattern in _BETWEEN if pattern.search(words)]
        if len(signs) != 1:
            return None
        expression = f"{expression} {signs[0]} {other.text}"
    return expression
