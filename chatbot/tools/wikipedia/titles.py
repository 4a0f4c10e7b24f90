"""The titles under which an article may answer a query, and what the query says beside them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from chatbot.language import fold, lemmas, lemmatise, morphology
from chatbot.tools.wikipedia.headings import names_a_section

MAX_TITLES = 20
"""MediaWiki gives no more leads than this at once."""
MAX_WORDS = 8
_PAIR, _TRIPLE = 2, 3
_STEM = 4  # letters that two forms of an unknown name share at least
_ENDING = 3  # and how many at the end may differ
_QUALIFIER = re.compile(r" \([^()]*\)$")
_FORBIDDEN = str.maketrans(dict.fromkeys('„”“"«»#<>[]{}|_', " "))
_OPERATORS = str.maketrans(dict.fromkeys(":*?~\\", " "))
_LEADING = re.compile(r"(?<!\S)[-!]+")
_EDGES = " ?!,;:."


@dataclass(frozen=True, kw_only=True, slots=True)
class Split:
    """Part of a query as titles, best first; ``rest`` are the query's other words."""

    titles: tuple[str, ...]
    rest: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """A query read: ``whole`` are titles for all of it, best first."""

    query: str
    whole: tuple[str, ...]
    splits: tuple[Split, ...]

    @property
    def search(self) -> str:
        """The words to search for: none of them an operator of the search engine."""
        return " ".join(_LEADING.sub("", self.query.translate(_OPERATORS)).split())

    @property
    def titles(self) -> tuple[str, ...]:
        """All titles, each once, as many as may be asked for."""
        parts = [title for split in self.splits for title in split.titles]
        return _unique((*self.whole, *parts))[:MAX_TITLES]


def read_query(query: str, *, is_polish: bool) -> Wanted:
    """Find the titles that ``query`` may mean; Polish names are brought to their base form.

    A title may lead to another wiki or to a service page ("en:Zamek"): no page comes of it.
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in query)
    clean = " ".join(printable.translate(_FORBIDDEN).split()).strip(_EDGES)
    words = clean.split()
    is_short = _PAIR <= len(words) <= MAX_WORDS
    splits = list(_split(words, is_polish=is_polish)) if is_short else []
    bracketed = _bracketed(words) if len(words) in {_PAIR, _TRIPLE} and "(" not in clean else ()
    return Wanted(
        query=clean,
        whole=_unique((*_forms(clean, is_polish=is_polish), *bracketed)),
        splits=tuple(sorted(splits, key=_rank)),
    )


def words_beside(query: str, title: str) -> str:
    """The words of ``query`` that ``title`` does not have, in any form of theirs."""
    known = [(lemma, fold(word)) for word, lemma in _with_lemmas(title)]
    return " ".join(
        word
        for word, lemma in _with_lemmas(query)
        if not any(lemma == other or _is_form(fold(word), form) for other, form in known)
    )


def base_title(title: str) -> str:
    """A title without what tells its meaning: "Zamek (ujednoznacznienie)" → "Zamek"."""
    return _QUALIFIER.sub("", title)


def _split(words: list[str], *, is_polish: bool) -> Iterator[Split]:
    for size in range(len(words) - 1, 0, -1):
        tail, head = words[-size:], words[:size]
        for part, rest in ((tail, words[:-size]), (head, words[size:])):
            titles = _forms(" ".join(part), is_polish=is_polish)
            yield Split(titles=titles, rest=" ".join(rest))


def _rank(split: Split) -> tuple[bool, bool, int]:
    """First what leaves the name of a section over, then names, then the longest."""
    title = split.titles[min(1, len(split.titles) - 1)]
    return (not names_a_section(split.rest), not title[:1].isupper(), -len(title.split()))


def _forms(words: str, *, is_polish: bool) -> tuple[str, ...]:
    """As it is, in its base form, with capitals where it has none, in the singular."""
    base = lemmatise(words, kind="topic") if is_polish else words
    capitals = " ".join(word.capitalize() for word in base.split()) if words.islower() else ""
    return _unique((words, base, capitals, _singular(base) if is_polish else ""))


def _singular(phrase: str) -> str:
    """With the first word in the singular where it may be a plural: "zamki" → "zamek"."""
    first, *others = phrase.split() or [""]
    singulars = (
        reading.lemma
        for reading in morphology().readings(first)
        if reading.is_nominal and "pl" in reading.numbers
    )
    lemma = next((lemma for lemma in singulars if lemma.lower() != first.lower()), "")
    return " ".join((lemma.capitalize(), *others)) if lemma else ""


def _bracketed(words: list[str]) -> tuple[str, ...]:
    """Titles that tell a meaning: "planeta Merkury", "Merkury planeta" → "Merkury (planeta)"."""
    first, *others = words
    *begin, last = words
    return (f"{' '.join(begin)} ({last.lower()})", f"{' '.join(others)} ({first.lower()})")


def _with_lemmas(text: str) -> list[tuple[str, str]]:
    return [(word, "".join(lemmas(word)) or word.lower()) for word in text.split()]


def _is_form(word: str, other: str) -> bool:
    """Whether two words differ only near their ends."""
    shared = 0
    for one, two in zip(word, other, strict=False):
        if one != two:
            break
        shared += 1
    return shared >= max(_STEM, len(word) - _ENDING, len(other) - _ENDING)


def _unique(titles: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, titles)))
