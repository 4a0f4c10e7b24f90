"""Read the calculation of a story by the trained model, where the rules find none or guess."""

import math

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.corrections import corrected
from chatbot.router.detector.formulas.given import put_values
from chatbot.router.detector.formulas.problems.statement import Statement, state
from chatbot.router.detector.formulas.reading import Reading, plain_wording, read_formula
from chatbot.router.detector.formulas.stories.model import Guess, story_model
from chatbot.router.detector.formulas.stories.sums import comes_to, total_of

LIKELY = 0.45
"""How likely a calculation must be where the rules read nothing, if it measures what is asked."""

CERTAIN = 0.5
"""How likely it must be if what it measures is not known, or if the rules read another one."""

GUESSING = frozenset({
    "formula", "list", "part", "percentage", "portion", "proportion", "purchase", "receipt",
    "rule_of_three", "share", "stages", "story",
})  # fmt: skip
"""Readers that the models are right about more often than they are, on stories new to all."""

PATTERNS = frozenset({"counting", "riddle", "told_percentage"})
"""Readers by patterns, which only guess where they leave numbers of a story out."""

PARTLY = 0.75
"""How likely it must be where only a part of what was said is read."""

_MOST_OF_IT = 0.5
_MOST_REPLACED = 5
_VOID = frozenset({0.0, 1.0})
"""A number less itself, or by itself, says nothing: what is missing was told before."""

_NUMBER = regex(r"\d+(?:\.\d+)?")


def statement_of(prompt: str) -> Statement | None:
    """Take a prompt apart as a story; ``None`` if it has a formula or asks for no result."""
    text = plain_wording(prompt)
    if text is None:
        return None
    meant = next(iter(corrected(text)))
    statement = state(put_values(meant) or meant)
    return None if statement.has_formula and not statement.has_box else statement


def is_taken(guess: Guess, *, is_read: bool) -> bool:
    """Whether a guess is likely enough, also beside what a reader of `GUESSING` read."""
    least = LIKELY if guess.is_measured and not is_read else CERTAIN
    return guess.share >= least


def read_calculation(prompt: str) -> Reading | None:
    """Return what a prompt comes to, by the rules or by the model."""
    return read_story(prompt, read_formula(prompt))


def is_settled(found: Reading) -> bool:
    """Whether no story is looked for in a prompt of which the rules have read this."""
    return not _may_be_wrong(found) and found.reader not in PATTERNS


def _may_be_wrong(found: Reading) -> bool:
    """Whether a reader only guesses, and something that the model could put in its place."""
    is_formula = found.reader == "formula"
    is_said = is_formula and found.share >= _MOST_OF_IT
    is_other = is_formula and math.isnan(total_of(found.expression))
    is_long = len(_NUMBER.findall(found.expression)) > _MOST_REPLACED
    return found.reader in GUESSING and not (is_said or is_other or is_long)


def _is_whole(found: Reading, statement: Statement) -> bool:
    """Whether a pattern has read all numbers of a story."""
    if found.reader not in PATTERNS or math.isnan(total_of(found.expression)):
        return found.reader in PATTERNS
    return len(_NUMBER.findall(found.expression)) >= len(statement.quantities)


def read_story(prompt: str, found: Reading | None, *, is_part: bool = False) -> Reading | None:
    """Return what a story comes to by the model where that is likely, else what was found.

    Args:
        prompt: What was said, of which it is known that a calculation is asked for.
        found: What the rules read.
        is_part: Whether it is a part of a prompt, which may be no calculation of its own.
    """
    if found is not None and is_settled(found):
        return found
    statement = statement_of(prompt)
    if statement is None or (found is not None and _is_whole(found, statement)):
        return found
    if found is None:
        guess = story_model().guess(statement)
    else:
        read = total_of(found.expression)
        guess = story_model().guess(statement, reader=found.reader, read=read)
    is_likely = guess is not None and is_taken(guess, is_read=found is not None)
    if guess is None or not is_likely or (is_part and guess.share < PARTLY):
        return found
    is_same = found is not None and comes_to(found.expression, guess.value)
    is_void = len(statement.quantities) == 1 and guess.value in _VOID
    if is_same or is_void or _NUMBER.fullmatch(guess.expression):
        return found
    return Reading(expression=guess.expression, share=1.0, reader="story model")
