"""Which of the numbered proposals of a reply a prompt takes: "biorę ten drugi, narysuj"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.drawings.clauses import lowered
from chatbot.router.dialogue.enumerations import listed_common, pick
from chatbot.router.dialogue.turns import Turn

_ORDER = r"(?:pierwsz|drug|trzeci|czwart|ostatni)\w*"
_TURNS = 2  # exchanges back in which things may be listed
_NUMBERED = regex(
    r"(?:^|(?<=[\s(]))(?:(?:pierwsz|drug|trzeci|czwart)\w*(?: (?:motyw|pomysl|opcj|propozycj)\w*)?"
    r"\s?[:–-]|[1-4][.)]|[a-d]\))\s+(?=\S)"
)
_CHOSEN = regex(
    rf"(?:\b(?:biore|wybieram|wole|chce|poprosze|niech bedzie) )?"
    rf"\b(?:t(?:en|a|o|e|ego|ej|ym)|opcj\w+|pomysl|motyw|propozycj\w+) {_ORDER}"
    rf"(?: (?:motyw|pomysl|opcj|propozycj)\w*)?|\b{_ORDER} z (?:nich|tych\w*)\b|"
    rf"^(?:(?:a|no|to|dobra|ok)[ ,]+)*{_ORDER}(?= (?:mi )?(?:narysuj|namaluj|naszkicuj|pokaz))"
)
_OF_MEDIUM = regex(rf"\b{MEDIUM} t(?:ego|ej|ych) {_ORDER}")


def option_meant(reply: str, folded: str) -> str | None:
    """Return the proposal that the prompt's order means; ``None`` where none is numbered."""
    told = _CHOSEN.search(folded)
    marks = list(_NUMBERED.finditer(fold_evenly(reply))) if told is not None else []
    ends = [one.start() for one in marks[1:]] + [len(reply)]
    parts = [reply[one.end() : end] for one, end in zip(marks, ends, strict=False)]
    chosen = pick([one.strip(" .,;(") for one in parts], told[0]) if told is not None else None
    return lowered(chosen) if chosen else None


def listed_meant(turns: Sequence[Turn], folded: str, compared: Sequence[str] = ()) -> str | None:
    """Return which of the things that one of the last replies lists, or of two, the order means."""
    told = _CHOSEN.search(folded)
    if told is None:
        return None
    lists = (listed_common(turn.reply) for turn in reversed(turns[-_TURNS:]))
    return pick(next((one for one in lists if one), compared), told[0])


def without_choice(prompt: str) -> str:
    """Return a prompt without the words that only choose: what is left changes the choice."""
    folded = fold_evenly(prompt)
    told = _OF_MEDIUM.search(folded) or _CHOSEN.search(folded)
    if told is None:
        return prompt
    return f"{prompt[: told.start()]}{prompt[told.end() :]}".strip(" ,.")
