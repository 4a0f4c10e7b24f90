"""Tell in which case a phrase stands from what is around it, and bring it to its base form."""

from collections.abc import Sequence

from chatbot.language.folding import fold
from chatbot.language.odds import inflection_odds
from chatbot.router.detector.bases import as_it_stands, base_form
from chatbot.router.detector.nouns import CATEGORIES, PREPOSITIONS, TIMES, VAGUE, WORKS
from chatbot.router.detector.questions import case_before
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, joined

_OPENING = frozenset('„”"«')
_BREAKS = frozenset(",:–—-")
_ACCUSATIVE = "przez"
_GENITIVE = "do"
_NEAR = 3
_LIKELY = 2.0  # the odds of an inflected ending


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
    after = words[at + len(phrase)] if at + len(phrase) < len(words) else None
    is_nominative = joined(text, phrase).lower() != joined(text, phrase) and _is_subject(phrase)
    if before is None or before.text in ".?!…":
        is_apart = after is None or not after.text[0].isalnum()
        is_first = after is not None and after.text in _BREAKS and _may_be_nominative(phrase[0])
        return None if is_apart and (is_nominative or is_first) else ""
    if before.text.lower() == "że" or (before.text == "ze" and _is_after_that(phrase[0])):
        return None if is_nominative else ""
    governing = _governing(words[:at])
    if governing is not None:
        return governing
    if _is_owner(before, is_first=at == 1) and _is_only_genitive(phrase[0]):
        return _GENITIVE
    case = case_before(text[: phrase[0].start]) or ""
    if is_nominative and case in {"", _ACCUSATIVE} and not _looks_inflected(phrase):
        return None
    is_owned = _is_owner(before, is_first=at == 1) and _has_genitive(phrase[0])
    return case or (_GENITIVE if is_owned else "")


def _looks_inflected(phrase: Sequence[Span]) -> bool:
    """Whether a lone unknown word ends as hardly any nominative: "Linuxa"."""
    word = phrase[0].text
    is_unknown = len(phrase) == 1 and not readings_of(word)
    return is_unknown and inflection_odds(word, kind="topic") >= _LIKELY


def _governing(before: Sequence[Span]) -> str | None:
    """Return the preposition before a phrase, adjectives between left out: "w polskim Shreku"."""
    for word in reversed(before[-_NEAR:]):
        if word.folded in PREPOSITIONS:
            return word.folded
        readings = readings_of(word.text)
        is_before = any(one.is_adjectival for one in readings) and word.folded not in VAGUE
        if word.is_capitalised or word.folded == "to" or not is_before:
            return None
    return None


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


def _may_be_nominative(word: Span) -> bool:
    """Whether a word that begins a sentence can be a nominative: "Statyny: …", "Filipinki, …"."""
    readings = readings_of(word.text)
    return not readings or any("nom" in one.cases for one in readings)


def _is_after_that(word: Span) -> bool:
    """Whether "ze" before a word is "że" without its dot: "prawda, ze kot …"."""
    common = [one for one in readings_of(word.text) if one.lemma[:1].islower()]
    cases = {case for one in common if "sg" in one.numbers for case in one.cases}
    return "nom" in cases and not cases & {"gen", "inst"}


def _is_only_genitive(word: Span) -> bool:
    """Whether a noun can be a genitive and no nominative or accusative: "kopułę katedry …"."""
    singular = {case for one in readings_of(word.text) if "sg" in one.numbers for case in one.cases}
    return "gen" in singular and not singular & {"nom", "acc"}


def _is_owner(word: Span, *, is_first: bool) -> bool:
    """Whether a genitive may follow a word: "twórca Linuxa", but "opera „Halka”"."""
    readings = readings_of(word.text)
    kinds = {one.lemma for one in readings} & (CATEGORIES | WORKS)
    is_noun = bool(readings) and all(one.is_nominal for one in readings)
    return is_noun and not kinds and (is_first or not word.is_capitalised)


def _has_genitive(word: Span) -> bool:
    readings = readings_of(word.text)
    return not readings or any("gen" in one.cases for one in readings)


def _is_date(phrase: Sequence[Span]) -> bool:
    """Whether a phrase begins with a day of a month: "13 grudnia 1981"."""
    lemmas = {one.lemma for word in phrase[1:2] for one in readings_of(word.text)}
    return phrase[0].text.isdigit() and bool(lemmas & TIMES)
