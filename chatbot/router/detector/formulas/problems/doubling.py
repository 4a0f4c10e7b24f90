"""After how long has doubled what grows by a percentage: "6% rocznie, kiedy się podwoi"."""

import re

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_ASKED = Guarded(
    r"\b(?:po (?:ilu|jakim czasie)|za ile|ile (?:lat|miesiecy|dni|godzin|czasu)|kiedy|jak dlugo)\b"
)
_TIMES = (
    (regex(r"\bpodwo(?:i|j)\w*|\bdwukrotnie|\b2 razy (?:wiec|wyzs|wieks|drozs)"), "2"),
    (regex(r"\bpotro(?:i|j)\w*|\btrzykrotnie|\b3 razy (?:wiec|wyzs|wieks|drozs)"), "3"),
)
_HALVED = regex(r"\b(?:o polowe|do polowy|polowe (?:wartosci|mocy|ceny|masy)|polowa)\b")
_DOWN = regex(r"\b(?:trac|spad|ubyw|malej|zmniejsz|rozpad)\w*")
_RATE = Guarded(
    r"(\d+(?:\.\d+)?) %[^.?!%]{0,40}?(?:\brocz\w+|\bmiesie?cz\w+|\bdzienn\w+|\bw skali roku|"
    r"\bna (?:rok|miesiac|dobe|dzien|godzine|tydzien)|\bco (?:rok|miesiac|dzien|godzine|tydzien))"
    r"|\b(?:rocz\w+|miesiecz\w+|dzienn\w+|co (?:rok|roku|miesiac|dzien|godzine|tydzien))"
    r"[^.?!%\d]{0,40}?(\d+(?:\.\d+)?) %"
)


def read_doubling(statement: Statement) -> str | None:
    """Return the number of periods as a quotient of logarithms."""
    words = statement.words
    found = _RATE.search(words) if "%" in words and _ASKED.search(words) else None
    if found is None or len(re.findall(r"\d %", words)) != 1:
        return None
    rate = found[1] or found[2]
    if _DOWN.search(words):
        return f"log(1/2)/log(1 - {rate}/100)" if _HALVED.search(words) else None
    factor = next((times for pattern, times in _TIMES if pattern.search(words)), None)
    return None if factor is None else f"log({factor})/log(1 + {rate}/100)"
