"""Tell in which case a phrase stands from what is around it, and bring it to its base form."""

from collections.abc import Sequence

from chatbot.language.folding import fold
from chatbot.router.detector.bases import as_it_stands, base_form
from chatbot.router.detector.nouns import CATEGORIES, PREPOSITIONS, TIMES, WORKS
from chatbot.router.detector.questions import case_before
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, joined

_OPENING = frozenset('„”"«')
_ACCUSATIVE = "przez"
_GENITIVE = "do"


def base_in_context(text: str, words: Sequence[Span], phrase: Sequence[Span]) -> str:
    """Return the base form of a phrase by the words around it.

    Args:
        text: The whole question.
        words: Its words.
        phrase: Some of them, side by side.
    """
    whole = joined(text, phrase)
    case = _case_of(text, words, phrase)
    if case is None or _is_date(phrase):
        return as_it_stands(whole)
    return base_form(whole, case) or whole


def _case_of(text: str, words: Sequence[Span], phrase: Sequence[Span]) -> str | None:
    """Return a preposition that goes with the case; "": nothing tells; ``None``: nominative."""
    at = words.index(phrase[0])
    before = words[at - 1] if at else None
    is_nominative = joined(text, phrase).lower() != joined(text, phrase) and _is_subject(phrase)
    if before is None or before.text in ".?!…":
        is_apart = at + len(phrase) >= len(words) or not words[at + len(phrase)].text[0].isalnum()
        return None if is_nominative and is_apart else ""
    if before.text.lower() == "że":
        return None if is_nominative else ""
    if before.folded in PREPOSITIONS:
        return before.folded
    case = case_before(text[: phrase[0].start]) or ""
    if is_nominative and case in {"", _ACCUSATIVE}:
        return None
    return case or (_GENITIVE if _is_owner(before) and _has_genitive(phrase[0]) else "")


def _is_subject(phrase: Sequence[Span]) -> bool:
    """Whether a name can stand in the nominative: "Irena Szewińska", not "Ireny Szewińskiej"."""
    first, *others = phrase
    if not _may_be_base(first):
        return False
    second = next((word for word in others[:1] if word.is_capitalised), None)
    return second is None or _may_be_base(second)


def _may_be_base(word: Span) -> bool:
    readings = readings_of(word.text)
    if not readings:
        return word.is_capitalised and word.folded.endswith("a")
    own = [one for one in readings if fold(one.lemma) == word.folded]
    return any("nom" in one.cases for one in own) or any(
        one.is_adjectival and "nom" in one.cases and "sg" in one.numbers for one in readings
    )


def _is_owner(word: Span) -> bool:
    """Whether a genitive may follow a word: "twórca Linuxa", but "opera „Halka”"."""
    readings = readings_of(word.text)
    kinds = {one.lemma for one in readings} & (CATEGORIES | WORKS)
    is_noun = bool(readings) and all(one.is_nominal for one in readings)
    return is_noun and not kinds and not word.is_capitalised


def _has_genitive(word: Span) -> bool:
    readings = readings_of(word.text)
    return not readings or any("gen" in one.cases for one in readings)


def _is_date(phrase: Sequence[Span]) -> bool:
    """Whether a phrase begins with a day of a month: "13 grudnia 1981"."""
    lemmas = {one.lemma for word in phrase[1:2] for one in readings_of(word.text)}
    return phrase[0].text.isdigit() and bool(lemmas & TIMES)
