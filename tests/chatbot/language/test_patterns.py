"""Patterns that are compiled when they are first used."""

import gc
import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import chatbot.router
from chatbot.language.patterns import _Lazy, regex

HUNDREDS = 1_000
WORD = re.compile("[a-ząćęłńóśźż]{1,13}")
ESCAPE = re.compile(r"\\[a-zA-Z]")


def test_a_pattern_does_what_a_compiled_one_does() -> None:
    words = regex(r"(?P<word>[a-z]+)", re.IGNORECASE)

    assert words.findall("Ala ma 2 koty") == ["Ala", "ma", "koty"]
    assert words.sub("x", "Ala ma") == "x x"
    assert words.groupindex == {"word": 1}
    assert words.pattern == r"(?P<word>[a-z]+)"


def test_what_no_pattern_has_is_missing() -> None:
    with pytest.raises(AttributeError):
        regex("a").serch("a")  # type: ignore[attr-defined]


def test_nothing_is_compiled_before_it_is_used() -> None:
    broken = regex("(")

    with pytest.raises(re.error):
        broken.search("a")


@pytest.fixture(scope="module")
def known() -> list[_Lazy]:
    """All patterns of the router."""
    for module in pkgutil.walk_packages(chatbot.router.__path__, "chatbot.router."):
        importlib.import_module(module.name)
    gc.unfreeze()  # what the tests have frozen is not listed
    known = [one for one in gc.get_objects() if isinstance(one, _Lazy) and one.pattern != "("]
    gc.freeze()
    return known


def repetitions(pattern: str) -> Iterator[str]:
    """Texts that say a pattern's own words again and again, and do not end as it may want."""
    words = sorted(set(WORD.findall(ESCAPE.sub("", pattern))), key=len)
    for word in words:
        yield f"{word} " * 45 + "#"
        yield f"{word}y " * 35 + "#"
        yield f"x {f'{word}a ' * 35}# 5"
    for three in zip(words[::3], words[1::3], words[2::3], strict=False):
        yield " ".join(three * 25) + "#"
    yield from (sign * 140 + "#" for sign in (", ", "- ", "1 ", "a", "1", "((", "A b "))


@pytest.mark.timeout(240)  # one that tries every way to read such a text never ends
def test_every_pattern_compiles_and_hangs_on_none_of_its_own_words(known: list[_Lazy]) -> None:
    assert len(known) > HUNDREDS
    for one in known:
        for text in repetitions(one.pattern):
            one.search(text)
