"""Cuts Polish text after whole sentences, in spite of its abbreviations."""

import re
from collections.abc import Iterator
from itertools import islice, takewhile

_END = re.compile(r"[.!?…]+[”\"»)\]]*(?=\s+[„\"«(\[]?[A-ZĄĆĘŁŃÓŚŹŻ0-9]|\s*$|\s*\n)")
_LAST_WORD = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*|\d+)\.+$")
TAIL = 40
_OPENING, _CLOSING = "([„«", ")]”»"

_NEVER_LAST = re.compile(
    r"abp|adm|al|ang|arch|art|bł|bp|br|cz|czes|dr|dyr|franc|gen|gm|gr|hab|hiszp|hr|im|inż|"
    r"jap|kard|kol|kpt|ks|lek|łac|m\.in|mgr|mjr|mł|nadkom|niem|np|nr|o|ob|ok|os|o\.s|p|par|"
    r"pl|płk|płd|płn|por|pot|pow|pp|ppłk|prof|ps|pseud|red|ros|s|sp|st|św|śp|śś|t|tj|tłum|"
    r"tzn|tzw|ukr|ul|ur|w\.in|węg|wg|wł|woj|wsch|wyd|zach|zm|zob"
)
"""Abbreviations after which a sentence goes on, even with a capital letter."""


def cut_sentences(text: str, *, count: int, max_chars: int) -> str:
    """At most ``count`` whole sentences and ``max_chars`` characters of ``text``.

    Where not even one sentence fits, it is cut at a word and ends in an ellipsis.
    """
    text = text.strip()
    fitting = takewhile(lambda end: end <= max_chars, _sentence_ends(text))
    ends = list(islice(fitting, count))
    if ends:
        return text[: ends[-1]]
    if len(text) <= max_chars:
        return text
    return text[: max_chars - 1].rsplit(None, 1)[0].rstrip(" ,;:–-") + "…"


def _sentence_ends(text: str) -> Iterator[int]:
    depth, seen = 0, 0
    for found in _END.finditer(text):
        passage = text[seen : found.end()]
        depth += sum(passage.count(sign) for sign in _OPENING)
        depth = max(0, depth - sum(passage.count(sign) for sign in _CLOSING))
        seen = found.end()
        if depth == 0 and (seen == len(text) or not _goes_on(text[max(0, seen - TAIL) : seen])):
            yield seen


def _goes_on(head: str) -> bool:
    """Whether the full stop belongs to an abbreviation, an initial or an ordinal number."""
    word = _LAST_WORD.search(head)
    if word is None:
        return False
    last = word[1]
    is_initial = len(last) == 1 and last.isupper()
    is_ordinal = last.isdigit() and len(last) < 4  # noqa: PLR2004 - a year may end a sentence
    return is_initial or is_ordinal or bool(_NEVER_LAST.fullmatch(last.lower()))
