"""Finds where Polish sentences end, in spite of abbreviations, initials and ordinal numbers."""

from collections.abc import Iterator

from chatbot.language.patterns import regex

_END = regex(r"(?<![.!?…])[.!?…]++[”\"»)\]]*+(?=\s+[„\"«(\[]?[A-ZĄĆĘŁŃÓŚŹŻ0-9]|\s*$|\s*\n)")
_LAST_WORD = regex(r"([^\W\d_]+(?:\.[^\W\d_]+)*|\d+)\.+$")
TAIL = 40
_OPENING, _CLOSING = "([„«", ")]”»"

_NEVER_LAST = regex(
    r"abp|adm|al|ang|arab|arch|art|bł|bp|br|cz|czes|dł|dr|dyr|fr|franc|gen|gm|gr|hab|hebr|"
    r"hiszp|hr|im|inż|jap|kard|kol|kpt|ks|lek|łac|m\.in|mgr|mjr|mł|nadkom|niem|np|nr|o|ob|ok|"
    r"os|o\.s|p|par|pl|płk|płd|płn|por|pot|pow|pp|ppłk|prof|ps|pseud|red|ros|s|sp|st|św|śp|śś|t|tj|tłum|"
    r"tys|tzn|tzw|ukr|ul|ur|w\.in|węg|wg|wł|woj|wsch|wyd|zach|zm|zob"
)
"""Abbreviations after which a sentence goes on, even with a capital letter."""


def sentence_ends(text: str) -> Iterator[int]:
    """Yield the position after each whole sentence of ``text``; brackets are never torn apart.

    What stands at the very end counts as a whole sentence if it ends like one.
    """
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
    is_initial = len(last) == 1 and last.isupper() and head[word.start() - 1 : word.start()] != "°"
    is_ordinal = last.isdigit() and len(last) < 4  # noqa: PLR2004 - a year may end a sentence
    return is_initial or is_ordinal or bool(_NEVER_LAST.fullmatch(last.lower()))
