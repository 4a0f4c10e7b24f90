"""Leave out a wish that the user withdraws: "kim był X, albo zostaw. Za to policz …"."""

import re

from chatbot.router.detector.clauses import is_request
from chatbot.router.detector.spans import fold_evenly

_WITHDRAWN = re.compile(
    r"(?:[,.;!…–—-]\s*|\s)"
    r"(?:(?:albo|chociaz|choc|a|ale|zreszta|wroc|dobra|nie|jednak|oj|ech|w sumie)[, ]+){0,3}"
    r"(?:zostaw(?:my)?(?: to)?|daruj(?:my)? sobie|odpusc(?:my)?(?: to| sobie)?|niewazne|"
    r"nie trzeba|cofam(?: to)?|dam sobie spokoj|daj(?:my)? (?:sobie )?spokoj|rezygnuje)\b"
    r"(?P<why>[^.?!;…\n]{0,80}?)"
    r"(?:[.!;…\n–—]\s*|,\s*(?=(?:za to|zamiast tego|lepiej|wole|raczej)\b))"
    r"(?P<rest>\S.*)$",
    re.DOTALL,
)
_LEAST = 2


def without_withdrawn(prompt: str) -> str:
    """Return what holds in the end: the request behind a withdrawal, else the whole prompt."""
    found = _WITHDRAWN.search(fold_evenly(prompt))
    if found is None:
        return prompt
    before, rest = prompt[: found.start()], prompt[found.start("rest") :]
    is_replaced = is_request(before) and is_request(rest) and len(rest.split()) >= _LEAST
    return rest if is_replaced and len(before.split()) >= _LEAST else prompt
