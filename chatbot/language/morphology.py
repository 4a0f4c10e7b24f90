"""The morphological dictionary: readings of a word, and forms of a lemma (morfeusz2, SGJP)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Literal, Protocol, TypeAlias

import morfeusz2

Case: TypeAlias = Literal["nom", "gen", "dat", "acc", "inst", "loc", "voc"]
Number: TypeAlias = Literal["sg", "pl"]

CASES: tuple[Case, ...] = ("nom", "gen", "dat", "acc", "inst", "loc", "voc")
NUMBERS: tuple[Number, ...] = ("sg", "pl")
GENDERS = frozenset({"m1", "m2", "m3", "f", "n"})
MASCULINE = frozenset({"m1", "m2", "m3"})
ADJECTIVAL = frozenset({"adj", "ppas", "pact"})
NOMINAL = frozenset({"subst", "ger"})

_SHORT = 3  # letters of a word that may stand for others

_Interpretation: TypeAlias = tuple[str, str, str, list[str], list[str]]


class _Dictionary(Protocol):
    """What is used of ``morfeusz2.Morfeusz``, which has no type hints."""

    def analyse(self, text: str) -> list[tuple[int, int, _Interpretation]]: ...

    def generate(self, lemma: str) -> list[_Interpretation]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One way to read a word form; ``key`` is the lemma as the dictionary generates from it.

    ``lemma`` has no homonym mark. ``cases``, ``numbers`` and ``genders`` are empty where the part
    of speech has none. ``nominative`` is set for guessed words, which no dictionary can generate.
    """

    lemma: str
    key: str
    pos: str
    cases: frozenset[str]
    numbers: frozenset[str]
    genders: frozenset[str]
    labels: frozenset[str]
    qualifiers: frozenset[str]
    degree: str = ""
    is_negated: bool = False
    nominative: str | None = None

    @property
    def is_adjectival(self) -> bool:
        """Whether the word agrees with a noun: adjective or adjectival participle."""
        return self.pos in ADJECTIVAL

    def agrees(self, other: "Reading") -> bool:
        """Whether both can stand in one case, number and gender."""
        return bool(
            self.cases & other.cases
            and self.numbers & other.numbers
            and self.genders & other.genders
        )

    @property
    def is_nominal(self) -> bool:
        """Whether the word can be the head of a noun phrase."""
        return self.pos in NOMINAL


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """One form that a lemma has; ``tag`` is the dictionary's own, ``reading`` its parts."""

    text: str
    reading: Reading


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tag:
    """What a tag of the dictionary says, as `Reading` has it."""

    pos: str
    cases: frozenset[str]
    numbers: frozenset[str]
    genders: frozenset[str]
    degree: str
    is_negated: bool


@cache
def _read_tag(tag: str) -> _Tag:
    """Take a tag apart: there are some hundreds, which stand at all words together."""
    pos, *rest = tag.split(":")
    values = {value for part in rest for value in part.split(".")}
    return _Tag(
        pos=pos,
        cases=frozenset(values.intersection(CASES)),
        numbers=frozenset(values.intersection(NUMBERS)),
        genders=frozenset(values & GENDERS),
        degree=next((value for value in ("com", "sup") if value in values), ""),
        is_negated="neg" in values,
    )


def _read(interpretation: _Interpretation) -> Reading:
    _, key, written, labels, qualifiers = interpretation
    tag = _read_tag(written)
    return Reading(
        lemma=key.split(":", 1)[0] if len(key) > 1 else key,
        key=key,
        pos=tag.pos,
        cases=tag.cases,
        numbers=tag.numbers,
        genders=tag.genders,
        labels=frozenset(labels),
        qualifiers=frozenset(qualifiers),
        degree=tag.degree,
        is_negated=tag.is_negated,
    )


def _whole_word(edges: Iterable[tuple[int, int, _Interpretation]]) -> list[_Interpretation]:
    """Readings of the whole word; where it only splits ("zrobiłbym"), those of its first part."""
    known = [(start, end, item) for start, end, item in edges if item[2] != "ign"]
    last = max((end for _, end, _ in known), default=0)
    whole = [item for start, end, item in known if start == 0 and end == last]
    return whole or [item for start, _, item in known if start == 0]


def _is_name(item: _Interpretation) -> bool:
    return item[1][:1].isupper()


def _tells_all(word: str, named: Sequence[_Interpretation]) -> bool:
    """Whether the readings of a capitalised word hold all those of the word as it was written.

    There are none at all where it has none. Those of a word in small letters are among them where
    one is no name: Morfeusz takes no word for a name that it knows with the letters as they are.
    Of short words they may be abbreviations: "b" of "bit".
    """
    if not named:
        return True
    return word.islower() and len(word) > _SHORT and not all(map(_is_name, named))


class Morphology:
    """The dictionary behind a lock: Morfeusz keeps state while it works, its answers do not.

    The object is immutable to its users and may be shared by threads; answers are cached.
    """

    def __init__(self, dictionary: _Dictionary) -> None:
        """Wrap a Morfeusz object that nobody else uses."""
        self._dictionary = dictionary
        self._lock = Lock()
        self._cached_readings = lru_cache(maxsize=32_768)(self._analyse)
        self._cached_forms = lru_cache(maxsize=4_096)(self._generate)

    def readings(self, word: str) -> tuple[Reading, ...]:
        """Return all readings of one word, also as a capitalised name; none if it is unknown."""
        return self._cached_readings(word)

    def forms(self, key: str) -> tuple[Form, ...]:
        """Return all forms of a lemma (a ``Reading.key``); none if it is unknown."""
        return self._cached_forms(key)

    def is_known(self, word: str) -> bool:
        """Tell whether the dictionary has the word, in any case of letters."""
        return bool(self.readings(word))

    def _analyse(self, word: str) -> tuple[Reading, ...]:
        capitalised = word[:1].upper() + word[1:].lower()
        with self._lock:
            named = _whole_word(self._dictionary.analyse(capitalised))
            if word == capitalised:
                found = named
            elif _tells_all(word, named):
                found = sorted(named, key=_is_name)
            else:
                found = _whole_word(self._dictionary.analyse(word)) + named
        return tuple(dict.fromkeys(map(_read, found)))

    def _generate(self, key: str) -> tuple[Form, ...]:
        with self._lock:
            found = self._dictionary.generate(key)
        return tuple(Form(text=item[0], reading=_read(item)) for item in found if item[2] != "ign")


@cache
def morphology() -> Morphology:
    """Load the dictionary that the morfeusz2 wheel carries (about 0.3 s), once per process."""
    return Morphology(morfeusz2.Morfeusz(expand_tags=False))
