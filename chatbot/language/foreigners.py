"""Persons with foreign first names in other cases: "Marka Twaina" is of Mark, not of Marek."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from chatbot.language.first_names import foreign_bases, foreign_gender
from chatbot.language.morphology import Case, morphology
from chatbot.language.patterns import regex

_CASES: Mapping[str, str] = MappingProxyType({
    "ego": "do", "emu": "ku", "owi": "ku", "em": "przed", "im": "przed", "a": "do", "y": "do",
    "i": "do", "ę": "przez", "ą": "przed", "ie": "przy", "u": "przy",
})  # fmt: skip
"""A preposition that governs the case which a first name ends so in."""

JOINTS = frozenset({"de", "del", "della", "di", "da", "van", "von", "der", "la", "le", "du"})
"""What stands between first name and surname, in one form only."""

_FIRST = "imię"
_SOUTHERN = (
    "rio",
    "do",
    "ro",
    "to",
    "ri",
    "ni",
    "ti",
    "di",
    "riego",
    "niego",
    "tiego",
    "diego",
    "nci",
)
"""How surnames end beside first names in "o": "Leonarda DiCaprio", "Federica Felliniego"."""

_SPELLED = regex(
    r"[vxq]|th|ck|ee|oo|ou|ai|ay|ey|ll|ss|tt|nn|ph|sh|son|london|w(?!sk)[bcdfghklmnprst]"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Foreigner:
    """The first name in its base form, the words after it, and a preposition for their case."""

    first: str
    others: tuple[str, ...]
    preposition: str

    @property
    def is_woman(self) -> bool:
        """Whether the first name is a woman's."""
        return foreign_gender(self.first) == "f"


def read_foreigner(name: str) -> Foreigner | None:
    """Read a person's name of several words of which the first is a foreign name, inflected.

    ``None`` where it is none, may be a base form, or where the dictionary knows the surname: it
    then belongs to a Polish first name ("Marka Kondrata").
    """
    first, *others = name.split() or ("",)
    last = others[-1] if others else ""
    ending = next((end for end in _CASES if first.endswith(end)), None)
    if ending is None or not last[:1].isupper() or foreign_gender(first) is not None:
        return None
    is_southern = last.endswith(_SOUTHERN)
    bases = [one for one in _bases(first) if one.endswith("o") is is_southern]
    is_told = is_southern or not _may_be(first, "nom")
    if not bases or not is_told or not (_is_strange(last) or not _may_be(first)):
        return None
    return Foreigner(first=bases[0], others=tuple(others), preposition=_CASES[ending])


def _bases(first: str) -> tuple[str, ...]:
    """Foreign names that a first name can be a form of, known to the dictionary or not."""
    stem = first.removesuffix("a").rstrip("’'")
    known = (one for one in (stem, f"{stem}o") if stem != first and _may_be(one, "nom"))
    return (*foreign_bases(first), *known)


def _is_strange(surname: str) -> bool:
    """Whether a surname is none that Poles have: nobody knows it, or it is spelled otherwise."""
    return not morphology().is_known(surname) or _SPELLED.search(surname.lower()) is not None


def _may_be(first: str, *cases: Case) -> bool:
    """Whether the dictionary has a word as a first name, in one of these cases."""
    return any(
        "sg" in one.numbers
        and any(_FIRST in label for label in one.labels)
        and (not cases or one.cases & set(cases))
        for one in morphology().readings(first)
    )
