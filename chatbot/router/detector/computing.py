"""Tell by its words and its formula whether a prompt is a calculation, and read it."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.certainty import read_plain_formula
from chatbot.router.detector.clauses import is_request
from chatbot.router.detector.formulas import Reading, read_formulas
from chatbot.router.detector.formulas.stories import is_settled, read_story
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.spans import fold_evenly, split_words

_ORDER = regex(
    r"(?:(?:ob|wy|po|prze)licz|wyznacz|rozwiaz|zsumuj|(?:po|wy)mnoz|podziel|"
    r"spierwiastkuj|scalkuj|zroznicz|rozloz|uprosc)"
)
_SETTING = regex(r"\b([^\W\d_]{3,})=")
_NUMBERED = regex(
    r"\b(?:klas\w*|(?:jad|jedzi|id|idzi|wychodz|wyjezdz|jest|ucz|chodz|mieszk|spotyk)\w+ "
    r"(?:\w+ )?(?:z|ze|do|w|pod)|sal\w{1,3}|lini\w{1,3}|(?:autobus|tramwaj|pociag)\w*|peron\w*|nr|"
    r"numer\w*|pokoj\w*) \d{1,3} ?[a-h]?(?:/\d{1,3})?(?:(?: i |, ?)\d{1,3} ?[a-h]?)*\W*$"
)
_ALL_FORMULA = 0.6


def _is_known(word: str) -> bool:
    return bool(morphology().readings(word))


def has_known_words(prompt: str) -> bool:
    """Whether a word of the language stands in a prompt, not only signs and letters."""
    words = (word.text for word in split_words(prompt) if len(word.text) > 1)
    return any(_is_known(word) for word in words if word.isalpha())


def is_label(prompt: str) -> bool:
    """Whether figures and signs are no mathematics: "seed=31" is set, a class is called 6b."""
    return _is_setting(prompt) or _is_numbered(prompt)


def _is_setting(prompt: str) -> bool:
    """Whether something that is no word is set."""
    return any(not _is_known(found[1]) for found in _SETTING.finditer(prompt))


def _is_numbered(prompt: str) -> bool:
    """Whether a sentence that asks nothing names a class, flat or line: "idziemy z 6b"."""
    return _NUMBERED.search(fold_evenly(prompt)) is not None and not is_request(prompt)


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


def read_expressions(prompt: str, *, is_part: bool) -> tuple[str, ...]:
    """Return the expressions of all calculations that are asked for; none where none can be read.

    Only one that is not plain may be a story instead. ``is_part``: see `read_story`.
    """
    found = read_formulas(prompt)
    if len(found) > 1:
        return tuple(one.expression for one in found)
    alone = next(iter(found), None)
    if alone is not None and (is_settled(alone) or _is_plain(prompt, alone)):
        return (alone.expression,)
    read = read_story(prompt, alone, is_part=is_part)
    return () if read is None else (read.expression,)


def _is_plain(prompt: str, formula: Reading) -> bool:
    return read_plain_formula(prompt) == {"expression": formula.expression}
