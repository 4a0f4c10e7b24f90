"""Put a name in a model's arguments right by what the user wrote."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chatbot.router.grounding.phrases import Phrases
from chatbot.router.grounding.places import Places
from chatbot.router.grounding.spans import Texts
from chatbot.router.grounding.spelling import readable, tidy
from chatbot.types import NameKind

GroundingState: TypeAlias = Literal["kept", "repaired", "translated", "invented"]
LONGEST_NAME = 120  # characters; what is longer is no name


@dataclass(frozen=True, kw_only=True, slots=True)
class Grounded:
    """A name after grounding, and what was done to it.

    ``kept``: it was right. ``repaired``: it is now the base form of what a text says.
    ``translated``: it was a foreign name or a nickname of a place, and is now the Polish name.
    ``invented``: no text says it; ``value`` is the model's own.
    """

    value: str
    state: GroundingState


def ground(value: str, kind: NameKind, texts: Sequence[str]) -> Grounded:
    """Ground one argument of a model's call in what was said.

    Args:
        value: The argument as the model wrote it.
        kind: What it names.
        texts: Where it may come from: the user's prompt first, then the dialogue. Of each text
            both ends are read, of all texts the first twelve.
    """
    is_quoted = any(value in text for text in texts)
    name = tidy(value) if is_quoted else readable(value)
    if not name or len(name) > LONGEST_NAME:
        return Grounded(value=value, state="kept")
    said = Texts(texts)
    if kind == "place":
        full = unicodedata.normalize("NFKC", name)  # no place has a letter of double width
        place, is_translated = Places(said).ground(full) or (None, False)
        return _grounded(value, place, is_translated=is_translated)
    return _grounded(value, Phrases(kind, said).ground(name))


def _grounded(value: str, found: str | None, *, is_translated: bool = False) -> Grounded:
    if found is None:
        return Grounded(value=value, state="invented")
    if is_translated:
        return Grounded(value=found, state="translated")
    return Grounded(value=found, state="kept" if found == value else "repaired")
