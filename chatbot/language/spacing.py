"""Close the gaps that stand where a name has none: "Bielsko - Biała", "Harry ’ ego"."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.types import NameKind

_CAPITAL = "A-ZĄĆĘŁŃÓŚŹŻ"
_STOP = regex(rf"(?<!\w)([{_CAPITAL}]|[Śś]w) \.(?!\w)")
_APOSTROPHE = regex(r"(?<=\w) ?([’'´]) ?(?=(?:ego|emu|em|owi|owie|ie|cie|a|y|u|m|s)\b)")
_CODE = regex(rf"(?<!\w)([{_CAPITAL}]\w{{0,3}}) ?- ?(?=\d)")
_HYPHEN: Mapping[NameKind | None, re.Pattern[str]] = MappingProxyType({
    "person": regex(r"(?<=\w) ([-–]) (?=\w)"),
    "place": regex(rf"(?<=\w) ([-–]) (?=[{_CAPITAL}])|(?<=o) ([-–]) (?=\w)"),
})


def close_gaps(phrase: str, *, kind: NameKind | None) -> str:
    """Return ``phrase`` without spaces beside its hyphens, apostrophes and initials' full stops.

    In what is neither a person nor a place a spaced hyphen stays: it is a dash mostly
    ("Polska - Niemcy"), but before a figure it belongs to a code ("MiG - 21").
    """
    if " " not in phrase:
        return phrase
    closed = _APOSTROPHE.sub(r"\1", _STOP.sub(r"\1.", phrase))
    pattern = _HYPHEN.get(kind)
    return _CODE.sub(r"\1-", closed) if pattern is None else pattern.sub("-", closed)
