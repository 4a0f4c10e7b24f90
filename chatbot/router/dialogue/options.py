"""Which of the numbered proposals of a reply a prompt takes: "biorę ten drugi, narysuj"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.clauses import lowered
from chatbot.router.dialogue.enumerations import pick

_ORDER = r"(?:pierwsz|drug|trzeci|czwart|ostatni)\w*"
_NUMBERED = regex(
    r"(?:^|(?<=[\s(]))(?:(?:pierwsz|drug|trzeci|czwart)\w*(?: (?:motyw|pomysl|opcj|propozycj)\w*)?"
    r"\s?[:–-]|[1-4][.)]|[a-d]\))\s+(?=\S)"
)
_CHOSEN = regex(
    rf"(?:\b(?:biore|wybieram|wole|chce|poprosze|niech bedzie) )?"
    rf"\b(?:t(?:en|a|o|e)|opcj\w+|pomysl|motyw|propozycj\w+) {_ORDER}"
    r"(?: (?:motyw|pomysl|opcj|propozycj)\w*)?"
)


def option_meant(reply: str, folded: str) -> str | None:
    """Return the proposal that the prompt's order means; ``None`` where none is numbered."""
    told = _CHOSEN.search(folded)
    marks = list(_NUMBERED.finditer(fold_evenly(reply))) if told is not None else []
    ends = [one.start() for one in marks[1:]] + [len(reply)]
    parts = [reply[one.end() : end] for one, end in zip(marks, ends, strict=False)]
    chosen = pick([one.strip(" .,;(") for one in parts], told[0]) if told is not None else None
    return lowered(chosen) if chosen else None


def without_choice(prompt: str) -> str:
    """Return a prompt without the words that only choose: what is left changes the choice."""
    told = _CHOSEN.search(fold_evenly(prompt))
    if told is None:
        return prompt
    return f"{prompt[: told.start()]}{prompt[told.end() :]}".strip(" ,.")
