"""Flags as words of a command line: written by us, and read from the operator's own."""

from collections.abc import Iterable


def optional(flag: str, value: object) -> tuple[str, ...]:
    """``flag`` with its value; nothing where there is none."""
    return () if value is None else (flag, str(value))


def above_one(flag: str, value: int) -> tuple[str, ...]:
    """``flag`` with its value, where that is not the one that every server starts with."""
    return (flag, str(value)) if value > 1 else ()


def names_of(words: Iterable[str]) -> frozenset[str]:
    """The names of the flags among ``words``; long ones with ``-`` for ``_``, without values."""
    return frozenset(map(_name, filter(_is_flag, words)))


def _name(flag: str) -> str:
    name = flag.partition("=")[0]
    return name.replace("_", "-") if name.startswith("--") else name


def _is_flag(word: str) -> bool:
    """Whether it is a flag and no value such as ``-1``."""
    return word.startswith("-") and not word[1:2].isdigit()
