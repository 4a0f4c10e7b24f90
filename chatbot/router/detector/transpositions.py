"""Words of which two neighbouring letters were swapped by the keyboard: "zesploone"."""

from functools import lru_cache

from chatbot.language.morphology import morphology

_SHORTEST = 6
_RARE = frozenset({"dat"})


@lru_cache(maxsize=8_192)
def unswapped(word: str) -> str:
    """Return the one known word of which two letters were swapped, else the word as it is.

    Short words are left alone, and so are known ones; no rare form is taken for meant.
    """
    if len(word) < _SHORTEST or morphology().is_known(word):
        return word
    ways = {
        word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        for at in range(len(word) - 1)
        if word[at] != word[at + 1]
    }
    found = [one for one in ways if any(r.cases != _RARE for r in morphology().readings(one))]
    return found[0] if len(found) == 1 else word
