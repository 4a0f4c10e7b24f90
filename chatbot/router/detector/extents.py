"""Take in what belongs to a name and was left out: numbers, "typu C", "przeciw grypie"."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.language.vocabulary import ORIGINS, PROPER
from chatbot.router.detector.nouns import ASKED, CATEGORIES, DETERMINERS, VAGUE
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span
from chatbot.router.detector.trimming import OF_NOW
from chatbot.router.detector.verbs import is_finite

Place = tuple[int, int]
"""First word and end of a phrase."""

_UNITS = frozenset({
    "dywizja", "pułk", "korpus", "brygada", "armia", "batalion", "dywizjon", "eskadra", "kompania",
    "szwadron",
})  # fmt: skip
"""What is called by its number: "27 Wołyńska Dywizja Piechoty"."""
_AIMED: Mapping[str, frozenset[str]] = MappingProxyType({
    "szczepionka": frozenset({"przeciw", "przeciwko", "na"}),
    "nagroda": frozenset({"w dziedzinie"}),
    "igrzyska": frozenset({"w"}),
    "igrzysko": frozenset({"w"}),
    "zaślubiny": frozenset({"z"}),
    "bajka": frozenset({"o"}),
    "baśń": frozenset({"o"}),
    "pieśń": frozenset({"o"}),
    "legenda": frozenset({"o"}),
    "prawo": frozenset({"do"}),
    "konwencja": frozenset({"o"}),
    "deklaracja": frozenset({"o"}),
})
"""Nouns whose name goes on behind a preposition."""
_DEFINED = (("co", "to"), ("co", "to", "jest"), ("co", "to", "takiego"), ("czym", "jest"))
_SEASONS = frozenset({"letni", "zimowy"})
_WORDS = frozenset({"symbol", "nazwa", "hasło", "tytuł", "definicja", "znaczenie", "język"})
_PURPOSES = frozenset({"dla", "przeciw", "przeciwko", "bez"})
_HOW_IT_WORKS = frozenset({"działanie", "gra"})
_GRADE = regex(r"[A-Z]|[IVX]{1,4}|\d{1,2}")
_LONGEST_UNIT = 3
_PAIR = 2


def completed(words: Sequence[Span], place: Place) -> Place:
    """Return where the whole name stands of which a phrase is a part.

    Args:
        words: The words and marks of a question.
        place: Its likely topic, kinds and what is asked left out.
    """
    start, end = place
    start = _with_adjectives(words, start)
    start = _with_principle(words, _with_term(words, _with_number(words, start, end)), end)
    start, end = _with_grade(words, _with_head(words, start), end)
    return start, max(_with_pair(words, start, end), _with_aim(words, start, end))


def _with_number(words: Sequence[Span], start: int, end: int) -> int:
    """Take in the number of a military unit: "27 Wołyńska Dywizja"."""
    is_unit = any(_lemmas(word) & _UNITS for word in words[start : min(end, start + _LONGEST_UNIT)])
    return start - 1 if start and is_unit and words[start - 1].text.isdigit() else start


def _with_adjectives(words: Sequence[Span], start: int) -> int:
    """Take in what tells things of one kind apart: "co to jest pierwsza prędkość kosmiczna"."""
    at = start
    while at and _agrees(words[at - 1], words[start]):
        at -= 1
    is_season = at < start and bool(_lemmas(words[start - 1]) & _SEASONS)
    is_games = is_season and bool(_lemmas(words[start]) & {"igrzyska", "igrzysko"})
    return at if is_games or (at < start and _is_defined(words, at)) else start


def _agrees(adjective: Span, noun: Span) -> bool:
    """Whether an adjective that says something stands before its noun."""
    if adjective.folded in DETERMINERS | VAGUE or _lemmas(adjective) & OF_NOW:
        return False
    cases = {case for one in readings_of(noun.text) if one.is_nominal for case in one.cases}
    return any(one.pos == "adj" and one.cases & cases for one in readings_of(adjective.text))


def _with_term(words: Sequence[Span], start: int) -> int:
    """Take in "długość" of "co to jest długość fali": whoever asks so asks for no length."""
    is_asked = start > 1 and bool(_lemmas(words[start - 1]) & (ASKED - CATEGORIES - _WORDS))
    return start - 1 if is_asked and _is_defined(words, start - 1) else start


def _with_principle(words: Sequence[Span], start: int, end: int) -> int:
    """Take in "zasada" before what it says: "zasada zachowania pędu"."""
    is_said = start > 0 and "zasada" in _lemmas(words[start - 1])
    is_one = is_said and any("sg" in one.numbers for one in readings_of(words[start - 1].text))
    is_genitive = any("gen" in one.cases for one in readings_of(words[start].text))
    return start - 1 if is_one and is_genitive and not _is_of_use(words[start:end]) else start


def _is_of_use(phrase: Sequence[Span]) -> bool:
    """Whether a phrase says how something works or is played."""
    return bool(_lemmas(phrase[0]) & _HOW_IT_WORKS)


def _with_grade(words: Sequence[Span], start: int, end: int) -> Place:
    """Take in a type or letter: "zapalenie wątroby typu C", "hemofilia A"."""
    if start and words[start].folded in {"typu", "typ"} and _is_noun(words[start - 1]):
        start -= 1
    if end < len(words) and words[end].folded == "typu" and _is_grade(words, end + 1):
        return start, end + 2
    is_letter = _is_grade(words, end) and words[end].text.isalpha() and _ends(words, end + 1)
    is_open = words[end - 1].folded == "typu" and _is_grade(words, end)
    return start, end + (is_letter or is_open)


def _is_grade(words: Sequence[Span], at: int) -> bool:
    return at < len(words) and _GRADE.fullmatch(words[at].text) is not None


def _with_pair(words: Sequence[Span], start: int, end: int) -> int:
    """Take in the second of two things that a name is of: "prawo popytu i podaży"."""
    if end - start < _PAIR or end + 1 >= len(words) or words[end].folded != "i":
        return end
    first, second = words[end - 1], words[end + 1]
    is_pair = _is_only(first, "gen") and _is_only(second, "gen") and _may_go_on(second)
    if not is_pair or first.is_capitalised is not second.is_capitalised:
        return end
    if second.is_capitalised:
        is_house = words[start].is_capitalised and not _is_proper(words[start : end + 2])
        later = (at for at in range(end + 2, len(words)) if not words[at].is_capitalised)
        return next(later, len(words)) if is_house else end
    is_kind = bool(_lemmas(words[start]) & (ASKED | CATEGORIES))
    return end + 2 if not is_kind and _ends(words, end + 2) else end


def _is_proper(phrase: Sequence[Span]) -> bool:
    """Whether a phrase names persons or places: "Krakowa i Warszawy"."""
    return any(one.labels & PROPER for word in phrase for one in readings_of(word.text))


def _with_aim(words: Sequence[Span], start: int, end: int) -> int:
    """Take in what a name has behind a preposition: "szczepionka przeciw grypie"."""
    if end + 1 >= len(words):
        return end
    said = words[end].folded
    later = {said, f"{said} {words[end + 1].folded}"}
    aims = {
        one for word in words[start:end] for head in _lemmas(word) for one in _AIMED.get(head, ())
    }
    is_defined = _is_defined(words, start)
    is_of_origin = said in ORIGINS and _is_lone_first_name(words[start:end])
    is_small = not any(word.is_capitalised for word in words)
    if is_of_origin and (words[end + 1].is_capitalised or is_small):
        return end + 2
    if not (later & aims or (is_defined and said in _PURPOSES)):
        return end
    stop = end + 1
    while stop < len(words) and _may_go_on(words[stop]):
        stop += 1
    return stop if stop > end + 1 else end


def _with_head(words: Sequence[Span], start: int) -> int:
    """Take in the head of a name of which only what it is against or about was taken."""
    said = words[start - 1].folded if start else ""
    if said in {"w", "we"} and words[start].folded == "dziedzinie":
        said = "w dziedzinie"
    for at in range(max(start - 2, 0), max(start - 4, -1), -1):
        heads = _lemmas(words[at])
        is_plain = bool(heads & CATEGORIES) and not words[at].is_capitalised  # "bajka o kocie"
        if any(said in _AIMED.get(head, ()) for head in heads) and not is_plain:
            return at
    is_defined = said in _PURPOSES and start > 1 and _is_defined(words, start - 2)
    return start - 2 if is_defined and _is_noun(words[start - 2]) else start


def _is_defined(words: Sequence[Span], at: int) -> bool:
    """Whether it is asked what a word is: "co to jest …"."""
    before = tuple(word.folded for word in words[max(at - 3, 0) : at])
    return any(before[-len(one) :] == one for one in _DEFINED)


def _may_go_on(word: Span) -> bool:
    """Whether a word may belong to a noun phrase behind a preposition."""
    is_word = word.text[0].isalpha() and word.folded not in VAGUE | DETERMINERS
    kinds = readings_of(word.text)
    is_nominal = not kinds or any(one.is_nominal or one.is_adjectival for one in kinds)
    return is_word and is_nominal and not is_finite(word)


def _is_lone_first_name(phrase: Sequence[Span]) -> bool:
    """Whether somebody is called by a first name alone: "święty Antoni", "Jan"."""
    *others, name = phrase
    is_first_name = any("imię" in one.labels for one in readings_of(name.text))
    is_saint = all(_lemmas(one) & {"święty", "święta", "błogosławiony"} for one in others)
    return is_first_name and is_saint and (name.is_capitalised or bool(others))


def _ends(words: Sequence[Span], at: int) -> bool:
    """Whether nothing follows that could belong to a name."""
    return at >= len(words) or not words[at].text[0].isalnum() or is_finite(words[at])


def _is_only(word: Span, case: str) -> bool:
    """Whether a noun may stand in a case and in no nominative of one thing."""
    nouns = [one for one in readings_of(word.text) if one.is_nominal]
    return any(case in one.cases for one in nouns) and not any(
        "nom" in one.cases and "sg" in one.numbers for one in nouns
    )


def _is_noun(word: Span) -> bool:
    return any(one.is_nominal for one in readings_of(word.text))


def _lemmas(word: Span) -> set[str]:
    return {one.lemma.lower() for one in readings_of(word.text)}
