"""A change by the same part as the last one: "potem o tyle samo procent ją przecenią"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import is_number, last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_SAME = regex(
    r"\bo (?:(?:dokladnie|znow|znowu|takze) )?(?:tyle samo|(?:taki|ten|te|ta|to|tyle) sam\w*|"
    r"(?:identyczn|rown)\w+)(?: (?:proc\w*|%))?"
)
_LESS = regex(
    r"\b(?:przecen|potani|tani|obniz|spad|zmniejsz|zmalej|zmala|staniej|stania|malej|w dol|mniej|"
    r"zjecha|znizk|rabat|skroc|uby)\w*"
)
_MORE = regex(
    r"\b(?:podroz|zdroz|droz|wzro|podnies|podnios|podnosz|zwieksz|rosn|urosn|urosl|w gore|wiecej|"
    r"podwyz|skocz|przyby)\w*"
)
_CHANGED = regex(r"1 [-+] |100 [-+] |Rational\(\d+, 100\)|\b[01]\.\d+\b|\d+/100\b")


def by_same_share(scene: Scene) -> str | None:
    """Raise or lower the last result by the share that the prompt before was about."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    active = scene.state.active
    if expression is None or active is None or not _SAME.search(scene.folded):
        return None
    shares = [one for one in read_amounts(active.prompt) if one.unit == "%"]
    own = read_amounts(scene.text)
    if len(shares) != 1 or any(one.value != shares[0].value for one in own):
        return None
    is_less, is_more = _LESS.search(scene.folded), _MORE.search(scene.folded)
    if bool(is_less) == bool(is_more) or not is_number(expression):
        return None
    if not _CHANGED.search(expression) or f"*{shares[0].text}/100" in expression:
        return None
    return f"({expression})*(100 {'-' if is_less else '+'} {shares[0].text})/100"
