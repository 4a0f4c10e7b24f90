"""What all pieces come to that a text offers at a price for each, less a discount of the prompt."""

from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import KINDS, Amount, read_amounts, written
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_FOR_ALL = regex(
    r"\b(?:za |na )?(?:komplet\w*|calosc\w*|wszystk\w+|obie|oba|razem|lacznie|w sumie)\b"
)
_ASKS = regex(r"\bil[eu]\b|\bjak\w+ (?:kwot|sum)\w+")
_LESS = regex(
    r"\b(?:spuszcz|opuszcz|rabat|znizk|upust|taniej|obniz|przecen|zejd|zbij|odlicz|mniej)\w*"
)
_MORE = regex(r"\b(?:drozej|podwyz|podnios|marz|narzut|dolicz|vat)\w*")
_EACH = regex(r"^ ?(?:zl\w*|pln|euro)?,? ?(?:za |od |/ ?)?(?:sztuk\w*|szt\b|jed\w+|kazd\w+)")
_AT = regex(r"\bpo $")
_LONGEST = 16  # words


def for_all(scene: Scene) -> str | None:
    """Multiply the pieces and the price that the last prompt told, which nobody calculated yet."""
    last = scene.state.last
    if last is None or scene.is_active(MATHEMATICS) or scene.size > _LONGEST:
        return None
    shares = read_amounts(scene.text)
    is_asked = _ASKS.search(scene.folded) and _FOR_ALL.search(scene.folded)
    if not is_asked or len(shares) > 1 or any(one.unit != "%" for one in shares):
        return None
    offered = _offer(last.prompt)
    if offered is None or (
        shares and bool(_LESS.search(scene.folded)) == bool(_MORE.search(scene.folded))
    ):
        return None
    total = f"{offered[0].text}*{offered[1].text}"
    if not shares:
        return total
    share = shares[0].value / Fraction(100)
    is_less = _LESS.search(scene.folded)
    return f"{total}*{written(1 - share if is_less else 1 + share)}"


def _offer(prompt: str) -> tuple[Amount, Amount] | None:
    """How many pieces, and the price of one, where a text tells these two numbers alone."""
    amounts = read_amounts(prompt)
    folded = fold_evenly(prompt)
    prices = [
        one for one in amounts if _EACH.match(folded[one.end :]) or _AT.search(folded[: one.start])
    ]
    counts = [one for one in amounts if one not in prices and one.unit not in KINDS]
    is_plain = len(amounts) == len(prices) + len(counts) and len(prices) == len(counts) == 1
    return (counts[0], prices[0]) if is_plain else None
