"""How like two keys are: the same but for slips, or one of them cut short."""

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

SHORTEST = 3  # letters of a name that may be damaged and still be known
_CUT = 0.5  # of a name: a model that stops early leaves at least so much
_WHOLE = 100.0
_SLIPS = ((3, 0), (7, 1), (12, 2))  # up to so many letters, so many wrong ones
_MOST_SLIPS = 3
_ENDINGS = frozenset([  # without diacritics, as far as two forms differ
    *("", "a", "u", "y", "i", "e", "o", "em", "om", "ow", "ie", "iem", "owi", "ego", "emu", "ej"),
    *("ym", "im", "ami", "ach", "iej", "iego", "ia", "iu", "ii"),
])
_STEM = 4


def likeness(own: str, other: str) -> float:
    """Return how like a damaged key is to a key of as many words, 0 to 1."""
    if is_cut(own, other):
        return 1 - 0.1 * (1 - len(own) / len(other))
    return fuzz.ratio(own, other) / _WHOLE


def is_cut(own: str, other: str) -> bool:
    """Tell whether a key is the beginning of another that ends within its last word."""
    return (
        own != other
        and own.count(" ") == other.count(" ")
        and other.startswith(own)
        and len(own) >= max(SHORTEST, _CUT * len(other))
    )


def is_slip(own: str, other: str) -> bool:
    """Tell whether two keys differ by no more letters than one mistypes."""
    most = next((slips for size, slips in _SLIPS if len(other) <= size), _MOST_SLIPS)
    return OSA.distance(own, other, score_cutoff=most) <= most


def common_start(own: str, other: str) -> int:
    """Count the letters that both keys begin with."""
    pairs = enumerate(zip(own, other, strict=False))
    shorter = min(len(own), len(other))
    return next((at for at, (left, right) in pairs if left != right), shorter)


def are_forms(own: str, other: str) -> bool:
    """Tell whether two unknown words may be forms of one: they differ by an ending alone."""
    common = common_start(own, other)
    return common >= _STEM and {own[common:], other[common:]} <= _ENDINGS
