"""Read the calculation of a story by the trained model, where the rules find none or guess."""

from chatbot.router.detector.formulas.corrections import corrected
from chatbot.router.detector.formulas.given import put_values
from chatbot.router.detector.formulas.problems.statement import Statement, state
from chatbot.router.detector.formulas.reading import Reading, plain_wording, read_formula
from chatbot.router.detector.formulas.stories.model import Guess, story_model
from chatbot.router.detector.formulas.stories.sums import comes_to

LIKELY = 0.7
"""How likely a calculation must be where the rules read nothing, if it measures what is asked."""

CERTAIN = 0.8
"""How likely it must be there if what it measures, or what is asked, is not known."""

SURER = 0.75
"""How likely it must be to be taken instead of what a reader of `GUESSING` made of a story."""

GUESSING = frozenset({"formula", "list", "part", "percentage", "proportion", "purchase", "story"})
"""Readers that the model is right about more often than they are, on stories new to both."""

_MOST_OF_IT = 0.5


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
    least = SURER if is_read else LIKELY if guess.is_measured else CERTAIN
    return guess.share >= least


def read_calculation(prompt: str) -> Reading | None:
    """Return what a prompt comes to, by the rules or by the model."""
    return read_story(prompt, read_formula(prompt))


def _may_be_wrong(found: Reading) -> bool:
    """Whether a reader only guesses: a formula that is a small part of what was said, too."""
    is_said = found.reader == "formula" and found.share >= _MOST_OF_IT
    return found.reader in GUESSING and not is_said


def read_story(prompt: str, found: Reading | None) -> Reading | None:
    """Return what a story comes to by the model where that is likely, else what was found.

    Args:
        prompt: What was said, of which it is known that a calculation is asked for.
        found: What the rules read.
    """
    if found is not None and not _may_be_wrong(found):
        return found
    statement = statement_of(prompt)
    guess = None if statement is None else story_model().guess(statement)
    if guess is None or not is_taken(guess, is_read=found is not None):
        return found
    if found is not None and comes_to(found.expression, guess.value):
        return found
    return Reading(expression=guess.expression, share=1.0, reader="story model")
