"""Put diacritics and capitals back into a name that was typed without them."""

from collections.abc import Sequence

from chatbot.language.folding import fold
from chatbot.language.frequent import FREQUENT
from chatbot.language.morphology import Morphology
from chatbot.language.pieces import Piece, is_literal
from chatbot.language.prices import is_marked
from chatbot.language.restoration import restore
from chatbot.language.vocabulary import COMMON, PERSONAL, PROPER, ROMAN
from chatbot.types import NameKind

_LINKS = frozenset(["z", "ze", "bez", "w", "we", "na", "nad", "pod", "od", "i", "oraz"])


def mend(
    words: Morphology, pieces: Sequence[Piece], kind: NameKind | None, *, may_end: bool
) -> tuple[Piece, ...]:
    """Put diacritics into a phrase that has none, capitals into names of one that has none.

    ``may_end`` allows ą and ę at the end of a word, as in inflected ones.
    """
    texts = [piece.text for piece in pieces]
    if all(fold(text) == text.lower() for text in texts):
        is_part = len(texts) > 1
        texts = [
            restore(words, text, kind=kind, may_end=may_end, is_part=is_part) for text in texts
        ]
    mended = [_replace(words, *pair) for pair in zip(pieces, texts, strict=True)]
    if any(piece.is_capitalised for piece in mended):
        return tuple(mended)
    if kind == "person":
        return _capitalise_person(words, mended)
    capitals = [_is_name(mended, place) for place in range(len(mended))]
    return tuple(
        _replace(words, piece, piece.text.capitalize()) if is_name else piece
        for piece, is_name in zip(mended, capitals, strict=True)
    )


def _replace(words: Morphology, piece: Piece, text: str) -> Piece:
    if text == piece.text:
        return piece
    return Piece(text=text, before=piece.before, readings=words.readings(text))


def _capitalise_person(words: Morphology, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Give a person's names their capitals, after titles: "król jan iii" → "król Jan III"."""
    if len(pieces) == 1 and _is_common(pieces[0]):
        return tuple(pieces)
    named: list[Piece] = []
    has_begun = False
    for position, piece in enumerate(pieces):
        is_last = position + 1 == len(pieces)
        is_title = not has_begun and not is_last and _is_common(piece) and not piece.has({"imię"})
        is_initial = len(piece.text) == 1 and is_literal(pieces, position)
        if is_title or (_is_small(pieces, position) and not is_initial):
            named.append(piece)
            continue
        is_number = has_begun and ROMAN.fullmatch(piece.text.upper()) is not None
        text = piece.text.upper() if is_number else piece.text[:1].upper() + piece.text[1:]
        named.append(_replace(words, piece, text))
        has_begun = True
    return tuple(named)


def _is_small(pieces: Sequence[Piece], position: int) -> bool:
    """Whether a word within a person's name has no capital: "z", "von", "św", "d'Arc"."""
    text = pieces[position].text
    return text in _LINKS or text[1:2] in {"'", "’"} or is_literal(pieces, position)


def _is_name(pieces: Sequence[Piece], position: int) -> bool:
    """Whether a lower-case word can only be a name, or is one beside another name."""
    piece = pieces[position]
    if piece.readings and all(reading.labels & PROPER for reading in piece.readings):
        return True
    is_common = _is_common(pieces[0])  # "wilk szary" is nobody's name
    if position == 1 and pieces[0].has({"imię"}) and piece.is_adjectival and not is_common:
        return True  # "kazimierz wielki"
    after = pieces[position + 1 : position + 2]
    if position and _is_first_name(pieces[position - 1]) and _is_surname(piece):
        return True
    return _is_first_name(piece) and any(_is_surname(one) for one in after)


def _is_first_name(piece: Piece) -> bool:
    return piece.has({"imię"}) and not _is_common(piece)


def _is_common(piece: Piece) -> bool:
    return any(one.labels & COMMON and not is_marked(one) for one in piece.readings)


def _is_surname(piece: Piece) -> bool:
    is_common = any(reading.lemma in FREQUENT for reading in piece.readings)
    return piece.has(PERSONAL) and not is_common
