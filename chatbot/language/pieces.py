"""A phrase cut into words with their readings, and what can be said of each by its place."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chatbot.language.acronyms import is_acronym
from chatbot.language.morphology import Morphology, Reading
from chatbot.language.vocabulary import HYPHENS, PARTICLES, ROMAN

WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")


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
    """Whether a first name, or two unknown names, and another capitalised word stand here."""
    if sum(piece.is_capitalised for piece in pieces) <= 1:
        return False
    is_foreign = not pieces[0].readings and all(piece.is_capitalised for piece in pieces[:2])
    return is_foreign or pieces[0].has({"imię"})
