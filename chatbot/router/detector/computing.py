"""Tell by its words and its formula whether a prompt is a calculation."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import Reading
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.spans import split_words

_ORDER = regex(
    r"(?:(?:ob|wy|po|prze)licz|wyznacz|rozwiaz|zsumuj|(?:po|wy)mnoz|podziel|"
    r"spierwiastkuj|scalkuj|zroznicz|rozloz|uprosc)"
)
_SETTING = regex(r"\b([^\W\d_]{3,})=")
_ALL_FORMULA = 0.6


def _is_known(word: str) -> bool:
    return bool(morphology().readings(word))


def has_known_words(prompt: str) -> bool:
    """Whether a word of the language stands in a prompt, not only signs and letters."""
    words = (word.text for word in split_words(prompt) if len(word.text) > 1)
    return any(_is_known(word) for word in words if word.isalpha())


def is_setting(prompt: str) -> bool:
    """Whether something that is no word is set: "seed=31" looks like mathematics, and is none."""
    return any(not _is_known(found[1]) for found in _SETTING.finditer(prompt))


def names_operation(prompt: str) -> bool:
    """Whether a calculation is ordered and named, without a figure: "wyznacz granicę ciągu"."""
    if any(letter.isdigit() for letter in prompt):
        return False
    said = [word.folded for word in split_words(prompt)]
    is_ordered = any(_ORDER.match(word) for word in said)
    return is_ordered and any("maths" in groups_of(word) for word in said)


def is_plain_sum(prompt: str, formula: Reading) -> bool:
    """Whether the prompt is hardly more than a formula with a figure in it."""
    has_figure = any(letter.isdigit() for letter in prompt)
    return formula.share >= (_ALL_FORMULA if has_figure else 1.0)
