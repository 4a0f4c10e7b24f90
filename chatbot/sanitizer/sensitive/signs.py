"""The digits and letters of a whole text as arrays, so that each costs nanoseconds to judge."""

import re
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.sanitizer.sensitive.detector import Matches
from chatbot.sanitizer.sensitive.found import NO_MATCHES, KnownMatches
from chatbot.sanitizer.sensitive.numbers import SEPARATOR

Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

TEN: Final = 10
_NEITHER, _OTHER_LETTER, _SEPARATOR = -1, -2, -3
_CODES: Final = 0x32400
"""Beyond it Unicode has no letters and no digits."""
_SURROGATES: Final = range(0xD800, 0xE000)


class Signs:
    """The digits of ``text``, and with ``letters`` those of ``A`` to ``Z``, that numbers are of.

    ``places`` are where they stand, ``values`` 0 to 9 or 10 to 35. From the sign ``n`` on up to the
    sign ``last[n]`` no two are parted by more than one separator; ``gaps[n]`` says whether one
    stands behind it. ``begins`` and ``ends`` say whether a number may begin and end with it: none
    of its kind stands directly beside it.
    """

    def __init__(self, text: str, *, letters: bool = False) -> None:
        """Read the text once."""
        raw = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self.codes = raw
        kinds = _kinds()[np.minimum(raw, _CODES)]
        own = kinds >= 0 if letters else (kinds >= 0) & (kinds < TEN)
        self.places: Numbers = np.flatnonzero(own)
        self.values: Numbers = kinds[self.places].astype(np.int64)
        steps = np.diff(self.places)
        is_parted = np.zeros(len(steps), dtype=bool)
        (wide,) = np.nonzero(steps == 2)  # noqa: PLR2004 (one sign, one character, one sign)
        is_parted[wide] = kinds[self.places[wide] + 1] == _SEPARATOR
        self.gaps: Flags = np.append(is_parted, False)
        breaks = np.flatnonzero((steps != 1) & ~is_parted)
        own_number = np.arange(len(self.places))
        self.last: Numbers = np.append(breaks, len(self.places) - 1)[
            np.searchsorted(breaks, own_number)
        ]
        beside = (kinds >= 0) | (kinds == _OTHER_LETTER) if letters else own
        bordered = np.concatenate(([False], beside, [False]))
        self.begins: Flags = ~bordered[self.places]
        self.ends: Flags = ~bordered[self.places + 2]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.places)

    def windows(self, length: int, among: Numbers) -> Numbers:
        """Those ``among`` the signs with which ``length`` of them begin and end as a number may."""
        inside = among[among + length - 1 <= self.last[among]]
        return inside[self.ends[inside + length - 1]]

    def column(self, number: int, starts: Numbers) -> Numbers:
        """The values ``number`` signs behind each of ``starts``."""
        return self.values[starts + number]

    def spans(self, starts: Numbers, lengths: Numbers | int) -> Matches:
        """The matches of so many signs that begin with ``starts``, in any order."""
        if not len(starts):
            return NO_MATCHES
        order = np.argsort(starts, kind="stable")
        ends = self.places[starts + lengths - 1] + 1
        return KnownMatches(self.places[starts][order].tolist(), ends[order].tolist())


@cache
def _kinds() -> NDArray[np.int8]:
    """What each character is, by its code; the last entry is for all beyond."""
    kinds = np.full(_CODES + 1, _NEITHER, dtype=np.int8)
    chars = "".join("\0" if code in _SURROGATES else chr(code) for code in range(_CODES))
    for run in re.finditer(r"[^\W_]+", chars):
        kinds[run.start() : run.end()] = _OTHER_LETTER
    for digit in re.finditer(r"\d", chars):
        kinds[digit.start()] = int(digit[0])
    for separator in re.finditer(SEPARATOR, chars):
        kinds[separator.start()] = _SEPARATOR
    for number, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ", TEN):
        kinds[ord(letter)] = kinds[ord(letter.lower())] = number
    return kinds
