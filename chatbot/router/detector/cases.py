"""Tell in which case a phrase stands from what is around it, and bring it to its base form."""

from collections.abc import Sequence

from chatbot.language.folding import fold
from chatbot.language.names import OF_A_NOUN
from chatbot.language.odds import inflection_odds
from chatbot.language.patterns import regex
from chatbot.language.vocabulary import PROPER
from chatbot.router.detector.bases import as_it_stands, base_form, is_plainly_inflected
from chatbot.router.detector.nouns import CATEGORIES, PREPOSITIONS, TIMES, VAGUE, WORKS
from chatbot.router.detector.questions import case_before
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, joined, split_words
from chatbot.router.detector.unchanged import foreign_title, is_beside_kind, is_designation

_OPENING = frozenset('„”"«')
_BREAKS = frozenset(",:–—-")
_ENDS = frozenset(".?!…;:")
_OBJECTIVE = frozenset({"imps", "impt", "inf", "pcon", "pant"})
"""Forms of verbs that have no subject."""
_SPOKEN = frozenset({"fin", "praet", "aglt"})
_FIRST = regex(r"(?:[łl][ea][mś]|[łl]i?y?(?:śmy|ście)|ę|[aeiuy]m|[aeiuy]my|sz)$")
"""Verbs whose subject is who speaks or is spoken to: "odkryłem", "lubię", "znasz"."""
_BEING = frozenset({"to", "jest", "byl", "byla", "sa", "byli", "taki", "taka"})
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
    if is_beside_kind(words, phrase) or _is_foreign_title(words, phrase):
        return whole
    case = _case_of(text, words, phrase)
    if case is None or _is_date(phrase):
        is_careful = _is_quoted(text, phrase) and whole != whole.lower()
        return whole if is_careful else as_it_stands(whole)
    return base_form(whole, case) or whole


def rather(text: str, phrase: Sequence[Span], framed: str) -> str:
    """Return the better base form where that of a question's frame differs from the context's.

    What is quoted and can be a nominative stays as it is; what looks inflected does not.

    Args:
        text: The whole question.
        phrase: Some of its words, side by side.
        framed: The base form that its frame gives.
    """
    told = base_in_context(text, split_words(text), phrase)
    whole = fold(joined(text, phrase))
    if fold(told) == whole:
        is_title = _is_title(phrase) or _is_foreign_title(split_words(text), phrase)
        is_kept = _is_quoted(text, phrase) and is_title
        return told if is_kept or is_designation(told) else framed
    return told if fold(framed) == whole and _must_change(phrase) else framed


def _is_foreign_title(words: Sequence[Span], phrase: Sequence[Span]) -> bool:
    """Whether a phrase is the whole of a quoted title that is hardly Polish."""
    start = words.index(phrase[0])
    place = start, start + len(phrase)
    return foreign_title(words, *place) == place


def _is_quoted(text: str, phrase: Sequence[Span]) -> bool:
    return text[: phrase[0].start].rstrip()[-1:] in _OPENING


def _must_change(phrase: Sequence[Span]) -> bool:
    """Whether a phrase can be no nominative: a known word is none, an unknown one looks so."""
    first = readings_of(phrase[0].text)
    if first:
        return not any("nom" in one.cases for one in first)
    unknown = (word.text for word in phrase if not readings_of(word.text))
    return any(inflection_odds(word, kind="person") >= _LIKELY for word in unknown)


def _case_of(text: str, words: Sequence[Span], phrase: Sequence[Span]) -> str | None:
    """Return a preposition that goes with the case; "": nothing tells; ``None``: nominative."""
    at = words.index(phrase[0])
    is_quoted = at > 0 and words[at - 1].text in _OPENING
    at -= is_quoted
    before = words[at - 1] if at else None
    end = at + is_quoted + len(phrase)
    after = words[end] if end < len(words) else None
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
    is_owned = _is_owner(before, is_first=at == 1)
    if is_owned and _is_only_genitive(phrase[0]):
        return _GENITIVE
    return _after_words(text, words[:at], phrase, is_owned=is_owned, is_quoted=is_quoted)


def _after_words(
    text: str, before: Sequence[Span], phrase: Sequence[Span], *, is_owned: bool, is_quoted: bool
) -> str | None:
    """As `_case_of`, where no preposition tells: after verbs and nouns.

    Only some verbs have a phrase for their object; else it may be the subject as well.
    """
    last = before[-1].end
    case = case_before(text[:last]) or ""
    is_object = _is_object(before)
    is_open = case == "" or (case == _ACCUSATIVE and (is_quoted or not is_object))
    is_nominative = joined(text, phrase).lower() != joined(text, phrase) and _is_subject(phrase)
    is_title = is_quoted and _is_title(phrase)
    if is_open and (is_title or (is_nominative and not is_object and not _looks_inflected(phrase))):
        may_be_owned = len(phrase) > 1 if is_title else _is_name(phrase[0])
        return OF_A_NOUN if is_owned and may_be_owned else None
    if case == _ACCUSATIVE and not is_object:
        return ""
    if not case and _is_accusative(phrase[-1]):
        return _ACCUSATIVE
    return case or (OF_A_NOUN if is_owned and _has_genitive(phrase[0]) else "")


def _is_accusative(word: Span) -> bool:
    """Whether a name can be nothing but an object: "sprawdź Josefa Ladę"."""
    cases = {case for one in readings_of(word.text) for case in one.cases}
    return word.is_capitalised and word.text.endswith("ę") and "nom" not in cases


def _is_object(before: Sequence[Span]) -> bool:
    """Whether a verb before a phrase takes it as its object: "kto napisał …", "zbudowano …"."""
    for word in reversed(before):
        if word.text in _ENDS or word.text == ",":
            return False
        if word.folded == "kto":
            return not {one.folded for one in before[before.index(word) :]} & _BEING
        kinds = {one.pos for one in readings_of(word.text)}
        if kinds and (kinds <= _OBJECTIVE or (kinds <= _SPOKEN and _FIRST.search(word.text))):
            return True
    return False


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
        return word.is_capitalised and word.folded.endswith("a") and not is_plainly_inflected(word)
    own = [one for one in readings if fold(one.lemma) == word.folded]
    return any("nom" in one.cases for one in own) or any(
        one.is_adjectival and "nom" in one.cases and "sg" in one.numbers for one in readings
    )


def _may_be_nominative(word: Span) -> bool:
    """Whether a word that begins a sentence can be a nominative: "Statyny: …", "Filipinki, …"."""
    readings = readings_of(word.text)
    return not readings or any("nom" in one.cases for one in readings)


def _is_title(phrase: Sequence[Span]) -> bool:
    """Whether what is quoted can stand as it is: "Przygody kota …", not "Gazety Lwowskiej"."""
    first, *others = phrase
    agreeing = [
        readings_of(word.text)
        for word in others[:1]
        if any(one.is_adjectival for one in readings_of(word.text))
    ]
    return _may_be_nominative(first) and all(
        any("nom" in one.cases for one in readings) for readings in agreeing
    )


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


def _is_name(word: Span) -> bool:
    return word.is_capitalised and any(one.labels & PROPER for one in readings_of(word.text))


def _has_genitive(word: Span) -> bool:
    readings = readings_of(word.text)
    return not readings or any("gen" in one.cases for one in readings)


def _is_date(phrase: Sequence[Span]) -> bool:
    """Whether a phrase begins with a day of a month: "13 grudnia 1981"."""
    lemmas = {one.lemma for word in phrase[1:2] for one in readings_of(word.text)}
    return phrase[0].text.isdigit() and bool(lemmas & TIMES)
