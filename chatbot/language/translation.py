"""Translate the description of a picture into English word by word, where every word is known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from chatbot.language.english import ENGLISH
from chatbot.language.glossary import glosses, phrases, pluralise, present_participle
from chatbot.language.lemmas import possible_lemmas
from chatbot.language.morphology import Reading, morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.language.vocabulary import PROPER

Kind: TypeAlias = Literal[
    "noun", "adjective", "participle", "verb", "preposition", "number", "word", "mark", "unknown"
]

LONGEST = 2_000
_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+(?:[.,]\d+)?|[^\w\s]")
_LONGEST_PHRASE = 6
_SHORTEST = 3
_QUOTES = frozenset('„“"«')
_CLOSING = frozenset('”"»')
_QUANTITIES = frozenset({"many", "several", "few", "lots of", "a dozen"})
_GOVERNED = {("waiting", "on"): "for", ("looking", "on"): "at"}
_STYLE = "in the style of"
_DROPPED = frozenset({"się", "sobie", "to", "taki", "taka", "takie", "jakiś", "jakaś", "jakieś"})
_FINITE = frozenset({"fin", "praet", "pcon", "pant"})
_NO_SPACE_BEFORE = frozenset(",.;:!?)”%")
_NO_SPACE_AFTER = frozenset("(„")


@dataclass(frozen=True, kw_only=True, slots=True)
class Translation:
    """``text`` is English only where ``is_complete``; else it is the Polish text, untouched.

    ``untranslated`` are the words that the glossary has not.
    """

    text: str
    is_complete: bool
    untranslated: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Piece:
    kind: Kind
    text: str
    cases: frozenset[str] = frozenset()
    is_plural: bool = False


def translate_description(polish: str) -> Translation:
    """Translate a description by lemma, in simple English order: adjectives before their noun.

    No articles are written. A text with a word that is not known is never translated by half.
    """
    words = _WORD.findall(polish[:LONGEST])
    pieces = list(_pieces(words))
    missing = tuple(dict.fromkeys(one.text for one in pieces if one.kind == "unknown"))
    if missing or not pieces or len(polish) > LONGEST:
        return Translation(text=polish, is_complete=False, untranslated=missing)
    return Translation(text=_write(list(_ordered(pieces))), is_complete=True)


def _pieces(words: Sequence[str]) -> Iterator[_Piece]:
    at = 0
    before: _Piece | None = None
    while at < len(words):
        if words[at] in _QUOTES:
            end = _end_of_quotation(words, at)
            yield _Piece(kind="word", text=_quoted(words[at : end + 1]))
            at, before = end + 1, None
            continue
        length, piece = _phrase(words, at) or (1, _piece(words, at, before))
        if piece is not None:
            yield piece
            before = piece
        at += length


def _end_of_quotation(words: Sequence[str], at: int) -> int:
    closing = (place for place in range(at + 1, len(words)) if words[place] in _CLOSING)
    return next(closing, len(words) - 1)


def _quoted(words: Sequence[str]) -> str:
    """A name or an inscription, which stays as it is."""
    return f"“{' '.join(word for word in words if word not in _QUOTES | _CLOSING)}”"


def _phrase(words: Sequence[str], at: int) -> tuple[int, _Piece] | None:
    """Find a phrase of several words, as it stands or, for nouns, in any case."""
    lowered = [word.lower() for word in words[at : at + _LONGEST_PHRASE]]
    firsts = dict.fromkeys((lowered[0], *(one.lemma.lower() for one in _readings(words[at]))))
    for first in firsts:
        for phrase, english in phrases().get(first, ()):
            if tuple(lowered[: len(phrase)]) == phrase or _is_inflected(words[at:], phrase):
                return len(phrase), _Piece(kind=_kind_of(english), text=english)
    return None


def _is_inflected(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether these words are forms of a noun phrase: "latarni morskiej"."""
    if len(words) < len(phrase) or not _nominal(phrase[0]):
        return False
    pairs = zip(words, phrase, strict=False)
    return all(possible_lemmas(word) & possible_lemmas(wanted) for word, wanted in pairs)


def _nominal(word: str) -> bool:
    is_long = len(word) >= _SHORTEST  # not "na", "po"
    return is_long and any(one.pos in {"subst", "adj"} for one in _readings(word))


def _kind_of(english: str) -> Kind:
    is_whole = english.split(maxsplit=1)[0] in {
        "in",
        "at",
        "on",
        "from",
        "by",
        "after",
        "without",
        "under",
    }
    if english.endswith((" of", " on", " to")):
        return "preposition"
    return "word" if is_whole or english in {"close up", "black and white"} else "noun"


def _piece(words: Sequence[str], at: int, before: _Piece | None) -> _Piece | None:
    word, lowered = words[at], words[at].lower()
    if lowered in _DROPPED:
        return None
    if not word[0].isalpha():
        kind: Kind = "number" if word[0].isdigit() else "mark"
        return _Piece(kind=kind, text=word, is_plural=word != "1")
    if lowered in {"z", "ze"}:
        return _with_or_from(words[at + 1] if at + 1 < len(words) else "")
    readings = _readings(word)
    if any(one.lemma in {"pełny", "pełen"} for one in readings) and _governs(words, at):
        return _Piece(kind="preposition", text="full of")
    return _invariable(words, at, readings) or _read(word, readings, before)


def _invariable(words: Sequence[str], at: int, readings: Sequence[Reading]) -> _Piece | None:
    """Translate a preposition, a conjunction or an adverb."""
    kinds: tuple[tuple[str, Kind], ...] = (("p", "preposition"), ("c", "word"), ("d", "word"))
    for part, kind in kinds:
        english = glosses().get((part, words[at].lower()))
        if english is None or (part == "p" and _is_noun_here(readings, words, at)):
            continue
        is_plural = english in _QUANTITIES
        return _Piece(kind="number" if is_plural else kind, text=english, is_plural=is_plural)
    return None


def _is_noun_here(readings: Sequence[Reading], words: Sequence[str], at: int) -> bool:
    """Whether "koło" is a wheel and not "near": nothing follows that it could govern."""
    is_last = at + 1 >= len(words) or not words[at + 1][0].isalnum()
    return is_last and any(one.pos == "subst" for one in readings)


def _governs(words: Sequence[str], at: int) -> bool:
    """Whether a genitive follows that the word here does not agree with: "pełen kwiatów"."""
    following = _readings(words[at + 1]) if at + 1 < len(words) else ()
    own = _cases([one for one in _readings(words[at]) if one.pos == "adj"])
    return any("gen" in one.cases for one in following) and "gen" not in own


def _with_or_from(following: str) -> _Piece:
    cases = {case for one in _readings(following) for case in one.cases}
    return _Piece(kind="preposition", text="with" if "inst" in cases or not cases else "from")


def _readings(word: str) -> tuple[Reading, ...]:
    return morphology().readings(word.lower()) if word and word[0].isalpha() else ()


def _read(word: str, readings: Sequence[Reading], before: _Piece | None) -> _Piece:
    """Translate a word that declines or conjugates, by its likeliest reading here."""
    if any(one.lemma in {"który", "jaki"} for one in readings):
        is_object = before is not None and before.kind == "preposition"
        return _Piece(kind="unknown", text=word) if is_object else _Piece(kind="word", text="")
    if pronouns := [one for one in readings if one.pos == "ppron3"]:
        text = "them" if pronouns[0].numbers == {"pl"} else "it"
        return _Piece(kind="word", text=text)
    found = [piece for one in readings if (piece := _by_reading(one)) is not None]
    is_within = before is not None and before.kind != "mark"
    if found:
        likeliest = _likeliest(found, before)
        is_named = word[0].isupper() and is_within and likeliest.kind != "noun"
        return _Piece(kind="unknown", text=word) if is_named else likeliest
    if word[0].isupper() and (name := _name(word, readings, before)):
        return _Piece(kind="noun", text=name, cases=_cases(readings))
    if word.lower() in ENGLISH and not readings:
        return _Piece(kind="noun", text=word)
    return _Piece(kind="unknown", text=word)


def _by_reading(reading: Reading) -> _Piece | None:
    is_plural = reading.numbers == {"pl"}
    piece = _Piece(kind="noun", text="", cases=reading.cases, is_plural=is_plural)
    return _declined(reading, piece) or _conjugated(reading, piece)


def _declined(reading: Reading, piece: _Piece) -> _Piece | None:
    """Translate a noun, an adjective, a numeral or an adverb."""
    lemma, known = reading.lemma, glosses()
    noun = known.get(("n", lemma)) if reading.pos == "subst" else None
    adjective = _adjective(reading)
    number = known.get(("m", lemma)) if reading.pos in {"num", "adj"} else None
    adverb = known.get(("d", lemma)) if reading.pos == "adv" else None
    if noun is not None:
        return replace(piece, text=pluralise(noun) if piece.is_plural else noun)
    if adjective is not None:
        return replace(piece, kind="adjective", text=adjective)
    if number is not None:
        return replace(piece, kind="number", text=number, is_plural=number != "one")
    return None if adverb is None else replace(piece, kind="word", text=adverb)


def _conjugated(reading: Reading, piece: _Piece) -> _Piece | None:
    """Translate a verb: "pije" → "drinking", "otoczony" → "surrounded"."""
    verb, _, participle = glosses().get(("v", reading.lemma), "").partition("|")
    if reading.lemma == "być" and reading.pos in _FINITE:
        return replace(piece, kind="verb", text="are" if piece.is_plural else "is")
    if not verb or reading.is_negated:
        return None
    if reading.pos == "ppas":
        text = participle or f"{verb}{'d' if verb.endswith('e') else 'ed'}"
        return replace(piece, kind="participle", text=text)
    if reading.pos not in {"pact", *_FINITE}:
        return None
    kind: Kind = "participle" if reading.pos == "pact" else "verb"
    return replace(piece, kind=kind, text=present_participle(verb))


def _adjective(reading: Reading) -> str | None:
    """The English of an adjective, also of one that the dictionary holds for a participle."""
    if reading.degree.startswith(("com", "sup")) or reading.is_negated:
        return None
    if reading.pos == "adj":
        return glosses().get(("a", reading.lemma))
    if reading.pos != "ppas":
        return None
    forms = (
        form.text
        for form in morphology().forms(reading.key)
        if form.reading.pos == "ppas" and not form.reading.is_negated
    )
    return next((glosses()["a", form] for form in forms if ("a", form) in glosses()), None)


def _likeliest(found: Sequence[_Piece], before: _Piece | None) -> _Piece:
    """Prefer what agrees with the word before, a genitive after a noun, a plural after numbers."""

    def weight(piece: _Piece) -> tuple[bool, bool, bool]:
        if before is None or before.kind == "mark":
            return "nom" in piece.cases, True, piece.kind == "noun"
        if before.kind == "number":
            return piece.is_plural == before.is_plural, True, piece.kind == "noun"
        if before.kind == "noun":
            is_genitive = piece.kind == "noun" and "gen" in piece.cases
            return piece.kind != "noun" or is_genitive, not piece.is_plural, piece.kind != "noun"
        shared = bool(piece.cases & before.cases) or not before.cases
        return shared, piece.is_plural == before.is_plural, piece.kind == "noun"

    return max(_merged(found), key=weight)


def _merged(found: Sequence[_Piece]) -> list[_Piece]:
    """Readings with the same English as one, with the cases of all."""
    same: dict[tuple[Kind, str], _Piece] = {}
    for piece in found:
        known = same.setdefault((piece.kind, piece.text), piece)
        same[piece.kind, piece.text] = replace(known, cases=known.cases | piece.cases)
    return list(same.values())


def _name(word: str, readings: Sequence[Reading], before: _Piece | None) -> str | None:
    """The nominative of a proper name, which is the same in English."""
    named = {one.lemma for one in readings if one.labels & PROPER}
    if len(named) < 2:  # noqa: PLR2004 - nothing to choose from
        return next(iter(named), None)
    is_place = before is not None and before.kind == "preposition"
    return lemmatise(word, kind="place", preposition="w") if is_place else lemmatise(word)


def _cases(readings: Sequence[Reading]) -> frozenset[str]:
    return frozenset(case for one in readings for case in one.cases)


def _ordered(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """Put adjectives before their noun, and "of" or "with" before a noun that needs it."""
    at = 0
    before: _Piece | None = None
    while at < len(pieces):
        group = _group(pieces, at)
        if pieces[at].text == _STYLE and (named := _named_style(pieces, at + 1)):
            yield _Piece(kind="word", text=f"in {' '.join(named)} style")
            at += 1 + len(named)
            before = None
            continue
        if before is not None and (other := _GOVERNED.get((before.text, group[0].text))):
            group = [replace(group[0], text=other)]
        link = _link(before, group)
        if link is not None:
            yield _Piece(kind="preposition", text=link)
        yield from group
        before = next((one for one in group if one.kind == "noun"), group[-1])
        at += len(group)


def _named_style(pieces: Sequence[_Piece], at: int) -> list[str]:
    """The adjectives of a style, where no noun follows them: "w stylu gotyckim"."""
    end = at
    while end < len(pieces) and pieces[end].kind == "adjective":
        end += 1
    is_noun = end < len(pieces) and pieces[end].kind == "noun"
    return [] if is_noun else [one.text for one in pieces[at:end]]


def _group(pieces: Sequence[_Piece], at: int) -> list[_Piece]:
    """Take a noun with its adjectives on both sides, or one piece of another kind."""
    start = at
    while at < len(pieces) and pieces[at].kind in {"number", "adjective", "participle"}:
        at += 1
    if at >= len(pieces) or pieces[at].kind != "noun" or not _agree(pieces[start:at], pieces[at]):
        return [pieces[start]]
    noun, end = pieces[at], at + 1
    while end < len(pieces) and pieces[end].kind == "adjective" and not _precedes(pieces, end):
        end += 1
    behind = list(pieces[at + 1 : end])
    return [*pieces[start:at], *behind, noun]


def _agree(modifiers: Sequence[_Piece], noun: _Piece) -> bool:
    """Whether participles belong to the noun and do not govern it: "otoczona kotami"."""
    return all(
        one.kind == "number" or not one.cases or not noun.cases or one.cases & noun.cases
        for one in modifiers
    )


def _precedes(pieces: Sequence[_Piece], at: int) -> bool:
    """Whether a noun follows the adjective here that it rather belongs to."""
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    if following is not None and following.kind == "adjective":
        return _precedes(pieces, at + 1)
    if following is None or following.kind != "noun":
        return False
    shared = following.cases & pieces[at].cases
    return bool(shared) and len(shared) >= len(pieces[at - 1].cases & pieces[at].cases)


def _link(before: _Piece | None, group: Sequence[_Piece]) -> str | None:
    """The preposition that English has where Polish has a case alone."""
    if before is None or group[-1].kind != "noun" or before.text.endswith((" of", "of")):
        return None
    cases = group[-1].cases
    if before.kind == "noun" and cases:
        return "of" if "gen" in cases else "with" if "inst" in cases else None
    if before.kind == "participle" and "inst" in cases and "acc" not in cases:
        return "with"
    return None


def _write(pieces: Sequence[_Piece]) -> str:
    text = ""
    for piece in pieces:
        if not piece.text:
            text = text.rstrip(", ")
            continue
        is_tight = piece.text in _NO_SPACE_BEFORE or not text or text[-1] in _NO_SPACE_AFTER
        text += piece.text if is_tight else f" {piece.text}"
    return text.strip()
