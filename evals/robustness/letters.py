"""Writes a prompt with other letters: without diacritics, with typing errors, in one case."""

import re
from collections.abc import Callable, Iterator
from random import Random

from chatbot.language import morphology
from chatbot.language.diacritics import PLAIN
from chatbot.router.detector.mistyping import ROWS
from evals.cases import Case
from evals.robustness.words import (
    Word,
    free_words,
    has_punctuated_arguments,
    replace_words,
    unnamed_words,
)

_MIN_TYPO = 5  # letters of a word that is still read with one of them wrong
_LONG_PROMPT = 40  # characters from which on there are two typing errors
_TRIES = 8
_MARKS = re.compile(r"[.,?!:;…]+")


def drop_diacritics(case: Case, _: Random) -> str:
    """Polish letters become their plain neighbours, as on a keyboard without AltGr."""
    return _rewrite(case, lambda word: word.translate(PLAIN))


def lower(case: Case, _: Random) -> str:
    """Everything in lower case, names too."""
    return _rewrite(case, str.lower)


def upper(case: Case, _: Random) -> str:
    """Everything in capitals."""
    return _rewrite(case, str.upper)


def mistype(case: Case, random: Random) -> str:
    """One typing error, in a longer prompt two, outside names and what the arguments say.

    Two letters changed places, or one is its neighbour on the keyboard. The first letter stays,
    and what comes out is no word of the dictionary, so that no other word was meant.
    """
    words = [word for word in unnamed_words(case) if len(word.text) >= _MIN_TYPO]
    random.shuffle(words)
    number = 1 if len(case.prompt) < _LONG_PROMPT else 2
    wrong: list[tuple[Word, str]] = []
    for word in words:
        typed = _typing_error(word.text, random)
        if typed is not None and len(wrong) < number:
            wrong.append((word, typed))
    return replace_words(case.prompt, iter(sorted(wrong, key=lambda one: one[0].start)))


def drop_punctuation(case: Case, _: Random) -> str:
    """No full stops, commas, question marks between words or at the end; formulas keep theirs."""
    if has_punctuated_arguments(case):
        return case.prompt
    words = free_words(case)
    starts = {word.start for word in words}
    pieces, at = [], 0
    for word in words:
        marks = _MARKS.match(case.prompt, word.end)
        following = _after_blanks(case.prompt, marks.end()) if marks else None
        if marks and (following in starts or following == len(case.prompt)):
            pieces.append(case.prompt[at : word.end])
            at = marks.end()
    return "".join((*pieces, case.prompt[at:]))


def _rewrite(case: Case, change: Callable[[str], str]) -> str:
    changed: Iterator[tuple[Word, str]] = ((word, change(word.text)) for word in free_words(case))
    return replace_words(case.prompt, changed)


def _typing_error(word: str, random: Random) -> str | None:
    """``word`` with one error; ``None`` where only other words come out."""
    for _ in range(_TRIES):
        place = random.randrange(1, len(word) - 1)
        if random.random() < 0.5:  # noqa: PLR2004 - heads or tails
            typed = f"{word[:place]}{word[place + 1]}{word[place]}{word[place + 2 :]}"
        else:
            typed = f"{word[:place]}{_neighbour(word[place], random)}{word[place + 1 :]}"
        if typed != word and not morphology().is_known(typed):
            return typed
    return None


def _neighbour(letter: str, random: Random) -> str:
    """A letter beside ``letter`` on the keyboard; itself where it is none of the plain ones."""
    row = next((row for row in ROWS if letter in row), letter)
    at = row.index(letter)
    return random.choice((row[max(at - 1, 0) : at] + row[at + 1 : at + 2]) or letter)


def _after_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
