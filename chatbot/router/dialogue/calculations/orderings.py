"""Orders, or choices, of some of those that were ordered: "a gdyby stanęły tylko trzy z nich?"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_ALL = regex(r"^factorial\((?P<n>\d+)\)$")
_OF_THEM = regex(r"\b(?:z|sposrod|wsrod) (?:nich|tych|wszystkich|calej|\d|[a-z]+(?:iu|ciu|u)\b)")
_UNORDERED = regex(
    r"\bkolejnosc\w* (?:jest |jest juz |juz )?(?:nie(?:wazn\w+|istotn\w+)|bez znaczenia|"
    r"nie (?:ma|sie|jest|gra|bedzie)\b|obojetn\w+)|\bbez (?:wzgledu na|zwazania na) kolejnosc|"
    r"\bnie (?:liczac|licza sie|liczy sie) kolejnosc"
)
_ORDERED = regex(
    r"\bkolejnosc|\b(?:u)?staw\w*|\bstan(?:ac|ie|a|elo|ely|al\w*)\b|\b(?:u)?siad\w*|"
    r"\busi(?:asc|adzie|edli)\b|\bpodium\b|\bmiejsc\w*\b"
)
_CHOSEN = regex(r"\b(?:wy|do)(?:bra|bier|los)\w*|\bgrup\w+|\bdelegacj\w*|\bkombinacj\w*")
_LONGEST = 18  # words


def of_some(scene: Scene) -> str | None:
    """Count the orders of so many of them, or the choices where their order does not count."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    before = _ALL.match(expression) if expression else None
    if before is None or scene.size > _LONGEST or not _OF_THEM.search(scene.folded):
        return None
    n = int(before["n"])
    numbers = [one.value for one in read_amounts(scene.text)]
    others = [one for one in numbers if one != n]
    if len(others) != 1 or not 0 < others[0] < n or others[0].denominator != 1:
        return None
    k = int(others[0])
    if _UNORDERED.search(scene.folded) or (
        _CHOSEN.search(scene.folded) and not _ORDERED.search(scene.folded)
    ):
        return f"binomial({n}, {k})"
    return f"factorial({n})/factorial({n - k})" if _ORDERED.search(scene.folded) else None
