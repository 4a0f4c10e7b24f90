"""What no name names, and a text tells of in passing: "odkrywca indukcji elektromagnetycznej"."""

from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.names import OF_A_NOUN, lemmatise
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, joined, split_words
from chatbot.router.dialogue.articles.bearers import is_womans
from chatbot.router.dialogue.mentions import find_mentions, nouns_of

_KINDS = frozenset({
    "miasto", "wies", "rzeka", "gora", "kraj", "wyspa", "stolica", "jezioro", "region", "szczyt",
    "miasteczko", "panstwo", "port", "kontynent", "planeta", "piosenka", "film", "ksiazka",
    "powiesc", "wiersz", "utwor", "obraz", "serial", "album", "sztuka", "dramat", "opera", "rola",
    "zespol", "grupa", "klub", "druzyna", "duet", "firma", "postac", "osoba", "dziecko", "gwiazda",
    "czesc", "rodzaj", "gatunek", "nazwa", "rok", "wiek", "pomoc", "czas", "lista", "liczba",
})  # fmt: skip
"""Nouns by which names are called, or that nobody asks after."""

_BE = frozenset({"to", "jest", "byl", "byla", "bylo", "sa", "byly", "byli", "zostal", "zostala"})
_FAR = 4  # words between "jest" and its noun


def notion_meant(text: str, nouns: frozenset[str]) -> str | None:
    """Return what a text tells of under one of these nouns, with what belongs to it.

    ``None`` where the noun says what somebody or something is ("był pisarzem", "to wyspa"), or
    where a name follows it.
    """
    if nouns & _KINDS:
        return None
    words = split_words(text)
    named = {mention.start for mention in find_mentions(text)}
    for at, word in enumerate(words):
        if word.is_capitalised or not nouns & nouns_of(word.text) or _is_human(word.text):
            continue
        follows = words[at + 1 : at + 2]
        if not _is_predicate(words, at) and not any(one.start in named for one in follows):
            return _whole(text, words, at)
    return None


def _is_human(word: str) -> bool:
    """Whether a word can be what somebody is, or an adjective that stands for it."""
    return any(
        one.pos == "adj" or (one.pos == "subst" and ("m1" in one.genders or is_womans(one.lemma)))
        for one in morphology().readings(word)
        if one.lemma.islower()
    )


def _is_predicate(words: Sequence[Span], at: int) -> bool:
    """Whether a noun says what somebody or something is: "to skalista wyspa", "był pisarzem"."""
    before = words[max(at - _FAR, 0) : at]
    while before and before[-1].folded not in _BE and _cases(before[-1], "adj"):
        before = before[:-1]
    return bool(before) and before[-1].folded in _BE


def _whole(text: str, words: Sequence[Span], at: int) -> str:
    """The noun with the adjectives behind it that agree, or what it is of, in base form."""
    cases = _cases(words[at], "subst", "ger")
    end = at + 1
    while end < len(words) and cases & _cases(words[end], "adj"):
        end += 1
    if end == at + 1 and end < len(words) and "gen" in _cases(words[end], "subst", "ger"):
        end += 1
    before = words[at - 1] if at else None
    return lemmatise(joined(text, words[at:end]), preposition=_governing(before))


def _governing(before: Span | None) -> str | None:
    """What tells the case of a noun: the preposition or the noun before it."""
    parts = {one.pos for one in readings_of(before.text)} if before is not None else set[str]()
    if before is None or not parts & {"prep", "subst", "ger"}:
        return None
    return before.folded if "prep" in parts else OF_A_NOUN


def _cases(word: Span, *parts: str) -> set[str]:
    if not word.text[0].isalpha() or word.is_capitalised:
        return set()
    return {case for one in readings_of(word.text) if one.pos in parts for case in one.cases}
