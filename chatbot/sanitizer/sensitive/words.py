"""Words and phrases of the operator's own, however they are capitalised and accented."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from chatbot.language.folding import fold
from chatbot.sanitizer.sensitive.detector import Detector, Matches
from chatbot.sanitizer.sensitive.found import KnownMatches

ENDING_CHARS = 10
WORD_CHARS = 100
_HEAD_CHARS: Final = 3
"""By so many characters it is known which lengths of entries are worth a look."""
_ENDING = re.compile(rf"\w{{0,{ENDING_CHARS}}}")
_WHOLE_ENDING = re.compile(rf"\w{{0,{ENDING_CHARS}}}(?!\w)")
_SPACES = re.compile(r"\s+")
_MARKS: Final = "\u0300-\u036f"
_UNREAD: Final = re.compile(rf"[{_MARKS}\u00ad\u200b-\u200d\u2060\ufeff](?<=\w.)")
"""At a letter an accent by itself (Unicode's decomposed forms), or a joiner that nobody sees."""
_FOLDED: Final = {
    code: folded
    for code in range(0x80, 0x250)
    if len(folded := fold(chr(code))) == 1 and folded != chr(code)
} | {ord("ς"): "σ", **dict.fromkeys(map(ord, "\t\n\r\u00a0\u2009\u202f"), " ")}


class WordDetector:
    """Finds entries of a list as whole words; ``*`` at an entry's end stands for any ending.

    Letters are compared without case and diacritics, one white space as any other; behind each may
    stand an accent of its own or a joiner that nobody sees. An ending has at most ten characters,
    so that ``bomb*`` finds "bombami".
    """

    def __init__(self, entries: Iterable[str]) -> None:
        """Read the entries.

        Raises:
            ValueError: there is no entry, or one is empty, too long or begins with no letter.
        """
        read = {_read_entry(entry) for entry in entries}
        for entry in read:
            _check(entry)
        if not read:
            raise ValueError("a list of words needs at least one word")
        self._whole = frozenset(entry for entry in read if not entry.endswith("*"))
        self._stems = frozenset(entry[:-1] for entry in read if entry.endswith("*"))
        known = self._whole | self._stems
        self._lengths = tuple(sorted({len(entry) for entry in known}, reverse=True))
        self._prefixes = frozenset(
            entry[:end] for entry in known for end in range(1, len(entry) + 1)
        )
        self._short = _longest_first(entry for entry in known if len(entry) < _HEAD_CHARS)
        self._near = {
            head: _longest_first(
                entry for entry in known if entry.startswith(head) or head.startswith(entry)
            )
            for head in {entry[:_HEAD_CHARS] for entry in known if len(entry) >= _HEAD_CHARS}
        }
        firsts = {entry[0] for entry in known}
        self._first = re.compile(rf"(?<![\w{_MARKS}])[{''.join(sorted(firsts))}]")
        self.longest = 2 * (self._lengths[0] + (ENDING_CHARS if self._stems else 0))
        accented = {chr(code) for code, folded in _FOLDED.items() if folded in firsts}
        self.trigger = f"(?i:[{''.join(sorted(firsts | accented))}])"

    def matches(self, text: str, *, start: int, before: int) -> Matches:
        """The entries in ``text``, wherever one begins."""
        starts: list[int] = []
        ends: list[int] = []
        folded = _fold(text)
        end_at = self._ends(folded)
        for found in self._first.finditer(folded, start, before):
            if end := end_at(found.start()):
                starts.append(found.start())
                ends.append(end)
        return KnownMatches(starts, ends)

    def tail(self, text: str, *, start: int) -> int:
        """Where a word begins that may still become an entry, or a longer one."""
        skipped = max(0, len(text) - self.longest - 2)
        folded = _fold(text[skipped:])
        for found in self._first.finditer(folded, max(start - skipped, 0)):
            if self._may_grow(_UNREAD.sub("", folded[found.start() :])):
                return skipped + found.start()
        return len(text)

    def _end(self, folded: str, start: int) -> int | None:
        for length in self._near.get(folded[start : start + _HEAD_CHARS], self._short):
            end = start + length
            written = folded[start:end]
            if written in self._stems:
                if ending := _WHOLE_ENDING.match(folded, end):
                    return ending.end()
            elif written in self._whole and not _is_word(folded[end : end + 1]):
                return end
        return None

    def _ends(self, folded: str) -> Callable[[int], int | None]:
        """Tells where the entry that begins at a place ends, with what nobody reads of it."""
        unread = [found.start() for found in _UNREAD.finditer(folded)]
        if not unread:
            return partial(self._end, folded)
        bare = _UNREAD.sub("", folded)
        followed = [place - number for number, place in enumerate(unread)]

        def end_at(start: int) -> int | None:
            end = self._end(bare, start - bisect_left(unread, start))
            return None if end is None else end + bisect_right(followed, end)

        return end_at

    def _may_grow(self, rest: str) -> bool:
        if rest in self._prefixes:
            return True
        stem = next((n for n in self._lengths if rest[:n] in self._stems), None)
        return stem is not None and _ENDING.fullmatch(rest, stem) is not None


def _longest_first(entries: Iterable[str]) -> tuple[int, ...]:
    return tuple(sorted({len(entry) for entry in entries}, reverse=True))


def words(entries: Iterable[str]) -> Detector:
    """A detector of the given words and phrases."""
    return WordDetector(entries)


def _read_entry(entry: str) -> str:
    composed = unicodedata.normalize("NFC", entry.strip())
    return _SPACES.sub(" ", _UNREAD.sub("", _fold(composed)))


def _fold(text: str) -> str:
    """``text`` in plain small letters; every character stays where it stands."""
    small = text.lower()
    if len(small) != len(text):
        small = "".join(lower if len(lower := char.lower()) == 1 else char for char in text)
    return small.translate(_FOLDED)


def _check(entry: str) -> None:
    bare = entry.removesuffix("*")
    if not _is_word(bare[:1]) or not _is_word(bare[-1:]) or "*" in bare:
        raise ValueError(
            f"{entry!r} cannot be looked for: an entry begins and ends with a letter or digit, "
            "and may have one * at its end"
        )
    if len(bare) > WORD_CHARS:
        raise ValueError(f"{entry!r} is longer than {WORD_CHARS} characters")


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
