"""Makes an extract clean: no coordinates, no empty brackets, no marks of references."""

import re

from chatbot.tools.wikipedia.formulas import gather_formulas

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SPACES = {ord(sign): " " for sign in "\u00a0\u2007\u2009\u200a\u202f\t"}
LONGEST = 20_000
"""Characters that are read; ten times what is shown."""
_REFERENCE = re.compile(
    r"\[(?:\d{1,3}|(?:przypis|uwaga|przyp\.|note|nb|a-z)\s?\d{1,3}|potrzebny przypis|"
    r"citation needed|edytuj(?: kod)?|kiedy\?|kto\?|gdzie\?)\]|(?<=[^\s(\[„])\[[a-z]\]"
)
_COORDINATES = re.compile(
    r"^[^\w\n]{0,5}(?:Na mapach:|Położenie na mapie.*|Współrzędne:)?\s*"
    r"(?:\d{1,3}°\d{0,2}[′']?(?:\d{1,2}(?:[,.]\d+)?[″\"])?\s?[NSEWØ][\s,/]*){1,2}"
    r"(?:\d{1,3}[,.]\d+[°\s,/;-]*){0,2}$",
    re.MULTILINE,
)
_POINTER = re.compile(
    r"^(?:Osobn[ye] artykuł[y]?|Zobacz też|Zobacz więcej w artykule|Main articles?):.*$",
    re.MULTILINE,
)
_SAID = r"(?:wym\.|wymowa:?|posłuchaj|odsłuchaj|listen|i|ⓘ|🔊|/|\[\s*\])"
_VOID = re.compile(rf"[ ]?\((?:[\s,;:–-]|{_SAID})*\)|[ ]?\[\s*\]")
_LEADING = re.compile(rf"\((?:\s*(?:{_SAID}\s*)?[;,:]\s*)+")
_TRAILING = re.compile(r"(?:\s*[;,:]){1,6}\s*\)")
_TWICE = re.compile(r"([;,])(?:\s*[;,])+")
_BEFORE_SIGN = re.compile(r"[ ]+(?=[,;:.!?)”\]](?:\s|$|[,;:.)]))")
_AFTER_BRACKET = re.compile(r"([(\[„])[ ]+")


def tidy(extract: str) -> str:
    """Clean text, one paragraph a line; formulas that stay TeX are marked (see `formulas`)."""
    text = gather_formulas(extract[:LONGEST]).translate(_INVISIBLE).translate(_SPACES)
    text = _close_up(text)
    text = _REFERENCE.sub("", _COORDINATES.sub("", _POINTER.sub("", text)))
    text = _TRAILING.sub(")", _LEADING.sub("(", _VOID.sub("", text)))
    text = _close_up(_VOID.sub("", _TWICE.sub(r"\1", text)))
    return _AFTER_BRACKET.sub(r"\1", _BEFORE_SIGN.sub("", text))


def _close_up(text: str) -> str:
    """No empty lines, no runs of spaces: what follows may then look for single ones."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)
