"""Tell what keeps the form in which it was typed: designations, foreign titles, names of makers."""

from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.odds import inflection_odds
from chatbot.language.patterns import regex
from chatbot.router.detector.nouns import PARTICLES
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span

_DESIGNATION = regex(r"[A-ZŁŻa-złż]{1,4}-\d{1,4}[A-ZŁa-z]{0,3}")
_CALLED = frozenset({
    "marka", "firma", "zespół", "kabaret", "grupa", "samolot", "statek", "okręt", "czołg",
    "program", "aplikacja", "gra", "samochód", "motocykl", "rower", "kapela", "duet", "serwis",
    "portal", "telefon", "komputer", "konsola", "komunikator", "gazeta", "czasopismo", "tygodnik",
    "zamek",
})  # fmt: skip
"""Things whose names stand beside them and are not inflected: "w kabarecie Tey"."""
_OPENING = frozenset('„"«')
_CLOSING = frozenset('”"»“')
_LONGEST_TITLE = 10  # words and marks
_LONGEST_SMALL = 2  # letters of words that many languages have
_HALF = 2
_LIKELY = 2.0  # the odds of an inflected ending


def is_designation(phrase: str) -> bool:
    """Whether a phrase is letters and a number that tell a model: "an-2", "Tu-154M"."""
    return _DESIGNATION.fullmatch(phrase) is not None


def is_foreign_word(word: Span) -> bool:
    """Whether no dictionary has a word in small letters, with other diacritics either."""
    is_small = word.text.isalpha() and not word.is_capitalised and word.folded not in PARTICLES
    return is_small and not readings_of(word.text)


def is_beside_kind(words: Sequence[Span], phrase: Sequence[Span]) -> bool:
    """Whether a name stands uninflected behind what it is the name of: "marka Miele".

    Args:
        words: The words and marks of a question.
        phrase: Some of them, side by side.
    """
    at = words.index(phrase[0])
    at -= at > 0 and words[at - 1].text in _OPENING
    if not at or not phrase[0].is_capitalised:
        return False
    kinds = [one for one in readings_of(words[at - 1].text) if one.lemma.lower() in _CALLED]
    cases = {case for one in kinds for case in one.cases}
    own = [one for one in readings_of(phrase[0].text) if one.is_nominal or one.is_adjectival]
    if not own and inflection_odds(phrase[0].text, kind="topic") >= _LIKELY:
        return False
    if cases & {"nom", "acc"}:
        is_called = not own or any("nom" in one.cases for one in own)
        return is_called or not any("gen" in one.cases for one in own)
    return bool(cases) and not any(one.cases & cases for one in own)


def foreign_title(words: Sequence[Span], start: int, end: int) -> tuple[int, int] | None:
    """Return where the quoted title stands that a phrase is a part of, if it is hardly Polish.

    Args:
        words: The words and marks of a question.
        start: The first word of the phrase.
        end: Where the phrase ends.
    """
    first = max(start - _LONGEST_TITLE, 0)
    opened = next((at for at in range(start - 1, first - 1, -1) if _is_quote(words[at])), None)
    last = min(end + _LONGEST_TITLE, len(words))
    closed = next((at for at in range(end, last) if words[at].text in _CLOSING), None)
    if opened is None or closed is None or words[opened].text not in _OPENING:
        return None
    title = words[opened + 1 : closed]
    strange, inner = _strange(title)
    is_begun = not morphology().is_known(title[0].text)  # "Goodbye, Lenin"
    is_foreign = inner > 1 and strange * _HALF >= inner + (not is_begun)
    return (opened + 1, closed) if is_foreign else None


def is_hardly_polish(words: Sequence[Span]) -> bool:
    """Whether most words of a phrase are in no dictionary: "Non, je ne regrette rien"."""
    strange, inner = _strange(words)
    return inner > 1 and strange * _HALF > inner


def _strange(words: Sequence[Span]) -> tuple[int, int]:
    """Count the words that no dictionary has, and all that are no small ones."""
    inner = [word for word in words if len(word.text) > _LONGEST_SMALL]
    return sum(not morphology().is_known(word.text) for word in inner), len(inner)


def _is_quote(word: Span) -> bool:
    return word.text in _OPENING | _CLOSING
