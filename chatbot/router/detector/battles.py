"""The battle that a place after "pod" stands for: "kto dowodził pod Grunwaldem?"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_AT = regex(r"\b[Pp]od (?P<place>(?:[A-ZĆŁŚŹŻ][\w’-]+)(?: [A-ZĆŁŚŹŻ][\w’-]+)?)")
_FOUGHT = regex(
    r"\b(?:(?:wy|prze)gra(?:l|n)\w*|dowodzi\w*|walczy\w*|pobi(?:l|t)\w*|pokona\w*|zwyciezy\w*|"
    r"rozbi(?:l|t)\w*|starl[aoiy]\w*|klesk\w*|zwyciest\w*|pogrom\w*|polegl\w*|husari\w*|"
    r"sie (?:stalo|wydarzylo|rozegralo|dzialo)|stalo sie)\b"
)
_NAMED = regex(
    r"\b(?:bit(?:w|ew)|akcj|starci|potyczk|desant|oblezen|obron|hold|pokoj|rozejm|powstan|katastrof|traktat|oboz|mecz)\w*"
)
_RECENT = regex(r"\b(?:19[5-9]\d|20\d\d)\b")


def battle_at(text: str) -> str | None:
    """Return the battle of which something is asked by its place alone; ``None`` otherwise."""
    found = _AT.search(text)
    folded = fold_evenly(text)
    if found is None or not _FOUGHT.search(folded):
        return None
    is_other = _NAMED.search(folded) or _RECENT.search(folded)
    return None if is_other else f"bitwa pod {found['place']}"
