"""Find every place that a prompt names, with the preposition before it, in its base form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from chatbot.language.days import read_day
from chatbot.language.morphology import Reading, morphology
from chatbot.language.patterns import regex
from chatbot.language.places import Sighting, begins_place, gazetteer
from chatbot.language.restoration import accented
from chatbot.router.detector.landmarks import LONGEST, find_landmark, place_of_adjective
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.placenames import base_form, is_epithet, is_first_name, is_geographic
from chatbot.router.detector.placewords import (
    AROUND,
    ASSENT,
    AT,
    BEFORE,
    BEHIND,
    FILLERS,
    INSTITUTION,
    KINDS,
    LINKS,
    LOCAL,
    NEAR,
    NEVER,
    PREPOSITIONS,
    STREETS,
    TO,
)
from chatbot.router.detector.spans import Span, joined
from chatbot.router.detector.typos import mistyped_place

_LONGEST = 4
_SHORTEST = 2
_ACRONYM = 5
_LATIN = regex(r"[A-Za-zÀ-ɏ’'–-]+")
_BARE = 6
_MOST_VARIANTS = 48
_PERSONAL = frozenset({"imię", "nazwisko"})
_INNER = frozenset({"de", "la", "los", "las", "san", "santa", "el", "di", "nad", "upon", "am"})
_CASES: Mapping[str, frozenset[str]] = MappingProxyType({
    preposition: frozenset(cases.split())
    for prepositions, cases in (
        ("w we przy", "loc"),
        ("na po", "loc acc"),
        ("do dla z ze od kolo obok niedaleko", "gen"),
        ("nad pod przed za", "inst acc"),
    )
    for preposition in prepositions.split()
})


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """A place in the prompt: words from ``start`` to before ``end``, after ``preposition``.

    ``is_known``: a table has it. ``is_plain``: typed like the common word that it could be too.
    """

    start: int
    end: int
    preposition: str | None
    name: str
    is_known: bool
    is_plain: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """A name that begins at some word: how many words it has, and what is known of it."""

    size: int
    name: str
    is_known: bool
    is_plain: bool = False


def find_sights(prompt: str, words: Sequence[Span]) -> list[Sight]:
    """Return all places in the order of the prompt; the same place may stand there twice."""
    return _Finder(prompt, words).find()


class _Finder:
    """Reads the words of one prompt from left to right."""

    def __init__(self, prompt: str, words: Sequence[Span]) -> None:
        self._prompt = prompt
        self._words = words
        self._names = morphology()
        self._is_small = not any(word.is_capitalised for word in words[1:])

    def find(self) -> list[Sight]:
        found: list[Sight] = []
        at = 0
        while at < len(self._words):
            sight = self._sight(at, found[-1] if found else None)
            if sight is not None:
                found.append(sight)
            at = at + 1 if sight is None else sight.end
        return found

    def _sight(self, at: int, before: Sight | None) -> Sight | None:
        word = self._words[at].folded
        if word in PREPOSITIONS:
            return self._after_preposition(at) or self._bare(at)
        if before is not None and word in LINKS and at == before.end:
            start = at + 1
            while start < len(self._words) and self._words[start].folded in FILLERS:
                start += 1
            found = self._name(start, before.preposition)
            is_name = found and (self._words[start].is_capitalised or found.is_known)
            return self._made(start, before.preposition, found) if found and is_name else None
        return self._bare(at)

    def _bare(self, at: int) -> Sight | None:
        is_word = self._words[at].folded in PREPOSITIONS and not self._is_proper(at)
        found = None if is_word else self._name(at, None)
        return self._made(at, None, found) if found else None

    def _made(self, start: int, preposition: str | None, found: _Found) -> Sight:
        return Sight(
            start=start,
            end=start + found.size,
            preposition=preposition,
            name=found.name,
            is_known=found.is_known,
            is_plain=found.is_plain,
        )

    def _after_preposition(self, at: int) -> Sight | None:
        preposition = self._words[at].folded
        start = at + 1
        if found := self._name(start, preposition):
            return self._made(start, preposition, found)
        while start < len(self._words) and (
            self._words[start].folded in AROUND
            or (place_of_adjective(self._words[start].folded) and self._is_proper(start + 1))
        ):
            start += 1
        if start == at + 1:
            return None
        governs = preposition if self._words[start - 1].folded in LOCAL else "do"
        for case in (governs, preposition, None):
            if found := self._name(start, case):
                return self._made(start, preposition, found)
        return None

    def _is_proper(self, at: int) -> bool:
        return at < len(self._words) and self._words[at].is_capitalised

    def _name(self, start: int, preposition: str | None) -> _Found | None:
        """Read the longest name that begins at word ``start``."""
        words = self._words[start : start + _LONGEST + 1]
        if not words or not words[0].text[0].isalpha():
            return None
        known = self._known(start, preposition)
        landmark = self._landmark(start, preposition)
        found = landmark if landmark and (known is None or known.size <= landmark.size) else known
        if (found is None or found.size == 1) and self._has_epithet(start, preposition):
            return self._institution(start) or self._unknown_of(
                start, max(2, self._named_size(start, preposition)), preposition
            )
        if self._is_never(words[0], preposition):
            return found if found and found.size > 1 else None
        found = found or self._mistyped(start, preposition) or self._unknown(start, preposition)
        is_day = found is not None and found.size == 1 and self._is_day(start)
        return None if is_day else found

    def _landmark(self, start: int, preposition: str | None) -> _Found | None:
        """Read a name of the landmarks; a common word only in a prompt of small letters."""
        words = self._words[start : start + LONGEST]
        if (landmark := find_landmark(words)) is None:
            return None
        name, size = landmark
        is_plain = self._is_common(start, size, preposition)
        is_fit = self._is_small and (
            preposition in {"w", "we", "na", "do"}
            or (preposition is None and self._is_by_weather(start, size))
        )
        if is_plain and (not is_fit or "weather" in groups_of(words[0].folded)):
            return None
        return _Found(size=size, name=name, is_known=True, is_plain=is_plain)

    def _is_never(self, word: Span, preposition: str | None) -> bool:
        if word.folded not in NEVER or not word.is_capitalised:
            return word.folded in NEVER or (preposition is None and word.folded in ASSENT)
        if preposition is None:
            return word.folded in ASSENT or not gazetteer().sightings(word.text)
        return not (gazetteer().sightings(word.text) or find_landmark([word]))

    def _institution(self, start: int) -> _Found | None:
        """Read the town that an institution is called after: "na Politechnice Gdańskiej"."""
        first, second = self._words[start : start + 2]
        town = INSTITUTION.match(first.folded) and place_of_adjective(second.folded)
        return _Found(size=2, name=town, is_known=True) if town else None

    def _has_epithet(self, start: int, preposition: str | None) -> bool:
        """Whether two words are one name by the adjective in it: "w Bielanach Wrocławskich"."""
        pair = self._words[start : start + 2]
        is_led = preposition is not None or self._is_village(start)
        if not is_led or len(pair) < 2 or not all(one.is_capitalised for one in pair):  # noqa: PLR2004 - a pair
            return False
        first, second = pair
        if second.start - first.end != 1 or read_day(second.text) is not None:
            return False
        if BEFORE.fullmatch(first.folded):
            return True
        is_name = not any(map(_is_everyday, self._names.readings(first.text.lower())))
        is_part = is_name or INSTITUTION.match(first.folded) is not None
        return is_part and BEHIND.fullmatch(second.folded) is not None

    def _is_village(self, start: int) -> bool:
        """Whether the word before says that a place is named: "sołectwo Stare Bogaczowice"."""
        return start > 0 and self._words[start - 1].folded in KINDS

    def _is_common(self, start: int, size: int, preposition: str | None) -> bool:
        """Whether a single word is rather a common word than a name, by its small letter.

        The capital that begins a sentence tells nothing.
        """
        word = self._words[start]
        is_first = preposition is None and (start == 0 or self._words[start - 1].text in ".?!…")
        if size > 1 or (word.is_capitalised and not is_first):
            return False
        return any(_is_everyday(reading) for reading in self._names.readings(word.text.lower()))

    def _is_day(self, start: int) -> bool:
        """Whether the word is a day, by itself or after the word before it: "w Mikołajki"."""
        said = " ".join(word.text for word in self._words[max(0, start - 1) : start + 1])
        return read_day(self._words[start].text) is not None or bool(
            start and self._words[start - 1].folded in AT and read_day(said)
        )

    def _known(self, start: int, preposition: str | None) -> _Found | None:
        """Read a place of the gazetteer; a common word only where it fits as one of these."""
        is_likely = begins_place(self._words[start].folded)
        for size in range(min(_LONGEST, len(self._words) - start) if is_likely else 0, 0, -1):
            if not self._words[start + size - 1].text[0].isalpha():
                continue
            phrase = joined(self._prompt, self._words[start : start + size])
            sightings = gazetteer().sightings(phrase)
            if not sightings:
                continue
            is_plain = self._is_common(start, size, preposition)
            if is_plain and not self._is_place_by_place(start, size, preposition, sightings):
                continue
            name = base_form(phrase, preposition)
            return _Found(size=size, name=name, is_known=True, is_plain=is_plain)
        return None

    def _is_place_by_place(
        self, start: int, size: int, preposition: str | None, sightings: Sequence[Sighting]
    ) -> bool:
        """Whether "w kole" can be the town: small letters throughout, the right case."""
        cases = {sighting.case for sighting in sightings}
        if preposition is None:
            is_name = self._is_small or self._words[start].is_capitalised
            return is_name and "nom" in cases and self._is_by_weather(start, size)
        if not self._is_small:
            return preposition in {"w", "we"} and "loc" in cases
        if preposition in {"na", "po"}:
            return any(sighting.place.preposition == "na" for sighting in sightings)
        return bool(cases & _CASES.get(preposition, cases))

    def _is_by_weather(self, at: int, size: int) -> bool:
        beside = [
            self._words[place].folded
            for place in (at - 1, at + size)
            if 0 <= place < len(self._words)
        ]
        return (
            any("weather" in groups_of(word) or word in LINKS for word in beside)
            or len(self._words) <= _LONGEST
            or self._is_by_day(at + size)
        )

    def _is_by_day(self, at: int) -> bool:
        """Whether a colon or a day stands here: "Opole: dziś", "Zakopane na święta"."""
        if at >= len(self._words):
            return False
        is_led = self._words[at].folded in AT and at + 1 < len(self._words)
        return self._words[at].text == ":" or self._is_day(at + is_led)

    def _mistyped(self, start: int, preposition: str | None) -> _Found | None:
        """Read a known place with a slip of the keyboard, where the word is none by itself."""
        pair, one = self._words[start : start + 2], self._words[start]
        is_bare = preposition is None and not one.is_capitalised
        if is_bare and (len(one.text) < _BARE or not self._is_by_weather(start, 1)):
            return None
        if len(pair) > 1 and all(word.is_capitalised for word in pair):
            name = mistyped_place(joined(self._prompt, pair))
            if name:
                return _Found(size=2, name=name, is_known=True)
        if self._is_acronym(one):
            return None
        name = mistyped_place(one.text) if self._is_strange(one) else None
        return _Found(size=1, name=name, is_known=True) if name else None

    def _is_acronym(self, word: Span) -> bool:
        """Whether only this word is written in capitals: "SUP", "PKP"."""
        return word.text.isupper() and not self._prompt.isupper() and len(word.text) <= _ACRONYM

    def _is_strange(self, word: Span) -> bool:
        """Whether no dictionary has the word, with or without its diacritics."""
        return word.text[0].isalpha() and not groups_of(word.folded) and not self._readings(word)

    def _unknown(self, start: int, preposition: str | None) -> _Found | None:
        """Read a name that no table has: by its capitals, or a geographic reading."""
        size = self._named_size(start, preposition)
        return self._unknown_of(start, size, preposition) if size else None

    def _unknown_of(self, start: int, size: int, preposition: str | None) -> _Found:
        phrase = joined(self._prompt, self._words[start : start + size])
        return _Found(size=size, name=base_form(phrase, preposition), is_known=False)

    def _named_size(self, start: int, preposition: str | None) -> int:
        first = self._words[start]
        if (
            len(first.text) < _SHORTEST
            or not _LATIN.fullmatch(first.text)
            or (self._is_person(start) and not self._leads(start, preposition))
            or (preposition is None and self._is_acronym(first))
            or (start and self._words[start - 1].text in _QUOTES)
        ):
            return 0
        if not first.is_capitalised:
            return int(
                self._is_small and preposition in AT | TO | NEAR and self._can_be_place(first)
            )
        if preposition is None and not self._is_bare_place(start):
            return 0
        size = 1
        while start + size < len(self._words) and size < _LONGEST and self._continues(start + size):
            size += 1
        while size > 1 and self._words[start + size - 1].folded in _INNER:
            size -= 1
        return size

    def _continues(self, at: int) -> bool:
        word, before = self._words[at], self._words[at - 1]
        is_part = word.is_capitalised or word.folded in _INNER
        return is_part and word.start - before.end <= 1 and read_day(word.text) is None

    def _is_bare_place(self, at: int) -> bool:
        """Whether a capitalised word without a preposition is likely a place."""
        word = self._words[at]
        if groups_of(word.folded) or (at and self._words[at - 1].folded in STREETS):
            return False
        readings = self._names.readings(word.text)
        if is_first_name(readings):
            return False
        if any(map(is_geographic, readings)):
            is_first = at == 0 or self._words[at - 1].text in ".?!…"
            is_choice = is_first and any(
                one.folded == "czy" for one in self._words[at + 1 : at + 2]
            )
            is_asked = not is_choice and self._is_by_weather(at, 1)
            return is_asked or not any(map(_is_everyday, readings))
        return at > 0 and not readings and self._is_by_weather(at, 1)

    def _is_person(self, at: int) -> bool:
        readings = self._names.readings(self._words[at].text)
        is_personal = any(one.labels & _PERSONAL for one in readings)
        return is_personal and not any(map(is_geographic, readings))

    def _leads(self, at: int, preposition: str | None) -> bool:
        """Whether a surname is rather an adjective before a name: "w Mariańskich Łaźniach"."""
        pair = [one.text for one in self._words[at : at + 2] if one.is_capitalised]
        is_led = preposition in {"w", "we"} and len(pair) > 1 and is_epithet(*pair)
        return is_led and not gazetteer().sightings(pair[1])

    def _can_be_place(self, word: Span) -> bool:
        """Whether a word in small letters after a preposition may be a place."""
        readings = self._readings(word)
        if not readings:
            return len(word.text) > 3  # noqa: PLR2004 - a name of four letters or more
        return any(map(is_geographic, readings)) and not any(map(_is_everyday, readings))

    def _readings(self, word: Span) -> tuple[Reading, ...]:
        """Return the readings of a word, or of what it may be with its diacritics."""
        if readings := self._names.readings(word.text):
            return readings
        variants = islice(accented(word.text), _MOST_VARIANTS)
        return tuple(one for variant in variants for one in self._names.readings(variant))


_QUOTES = frozenset("„\"«”'")


def _is_everyday(reading: Reading) -> bool:
    """Whether this reading is no name."""
    return reading.lemma[:1].islower()
