"""Foreign first names that the dictionary lacks, with their gender: "Neil", "Hedy"."""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, TypeAlias, cast

Gender: TypeAlias = Literal["m", "f"]

_MASCULINE = ("iego", "iemu", "owi", "em", "ie", "im", "a", "u", "y")
_FEMININE = ("ie", "y", "i", "ę", "ą", "o")
_SHORTEST = 3


def foreign_gender(name: str) -> Gender | None:
    """Return the gender of a foreign first name in its base form; ``None``: it is none."""
    return _genders().get(name)


@lru_cache(maxsize=4_096)
def is_foreign_name(word: str) -> bool:
    """Whether a word is a form of one: "Neila", "Neilowi", "Wangari"."""
    return word in _genders() or bool(foreign_bases(word))


@lru_cache(maxsize=4_096)
def foreign_bases(word: str) -> tuple[str, ...]:
    """Return the foreign first names that a word can be another form of: "Mark" of "Marka"."""
    return tuple(base for base in _bases(word) if base in _genders())


def _bases(word: str) -> tuple[str, ...]:
    """What a word may be a form of: men's names lose an ending, women's get back their "a"."""
    if not word[:1].isupper():
        return ()
    cut = [word[: -len(end)] for end in (*_MASCULINE, "’a", "'a") if word.endswith(end)]
    men = [one for one in cut if _genders().get(one) == "m"]
    men += [f"{one}o" for one in cut if _genders().get(f"{one}o") == "m"]
    women = [f"{word[: -len(end)]}a" for end in _FEMININE if word.endswith(end)]
    return tuple(one for one in (*men, *women) if len(one) >= _SHORTEST)


@cache
def _genders() -> Mapping[str, Gender]:
    text = (files("chatbot.language") / "first_names.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({name: cast("Gender", gender) for name, gender in rows})
