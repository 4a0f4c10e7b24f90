"""Find things in a text that an encyclopaedia is well known to have an article about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.resources import files
from itertools import chain

from chatbot.language.folding import fold
from chatbot.language.morphology import Reading, morphology
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words

_SHORTEST = 4
_SHORT, _LONG = 3, 4
"""Letters by which short and long words are looked up; their forms have them in common."""

_ALONE = ""
"""Stands for the second word of a name that has one."""

_NAMES = 65_536
_ENDS = frozenset(".?!…:")
_ENDINGS = ("iem", "em", "owi", "ego", "emu", "ach", "ami", "om", "ow")

_SOFTENED = (("dzie", "d"), ("cie", "t"), ("rze", "r"))
"""How locatives end, and what their stems end in: "w Feyenoordzie"."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownTitle:
    """Where a known name stands among words, ``end`` after its last, and its base form."""

    start: int
    end: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Form:
    name: str
    words: tuple[str, ...]


def find_titles(words: Sequence[Span]) -> tuple[KnownTitle, ...]:
    """Return the known names among words in any of their cases, the longest of each place."""
    return _found(tuple(words))


@lru_cache(maxsize=64)
def _found(words: tuple[Span, ...]) -> tuple[KnownTitle, ...]:
    found: list[KnownTitle] = []
    at = 0
    while at < len(words):
        best = max(_starting(words, at), key=partial(_rank, words), default=None)
        if best is not None:
            found.append(best)
        at = best.end if best is not None else at + 1
    return tuple(found)


def _rank(words: Sequence[Span], one: KnownTitle) -> tuple[int, bool, bool]:
    """Of names that end at one place, that one fits best which is written so, then in number."""
    said = words[one.start : one.end]
    is_written_so = fold(one.name) == " ".join(word.folded for word in said)
    is_of_number = len(said) > 1 or _is_many(one.name) == _are_many(said[0].text, one.name)
    return one.end, is_written_so, is_of_number


def _starting(words: Sequence[Span], at: int) -> Iterator[KnownTitle]:
    word = words[at].text
    if not word[0].isalnum():
        return
    for name in _names_alone(word):
        if _is_meant(words, at, name):
            yield KnownTitle(start=at, end=at + 1, name=name)
    longer = _names_begun(word)
    if not longer or at + 1 == len(words):
        return
    seconds = _beginnings(words[at + 1].text)
    for known in longer:
        for form in chain.from_iterable(known.get(second, ()) for second in seconds):
            end = at + len(form.words)
            if end <= len(words) and _are_same(words[at:end], form.words):
                yield KnownTitle(start=at, end=end, name=form.name)


def _are_same(words: Sequence[Span], named: Sequence[str]) -> bool:
    """Whether words are those of a name, each in one of its cases."""
    pairs = zip(words, named, strict=True)
    return all(_keys(word.text) & _keys_of_name(other) for word, other in pairs)


@lru_cache(maxsize=16_384)
def _names_alone(word: str) -> tuple[str, ...]:
    """Return the names of one word that a word may be."""
    keys = _keys(word)
    return tuple(
        form.name
        for known in _begun_as_word(word)
        for form in known.get(_ALONE, ())
        if keys & _keys_alone(form.name)
    )


@lru_cache(maxsize=16_384)
def _names_begun(word: str) -> tuple[Mapping[str, Sequence[_Form]], ...]:
    """As `_begun_as_word`, where any of the names has a second word."""
    return tuple(known for known in _begun_as_word(word) if known.keys() - {_ALONE})


def _begun_as_word(word: str) -> Iterator[Mapping[str, Sequence[_Form]]]:
    """Map how second words begin, or `_ALONE`, to the names that begin as a word may."""
    return (_forms(first[:_SHORT]).get(first, {}) for first in _beginnings(word))


def name_at(words: Sequence[Span], start: int, end: int) -> str | None:
    """Return the base form of the known name that stands at a place, begun as it was written."""
    for one in find_titles(words):
        if (one.start, one.end) == (start, end):
            return _begun_as(one.name, words[start:end])
    return None


def is_of_name(word: str) -> bool:
    """Whether a word that no dictionary has is, in any of its cases, one of some known name."""
    folded = fold(word)
    alike = _words_of_names().get(folded[:_SHORT], {})
    if folded in alike:
        return True
    stems = _stems(folded)
    near = (plain for plain in alike if stems and not stems.isdisjoint(_stems(plain)))
    return any(not morphology().is_known(name) for plain in near for name in alike[plain])


def _begun_as(name: str, words: Sequence[Span]) -> str:
    """Write "Katedra we Florencji" as "katedra we Florencji" where that was written."""
    first, others = words[0].text, words[1:]
    if first[0].isupper():
        return name[0].upper() + name[1:]
    is_careful = any(word.is_capitalised for word in others)
    return name[0].lower() + name[1:] if is_careful and _is_everyday(first) else name


def _is_meant(words: Sequence[Span], at: int, name: str) -> bool:
    """Whether a word is a name and no everyday word: "Burza" within a sentence, no "burza"."""
    word = words[at].text
    if _is_many(name) and _is_one(word):  # "Orzeł" is none of the film awards „Orły”
        return False
    if name.islower():
        return word.islower() or not at
    if any(letter.isupper() for letter in name[1:]):
        return word == name or not _is_everyday(word)
    is_within = at > 0 and words[at - 1].text not in _ENDS
    return (word[0].isupper() and is_within) or not _is_everyday(word)


@lru_cache(maxsize=16_384)
def _is_many(name: str) -> bool:
    """Whether the name of one word is a plural of a word that has a singular as well."""
    readings = [one for one in morphology().readings(name) if one.is_nominal]
    named = [one for one in readings if "nom" in one.cases]
    return any(one.numbers == {"pl"} and fold(one.lemma) != fold(name) for one in named)


@lru_cache(maxsize=16_384)
def _are_many(word: str, name: str) -> bool:
    """Whether a word is a plural of what the name of one word is of: "Prusów", no "Prusa"."""
    shared = [one for one in readings_of(word) if fold(one.lemma) in _keys_alone(name)]
    return bool(shared) and all(one.numbers == {"pl"} for one in shared)


@lru_cache(maxsize=16_384)
def _is_one(word: str) -> bool:
    nouns = [one for one in readings_of(word) if one.is_nominal and "nazwisko" not in one.labels]
    return bool(nouns) and all(one.numbers == {"sg"} for one in nouns)


@lru_cache(maxsize=16_384)
def _is_everyday(word: str) -> bool:
    return any(one.lemma[:1].islower() for one in readings_of(word.lower()))


@lru_cache(maxsize=16_384)
def _beginnings(word: str) -> tuple[str, ...]:
    """Give how names that a word may be of begin, always in one order, which decides ties."""
    keys = _keys(word)
    return tuple(sorted({key[:size] for key in keys for size in (_SHORT, _LONG)}))


def _beginning(word: str) -> str:
    folded = fold(word)
    return folded[: _LONG if len(folded) >= _LONG + 2 else _SHORT]


@lru_cache(maxsize=16_384)
def _keys(word: str) -> frozenset[str]:
    return _common(word, readings_of(word))


def _common(word: str, readings: Sequence[Reading]) -> frozenset[str]:
    """Return what two forms of one word have in common: a base form, or a stem with its mark."""
    folded = fold(word)
    if not folded.isalpha():
        return frozenset({folded})
    lemmas = {fold(one.lemma) for one in readings if one.is_nominal or one.is_adjectival}
    return frozenset({folded, *(lemmas if readings else _stems(folded))})


@lru_cache(maxsize=16_384)
def _stems(folded: str) -> frozenset[str]:
    """Return what a name that no dictionary has may be without its ending."""
    if len(folded) < _SHORTEST:
        return frozenset()
    cut = {folded, *(folded.removesuffix(ending) for ending in _ENDINGS)}
    cut |= {f"{folded.removesuffix(end)}{hard}" for end, hard in _SOFTENED if folded.endswith(end)}
    stems = {one.rstrip("aeiouy") for one in cut}
    return frozenset(f"{one}-" for one in stems if len(one) >= _SHORTEST - 1)


@cache
def _names() -> Mapping[str, Sequence[str]]:
    """Map how the first words of names begin, by the fewest letters, to the names."""
    found: dict[str, list[str]] = {}
    names = tuple(read_names())
    for name, plain in zip(names, fold("\n".join(names)).split("\n"), strict=True):
        first = plain.partition(" ")[0]
        whole = first if first.isalpha() else split_words(plain)[0].text
        found.setdefault(whole[:_SHORT], []).append(name)
    return found


@lru_cache(maxsize=_NAMES)
def _forms(letters: str) -> Mapping[str, Mapping[str, Sequence[_Form]]]:
    """Map how first words begin, and then second ones or `_ALONE`, to the names that begin so.

    What words have in common with those of a prompt is looked up when they are compared: the
    dictionary takes seconds for all.
    """
    found: dict[str, dict[str, list[_Form]]] = {}
    for name in _names().get(letters, ()):
        form = _Form(name=name, words=_words(name))
        first, second = map(_beginning, (*form.words, _ALONE)[:2])
        found.setdefault(first, {}).setdefault(second, []).append(form)
    return found


def _words(name: str) -> tuple[str, ...]:
    """The words and marks of a name; most are letters and spaces, and quickly split."""
    parts = tuple(name.split(" "))
    is_plain = all(map(str.isalpha, parts))
    return parts if is_plain else tuple(word.text for word in split_words(name))


@lru_cache(maxsize=_NAMES)
def _keys_of_name(word: str) -> frozenset[str]:
    """As `_keys`, of a word that is spelt right."""
    return _common(word, morphology().readings(word))


@lru_cache(maxsize=_NAMES)
def _keys_alone(word: str) -> frozenset[str]:
    """As `_keys_of_name`, of a word that is a whole name, and so a nominative: "LEGO"."""
    readings = morphology().readings(word)
    return _common(word, [one for one in readings if "nom" in one.cases])


@cache
def _words_of_names() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Map how words of names begin to those words, folded, with what each stands for."""
    found: dict[str, dict[str, list[str]]] = {}
    words = dict.fromkeys(" ".join(read_names()).split())
    for word, plain in zip(words, fold(" ".join(words)).split(), strict=True):
        found.setdefault(plain[:_SHORT], {}).setdefault(plain, []).append(word)
    return found


def read_names() -> Iterator[str]:
    """Give the packaged titles, each followed by the other names of the same thing."""
    for title, others in read_entries():
        yield title
        yield from others


@cache
def read_entries() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the packaged titles, each with the other names of the same thing."""
    text = (files("chatbot.router.detector") / "titles.tsv").read_text(encoding="utf-8")
    lines = (line.partition("\t") for line in text.splitlines())
    return tuple((title, tuple(others.split("; ")) if others else ()) for title, _, others in lines)
