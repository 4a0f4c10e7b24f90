"""Cuts a text into tokens that know their clause, their sentence and their line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.language.sentences import sentence_ends

Kind = Literal["word", "number", "clock", "date", "mark", "link", "sign"]

_TOKEN = regex(
    r"(?P<link>https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,64}\.\w+|\]\()"
    r"|(?P<clock>(?<!\d)\d{1,2}:\d{2}(?![\d:]))"
    r"|(?P<date>(?<!\d)\d{4}-\d{2}-\d{2}(?!\d))"
    r"|(?P<number>\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})++(?:,\d+)?(?!\d)|\d+(?:[.,]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<sign>[^\W_])"  # ½, ², ①: a figure that is no digit
    r"|(?P<mark>\S)"
)
_CLAUSE_MARKS = frozenset(",;()[]—!?…")
_CLAUSE_WORDS = frozenset({"a", "i", "oraz", "ale", "lecz", "zas", "natomiast", "przy", "podczas"})
_DASHES = frozenset("-–−")
_DECORATION = frozenset("*_#>•-–—\"'„”«»")


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """One word, number or mark. ``clause`` and ``line`` count from 0; ``opens`` a sentence."""

    kind: Kind
    text: str
    folded: str
    is_spaced: bool
    clause: int
    line: int
    opens: bool

    @property
    def is_capitalised(self) -> bool:
        """Whether it is a word that begins with a capital letter."""
        return self.kind == "word" and self.text[:1].isupper()

    @property
    def is_dash(self) -> bool:
        """Whether it is a hyphen, a dash or a minus sign."""
        return self.text in _DASHES


def tokenise(text: str) -> tuple[Token, ...]:
    """Cut ``text``; every character that is not blank belongs to some token."""
    return tuple(_read(text))


def _read(text: str) -> Iterator[Token]:
    ends = sentence_ends(text)
    next_end = next(ends, len(text))
    clause, line, end, opens = 0, 0, 0, True
    for found in _TOKEN.finditer(text):
        gap = text[end : found.start()]
        is_new_sentence = found.start() >= next_end
        while found.start() >= next_end:
            next_end = next(ends, len(text) + 1)
        if "\n" in gap or is_new_sentence:
            line += "\n" in gap
            clause, opens = clause + 1, True
        kind: Kind = found.lastgroup  # type: ignore[assignment] # the groups are named by kind
        folded = fold(found[0])
        is_break = _is_break(kind, found[0], folded, is_spaced=bool(gap))
        clause += is_break
        yield Token(
            kind=kind,
            text=found[0],
            folded=folded,
            is_spaced=bool(gap) or not end,
            clause=clause,
            line=line,
            opens=opens,
        )
        opens = found[0] == ":" or (opens and found[0] in _DECORATION)
        end = found.end()


def _is_break(kind: Kind, text: str, folded: str, *, is_spaced: bool) -> bool:
    if kind == "mark":
        return text in _CLAUSE_MARKS or (text == "–" and is_spaced)
    return kind == "word" and folded in _CLAUSE_WORDS
