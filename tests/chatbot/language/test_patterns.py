"""Patterns that are compiled when they are first used."""

import gc
import importlib
import pkgutil
import re

import pytest

import chatbot.router
from chatbot.language.patterns import _Lazy, regex

HUNDREDS = 1_000


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


def test_every_pattern_can_be_compiled() -> None:
    for module in pkgutil.walk_packages(chatbot.router.__path__, "chatbot.router."):
        importlib.import_module(module.name)
    gc.unfreeze()  # what the tests have frozen is not listed
    known = [one for one in gc.get_objects() if isinstance(one, _Lazy) and one.pattern != "("]
    gc.freeze()

    assert len(known) > HUNDREDS
    assert all(re.compile(one.pattern, one._flags) for one in known)
