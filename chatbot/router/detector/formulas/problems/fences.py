"""What goes round a rectangle without its gates: "działka 32 na 47 m, 4 m zajmie brama"."""

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_SIDES = Guarded(
    rf"(?<![\w.]){NUMBER} ?(?:m|metr\w*)? ?(?:na|x|\*) {NUMBER} (?:m|metr\w*)\b"
    r"(?! (?:na|x|\*) \d)"
)
_ROUND = regex(
    r"\b(?:o?grodz\w*|ogradz\w*|plot\w*|siatk\w*|listw\w*|listew|zywoplot\w*|obrzez\w*)\b"
)
_GATE = (
    r"(?:bram\w*|furtk\w*|wjazd\w*|wejsci\w*|drzwi\w*|przejsci\w*|schod\w*|tarasow\w*|otwor\w*|"
    r"budyn\w*|dom\w{0,2}|gara[zż]\w*)"
)
_GATE_BEFORE = regex(rf"\b{_GATE}(?: [a-z]+){{0,3}} $")
_GATE_AFTER = regex(rf"^ (?:m|metr\w*)\b(?: [a-z]+){{0,3}}? {_GATE}\b")
_ASKED = regex(r"\bil[eu] (?:\w+ ){0,4}?(?:metr|m\b|siatk|plot|listw|listew|biezac|zywoplot|kupic)")
_OTHER = regex(r"\b(?:zl\w*|mkw|slup\w*|sztachet\w*|co \d)|%|\b2 (?:bram|furtk|drzwi|wej)")


def read_fence(statement: Statement) -> str | None:
    """Return the perimeter less each gate that is told in metres."""
    words = statement.words
    found = _SIDES.search(words)
    is_asked = found is not None and _ROUND.search(words) and _ASKED.search(words)
    if found is None or not is_asked or _OTHER.search(words):
        return None
    gates = [one for one in statement.quantities if not found.start() < one.end <= found.end()]
    if not gates or not all(
        one.unit.startswith("m")
        and (_GATE_BEFORE.search(one.before) or _GATE_AFTER.match(one.after))
        for one in gates
    ):
        return None
    return f"2*({found[1]} + {found[2]}) - " + " - ".join(one.text for one in gates)
