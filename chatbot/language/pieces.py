"""A phrase cut into words with their readings, and what can be said of each by its place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chatbot.language.acronyms import is_acronym
from chatbot.language.morphology import Morphology, Reading
from chatbot.language.patterns import regex
from chatbot.language.vocabulary import (
    ABBREVIATIONS,
    AMBIGUOUS_ABBREVIATIONS,
    HALLS,
    HYPHENS,
    PARTICLES,
    PERSONAL,
    ROMAN,
)

WORD = regex(r"[^\W_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """One word of a phrase, with what stood before it and all its readings."""

    text: str
    before: str
    readings: tuple[Reading, ...]

    @property
    def is_capitalised(self) -> bool:
        """Whether the word was written with a capital letter."""
        return self.text[:1].isupper()

    @property
    def is_hyphenated(self) -> bool:
        """Whether a hyphen joins the word to the one before."""
        return self.before in HYPHENS

    @property
    def is_adjectival(self) -> bool:
        """Whether the word can be an adjective."""
        return any(reading.is_adjectival for reading in self.readings)

    def has(self, labels: Iterable[str]) -> bool:
        """Tell whether some reading carries one of the dictionary's ``labels``."""
        wanted = frozenset(labels)
        return any(reading.labels & wanted for reading in self.readings)


def split_phrase(words: Morphology, phrase: str) -> tuple[tuple[Piece, ...], str]:
    """Cut a phrase into its words with their readings; the second value is what is left over."""
    pieces: list[Piece] = []
    end = 0
    for match in WORD.finditer(phrase):
        readings = words.readings(match[0])
        pieces.append(Piece(text=match[0], before=phrase[end : match.start()], readings=readings))
        end = match.end()
    return tuple(pieces), phrase[end:]


def is_literal(pieces: Sequence[Piece], position: int) -> bool:
    """Whether the word never inflects: a number, a particle of a name, an initial."""
    text = pieces[position].text
    if text.isdigit() or ROMAN.fullmatch(text) or text.lower() in PARTICLES:
        return True
    if _is_title(pieces, position):
        return True
    if is_acronym(text) and not all(piece.text.isupper() for piece in pieces):
        return True
    after = pieces[position + 1 : position + 2]
    return len(text) == 1 and any(piece.before.startswith(".") for piece in after)


def is_first_half(pieces: Sequence[Piece], position: int) -> bool:
    """Whether the word is the first half of an adjective such as "polsko-niemiecki"."""
    after = pieces[position + 1 : position + 2]
    is_joined = any(piece.is_hyphenated and piece.is_adjectival for piece in after)
    return is_joined and pieces[position].text.endswith("o")


def is_last_noun(pieces: Sequence[Piece], position: int) -> bool:
    """Whether no noun follows that an adjective here could belong to."""
    after = pieces[position + 1 : position + 2]
    return not any(reading.is_nominal for piece in after for reading in piece.readings)


def begins_like_a_person(pieces: Sequence[Piece]) -> bool:
    """Whether a first name, an initial, or two unknown names, and a capitalised word stand here."""
    names = [
        (position, piece)
        for position, piece in enumerate(pieces)
        if not _is_title(pieces, position) and piece.text not in PARTICLES
    ]
    if not names or sum(piece.is_capitalised for _, piece in names) <= 1:
        return False
    position, first = names[0]
    if len(first.text) > 1 and first.text.isupper():
        return False
    if len(first.text) == 1 and is_literal(pieces, position):
        return _may_be_a_surname(names[-1][1])
    if first.has({"imię"}):
        return not any(reading.lemma in HALLS for reading in first.readings)
    return not first.readings and all(piece.is_capitalised for _, piece in names[:2])


def _is_title(pieces: Sequence[Piece], position: int) -> bool:
    """Whether the word is a title cut short: "prof.", "św."."""
    if pieces[position].text.lower() in ABBREVIATIONS:
        return True
    after = pieces[position + 1 : position + 2]
    is_cut = any(piece.before.startswith(".") for piece in after)
    return is_cut and pieces[position].text.lower() in AMBIGUOUS_ABBREVIATIONS


def _may_be_a_surname(piece: Piece) -> bool:
    return piece.has(PERSONAL) or (not piece.readings and not piece.text.isupper())
