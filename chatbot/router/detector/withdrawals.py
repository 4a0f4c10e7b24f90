"""Leave out a wish that is withdrawn or refused: "kim był X, albo zostaw. Za to policz …"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.clauses import is_request
from chatbot.router.detector.frames import AT_QUESTION
from chatbot.router.detector.spans import fold_evenly, split_words

_WITHDRAWN = regex(
    r"(?:[,.;!…–—-]\s*|\s)"
    r"(?:(?:albo|chociaz|choc|a|ale|zreszta|wroc|dobra|nie|jednak|oj|ech|w sumie)[, ]+){0,3}"
    r"(?:zostaw(?:my)?(?: to)?|daruj(?:my)? sobie|odpusc(?:my)?(?: to| sobie)?|niewazne|"
    r"nie trzeba|cofam(?: to)?|dam sobie spokoj|daj(?:my)? (?:sobie )?spokoj|rezygnuje)\b"
    r"(?P<why>[^.?!;…\n]{0,80}?)"
    r"(?:[.!;…\n–—]\s*|,\s*(?=(?:za to|zamiast tego|lepiej|wole|raczej)\b))"
    r"(?P<rest>\S.*)$",
    re.DOTALL,
)
_REFUSED = regex(
    r"^\W*(?:(?:nie|tylko|prosze|blagam|ale|no|hej|zaraz|i)[, ]+)*"
    r"(?:nie (?:na|po|wy|z)?(?:rysuj|maluj|generuj|szkicuj|licz|obliczaj|rachuj|rob|szukaj|"
    r"sprawdzaj|podawaj)\w*\b|"
    r"(?:\w+ ){0,4}\w+ nie (?:chce|potrzebuje|trzeba)\b|"
    r"zostaw (?:\w+ ){1,4}w spokoju|(?:\w+ ){1,4}(?:sobie )?daruj\b)"
    r"[^?]{0,90}?[,.!;…–—-]\s*"
    r"(?:(?:ja|a)\s)?(?:chodzi(?:\smi)?(?:\s(?:wylacznie|tylko|jedynie|raczej))?\so\sto|"
    r"pytam(?:\s(?:tylko|jedynie|o\sto))?|powiedz(?:\smi)?(?:\s(?:raczej|lepiej|tylko))?|"
    r"wole\s(?:wiedziec|sie\sdowiedziec)|interesuje\smnie(?:\s(?:tylko|jedynie|to))?|"
    r"chce(?:\s(?:tylko|jedynie|raczej))?\swiedziec),?\s"
    rf"(?P<rest>{AT_QUESTION}\b.*)$",
    re.DOTALL,
)
_POINTING = regex(
    r"\b(?:tam|tu|nim|nie[jm]|jego|jej|ich|on[aoi]?|go|ja|ten|ta|tego|tej|tym|taki\w*)\b"
)
_LEAST = 2


def without_withdrawn(prompt: str) -> str:
    """Return what holds in the end: the request behind a withdrawal, else the whole prompt."""
    folded = fold_evenly(prompt)
    if refused := _REFUSED.match(folded):
        rest = prompt[refused.start("rest") :]
        is_named = any(word.is_capitalised for word in split_words(rest)[1:])
        return rest if is_named or not _POINTING.search(fold_evenly(rest)) else prompt
    found = _WITHDRAWN.search(folded)
    if found is None:
        return prompt
    before, rest = prompt[: found.start()], prompt[found.start("rest") :]
    is_replaced = is_request(before) and is_request(rest) and len(rest.split()) >= _LEAST
    return rest if is_replaced and len(before.split()) >= _LEAST else prompt
