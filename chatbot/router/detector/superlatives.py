"""Things described by what they have most or least of: "która planeta ma najwięcej księżyców"."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.language.phrases import parse_phrase, write_phrase
from chatbot.language.pieces import split_phrase
from chatbot.router.detector.spans import fold_evenly

_HAVING = regex(
    r"(?:a |no |to |hej |wiesz )*(?:ktor[aey]|jak[ai]e?) (?P<kind>[^,.?!:;]{3,60}?) "
    r"(?:ma|maja|mial[aoy]?|posiada|liczy) "
    r"(?:(?P<most>najwiecej|najmniej) (?P<what>[^,.?!:;]{3,40})|"
    r"(?P<top>naj\w{3,}[ayei] [^,.?!:;]{3,40}))\W*"
)
_AMOUNTS = {"najwiecej": "największą", "najmniej": "najmniejszą"}


def described_by_most(text: str) -> str | None:
    """Return what is the most or least of its kind as a description; ``None`` otherwise."""
    found = _HAVING.fullmatch(fold_evenly(text))
    if found is None:
        return None
    kind = text[found.start("kind") : found.end("kind")]
    if found["most"]:
        what = text[found.start("what") : found.end("what")]
        return f"{kind} z {_AMOUNTS[found['most']]} liczbą {what}"
    feature = _in_locative(text[found.start("top") : found.end("top")])
    return f"{kind} o {feature}" if feature else None


def _in_locative(phrase: str) -> str | None:
    """Return an object in the locative: "najwyższą temperaturę topnienia"."""
    pieces, _ = split_phrase(morphology(), phrase)
    parse = parse_phrase(pieces, kind="topic", cases=(("acc", 0.0),))
    return None if parse is None else write_phrase(morphology(), pieces, parse, "loc")
