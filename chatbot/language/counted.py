"""Titles that begin with two, three or four in another case: "Trzech muszkieterów"."""

from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.morphology import morphology

_NUMBERS: Mapping[str, tuple[str, str, str]] = MappingProxyType({  # of men, of women, of others
    **dict.fromkeys(("Dwóch", "Dwu", "Dwóm", "Dwom", "Dwoma"), ("Dwaj", "Dwie", "Dwa")),
    **dict.fromkeys(("Trzech", "Trzem", "Trzema"), ("Trzej", "Trzy", "Trzy")),
    **dict.fromkeys(("Czterech", "Czterem", "Czterema"), ("Czterej", "Cztery", "Cztery")),
})


def read_counted(title: str) -> tuple[str, str] | None:
    """Return the number in the nominative and the words after it, still in their case."""
    first, _, rest = title.partition(" ")
    if first not in _NUMBERS or not rest:
        return None
    men, women, others = _NUMBERS[first]
    genders = {
        gender
        for word in rest.split()[:2]
        for one in morphology().readings(word)
        if "pl" in one.numbers and one.pos in {"subst", "depr"} and one.cases & {"gen", "loc"}
        for gender in one.genders
    }
    is_adjective_alone = not genders  # "Czterech pancernych"
    if is_adjective_alone or "m1" in genders:
        return men, rest
    return women if genders == {"f"} else others, rest
