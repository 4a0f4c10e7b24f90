"""Give a text that was typed without Polish letters its diacritics back.

Of what a word may stand for, the form that people write most is taken, unless a preposition or an
adjective before it asks for another case. Counts and habits of letters are of own texts
(`evals.training.spellings`).
"""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import log
from types import MappingProxyType

from chatbot.language.english import ENGLISH
from chatbot.language.frequent import FREQUENT
from chatbot.language.morphology import Reading, morphology
from chatbot.language.patterns import regex

ACCENTS: Mapping[str, str] = MappingProxyType({
    "a": "aą", "c": "cć", "e": "eę", "l": "lł", "n": "nń", "o": "oó", "s": "sś", "z": "zżź",
})  # fmt: skip
"""What a plain letter may stand for, itself first; the order of the counts in `LETTERS`."""

FORMS = "spellings.tsv"
"""Forms whose plain writing stands for another one too, and how often each was written."""

LETTERS = "accents.tsv"
"""For a letter with its neighbours, how often it was each of `ACCENTS`."""

PLAIN = str.maketrans("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "acelnoszzACELNOSZZ")
WORD = regex(r"(?<![\w@/\\.=^*{])[^\W\d_]{1,40}(?![\w@/\\=^*(}]|\.\w)")
_POLISH = regex(r"[ąćęłńóśźżĄĆĘŁŃÓŚŹŻ]")
PREPOSITIONS: Mapping[str, frozenset[str]] = MappingProxyType({
    preposition: frozenset(cases.split())
    for prepositions, cases in (
        ("do od dla bez u obok wokół ode beze", "gen"),
        ("z ze", "gen inst"),
        ("w we na o po", "loc acc"),
        ("przy", "loc"),
        ("nad pod przed za między", "inst acc"),
    )
    for preposition in prepositions.split()
})
_BEFORE_ZE = regex(r"[szśźż][^aeiouy]|w[^aeiouy]|m[nr]|l[sw]|rz|sob[aą]$")
_DAY = regex(r"\d\.?\s$")
_ENDINGS: Mapping[str, str] = MappingProxyType({"a": "ą", "ą": "a", "e": "ę", "ę": "e"})
_UNWRITTEN = 0.1
_OTHER_ENDING = 0.2  # of the times that a form was written, for the one with another ending
_COMMON = 0.7
_UNKNOWN = -1.0
_FITS = 2.0
_AGREES = 1.5
_TRIED = 6
_BEAM = 24
_NEVER_PLAIN = 5  # times that only the form with diacritics was written
_SHORTEST_UNKNOWN = 4


@dataclass(frozen=True, slots=True)
class _Context:
    """What stands before a word: the cases that a preposition allows, or adjectives to agree."""

    cases: frozenset[str] = frozenset()
    adjectives: tuple[Reading, ...] = ()


_NOTHING = _Context()


class Spellings:
    """How often forms were written, and how letters are accented between their neighbours.

    Immutable to its users; safe in threads.
    """

    def __init__(self, written: Mapping[str, int], letters: Mapping[str, Sequence[int]]) -> None:
        """Take counts of forms and, for a plain letter with its neighbours, of its `ACCENTS`."""
        self._written: dict[str, dict[str, int]] = {}
        for form, count in written.items():
            self._written.setdefault(form.translate(PLAIN), {})[form] = count
        self._letters = letters
        self._shares = lru_cache(maxsize=4_096)(self._count_shares)
        self.variants = lru_cache(maxsize=8_192)(self._find_variants)

    @classmethod
    def load(cls) -> "Spellings":
        """Read the packaged tables."""
        written = {form: int(count) for form, count in _rows(FORMS)}
        letters = {window: tuple(map(int, counts.split())) for window, counts in _rows(LETTERS)}
        return cls(written, letters)

    def forms(self) -> Iterable[tuple[str, int]]:
        """Give the forms that were counted, with their counts."""
        return (one for forms in self._written.values() for one in forms.items())

    def was_written(self, word: str) -> bool:
        """Whether a plain word was counted, in any of its forms."""
        return word in self._written

    def restore(self, text: str) -> str:
        """Return ``text`` with Polish letters, whatever it has already; see `with_diacritics`."""
        pieces: list[str] = []
        end, context, before = 0, _NOTHING, ""
        words = list(WORD.finditer(text))
        for at, found in enumerate(words):
            gap = text[end : found.start()]
            if gap.strip():
                context = _NOTHING
            following = words[at + 1][0].lower() if at + 1 < len(words) else ""
            is_inside = at > 0 and not gap.strip(" ,")
            if found[0] in ENGLISH and (self.is_foreign(following) or self.is_foreign(before)):
                meant = found[0]
            else:
                meant = self._meant(found[0], context, following, is_inside=is_inside)
            if meant == "mają" and _DAY.search(text[: found.start()]):
                meant = "maja"
            pieces += [gap, _in_case_of(found[0], meant)]
            end, context, before = found.end(), _after(meant, context), found[0].lower()
        return "".join((*pieces, text[end:]))

    def was_accented(self, word: str) -> bool:
        """Whether a plain word was hardly meant: unknown, or always written with diacritics."""
        if len(word) == 1:
            return False
        if written := self._written.get(word):
            return not written.get(word) and sum(written.values()) >= _NEVER_PLAIN
        is_unknown = len(word) >= _SHORTEST_UNKNOWN and word not in ENGLISH
        return is_unknown and not morphology().is_known(word) and bool(self.variants(word))

    def is_foreign(self, word: str) -> bool:
        """Whether a plain word can be no Polish one: "tahoe", "learning"."""
        return bool(word) and not morphology().is_known(word) and not self.variants(word)

    def likeliest(self, word: str) -> str:
        """Return what a plain word in small letters stands for, whatever is around it."""
        variants = self.variants(word)
        return max(variants, key=lambda one: self._score(one, word, _NOTHING), default=word)

    def _meant(self, typed: str, context: _Context, following: str, *, is_inside: bool) -> str:
        word = typed.lower()
        if len(word) == 1:
            return word
        if word == "ze":
            return "ze" if self._takes_ze(following) else "że"
        is_name = is_inside and typed[:1].isupper()
        if word not in self._written and (is_name or word in ENGLISH):
            return word
        variants = self.variants(word)
        return max(variants, key=lambda one: self._score(one, word, context), default=word)

    def _takes_ze(self, following: str) -> bool:
        """Whether "ze" stands before the word as the preposition does: "ze stali", "ze wsi"."""
        if not _BEFORE_ZE.match(following):
            return False
        wanted = PREPOSITIONS["ze"]
        readings = (one for form in self.variants(following) for one in _readings(form))
        return any(wanted & one.cases for one in readings)

    def _score(self, form: str, word: str, context: _Context) -> float:
        readings = _readings(form)
        written = self._written.get(word, {})
        sister = written.get(_with_other_ending(form), 0)
        score = log(max(written.get(form, 0), sister * _OTHER_ENDING) + _UNWRITTEN)
        if any(one.lemma in FREQUENT for one in readings):
            score += _COMMON
        if not readings:
            return score + _UNKNOWN
        if context.cases:
            if any(context.cases & one.cases for one in readings):
                return score + _FITS
            return score - _FITS if any(one.cases for one in readings) else score
        is_agreeing = any(one.agrees(each) for one in context.adjectives for each in readings)
        return score + (_AGREES if is_agreeing else 0.0)

    def _find_variants(self, word: str) -> tuple[str, ...]:
        """Give the forms that a plain word may stand for; those that were written, if any."""
        if written := self._written.get(word):
            return _with_endings(written)
        if morphology().is_known(word):
            return _with_endings((word,)) if len(word) >= _SHORTEST_UNKNOWN else (word,)
        guesses = self._guesses(word)
        return tuple(one for one in guesses if one != word and morphology().is_known(one))

    def _guesses(self, word: str) -> list[str]:
        """Write a word with the accents that its letters have most between their neighbours."""
        beam = [("", 0.0)]
        padded = f" {word} "
        for at, letter in enumerate(word):
            options = self._shares(padded[at : at + 3]) if letter in ACCENTS else ((letter, 0.0),)
            beam = [(form + one, score + share) for form, score in beam for one, share in options]
            beam = heapq.nlargest(_BEAM, beam, key=lambda each: each[1])
        return [form for form, _ in beam[:_TRIED]]

    def _count_shares(self, window: str) -> tuple[tuple[str, float], ...]:
        accents = ACCENTS[window[1]]
        counts = self._letters.get(window, (0,) * len(accents))
        smoothed = [count + 2 * _UNWRITTEN for count in counts]
        logs = (log(count / sum(smoothed)) for count in smoothed)
        return tuple(zip(accents, logs, strict=True))


@cache
def spellings() -> Spellings:
    """Load the packaged tables, once per process."""
    return Spellings.load()


@lru_cache(maxsize=64)
def with_diacritics(text: str) -> str:
    """Return ``text`` with Polish letters, letter for letter; as it is where it has some already.

    Nothing is changed unless a word shows that diacritics were left out and most words are Polish.
    Names with a capital letter within a sentence only become what was written elsewhere.
    """
    if _POLISH.search(text):
        return text
    typed = [found[0].lower() for found in WORD.finditer(text)]
    if not any(map(spellings().was_accented, typed)):
        return text
    restored = spellings().restore(text)
    known = sum(morphology().is_known(found[0]) for found in WORD.finditer(restored))
    return restored if 2 * known > len(typed) else text


@lru_cache(maxsize=8_192)
def _readings(form: str) -> tuple[Reading, ...]:
    """Readings of a word in small letters: as a name only where it is nothing else."""
    found = morphology().readings(form)
    return tuple(one for one in found if one.lemma[:1].islower()) or found


def _after(meant: str, context: _Context) -> _Context:
    """What the next word stands behind: adjectives leave a preposition in force."""
    if cases := PREPOSITIONS.get(meant):
        return _Context(cases=cases)
    adjectives = tuple(one for one in _readings(meant) if one.is_adjectival)
    if any(context.cases & one.cases for one in adjectives):
        return context
    return _Context(adjectives=adjectives)


def _with_endings(forms: Iterable[str]) -> tuple[str, ...]:
    """Add to each form that with the other ending: "czereśnia", "czereśnią"."""
    found = dict.fromkeys(forms)
    for form in tuple(found):
        if (other := _with_other_ending(form)) != form and morphology().is_known(other):
            found.setdefault(other)
    return tuple(found)


def _with_other_ending(form: str) -> str:
    return form[:-1] + _ENDINGS.get(form[-1], form[-1])


def _in_case_of(typed: str, meant: str) -> str:
    """Write letters as large as they were typed: "SpaceX", "iPhone"; "İzmir" stays as it is."""
    if len(typed) != len(meant):  # "İ" in small letters is two
        return typed
    pairs = zip(typed, meant, strict=True)
    return "".join(letter.upper() if as_typed.isupper() else letter for as_typed, letter in pairs)


def _rows(name: str) -> Iterable[list[str]]:
    lines = (files("chatbot.language") / name).read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines if not line.startswith("#"))
