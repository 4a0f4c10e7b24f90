"""Leave out what stands before the name that is meant: places, measures, kinds, who wrote it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.places import gazetteer
from chatbot.router.detector.nouns import ASKED
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span

_MEASURES = frozenset({
    "masa", "waga", "ciężar", "średnica", "promień", "obwód", "gęstość", "temperatura", "objętość",
    "powierzchnia", "wysokość", "długość", "głębokość", "szerokość", "ludność", "populacja",
    "siedziba", "wymiar", "rozmiar", "zasięg", "prędkość", "wzrost", "pojemność", "zaludnienie",
    "barwa", "kolor", "liczba", "siła", "wyznawca", "wierzenie", "samica", "samiec", "ubarwienie",
})  # fmt: skip
"""What is measured or told of something, whatever it is called."""
_MEASURED = frozenset({
    "zaludnienia", "skupienia", "wrzenia", "topnienia", "plomienia", "grawitacji", "maksymalna",
    "trwania", "ciala", "powierzchni",
})  # fmt: skip
"""What is said of a measure before the thing itself: "gęstość zaludnienia"."""
_STATES = frozenset({"stan"})
_SMALL_KINDS = frozenset({
    "wodospad", "jaskinia", "kombajn", "wyspa", "czołg", "samolot", "rzeka", "piwo", "pies",
    "karabin", "zupa", "jezioro", "ballada", "motocykl", "samochód", "prowincja",
})  # fmt: skip
"""Kinds that are left out in prompts of small letters, too: "wodospad siklawa"."""
_GOVERNED: Mapping[str, frozenset[str]] = MappingProxyType({
    **dict.fromkeys(("w", "we", "na", "o"), frozenset({"loc"})),
    **dict.fromkeys(("dla", "u", "do", "od"), frozenset({"gen"})),
})
_OPENING = frozenset('„"«')
_PAIR = 2


def begin_of_name(words: Sequence[Span], start: int, end: int) -> int:
    """Return where the name begins of which a phrase holds too much: "gęstość zaludnienia Malty".

    Args:
        words: The words and marks of a question.
        start: The first word of the phrase.
        end: Where it ends.
    """
    if end - start < _PAIR:
        return start
    lemmas = _lemmas(words[start])
    if lemmas & ASKED and words[start + 1].text in _OPENING and end - start > _PAIR:
        return start + 2  # "autor „Roku 1984”"
    is_kind = bool(lemmas & _SMALL_KINDS) and _is_small_name(words, start + 1, end)
    if is_kind or _is_where(words, start):
        return start + 1
    return _measured(words, start, end)


def is_genitive(word: Span) -> bool:
    """Whether a word can stand in the genitive."""
    return any("gen" in one.cases for one in readings_of(word.text))


def is_name_beside(word: Span) -> bool:
    """Whether a word is a name that does not depend on the noun before it."""
    readings = [one for one in readings_of(word.text) if one.is_nominal or one.is_adjectival]
    if not readings:
        return word.is_capitalised
    is_nominative = any("nom" in one.cases and one.is_nominal for one in readings)
    return word.is_capitalised and is_nominative and not _is_only(word, "adj")


def _is_where(words: Sequence[Span], start: int) -> bool:
    """Whether a place or somebody stands before the name that is meant: "w Krakowie Barbakan"."""
    first, second = words[start], words[start + 1]
    cases = _GOVERNED.get(words[start - 1].folded) if start else None
    if cases is None or not second.is_capitalised or words[start - 1].is_capitalised:
        return False
    own = [
        one
        for one in readings_of(first.text)
        if one.is_nominal and one.cases & cases and "nom" not in one.cases
    ]
    are_many = bool(own) and all(one.numbers == {"pl"} for one in own)
    if not own or not (first.is_capitalised or are_many):
        return False
    labels = {label for one in own for label in one.labels}
    is_person = "imię" in labels and "nazwa_geograficzna" not in labels
    if is_person or gazetteer().sightings(f"{first.text} {second.text}"):
        return False
    said = readings_of(second.text) or readings_of(second.text.lower())
    nouns = [one for one in said if one.is_nominal or one.is_adjectival]
    if any(one.cases & cases and one.is_adjectival for one in nouns):
        return False
    is_foreign = not nouns and second.text[-1] not in "eęuyiąm"
    is_subject = is_foreign or any("nom" in one.cases for one in nouns)
    are_counted = any("gen" in one.cases and "pl" in one.numbers for one in nouns)
    is_counted = are_counted and any(word.folded in {"ile", "ilu"} for word in words[:start])
    return is_subject or is_counted


def _measured(words: Sequence[Span], start: int, end: int) -> int:
    """Return where the thing begins of which a measure is asked: "gęstość zaludnienia Malty"."""
    lemmas = _lemmas(words[start])
    if not lemmas & (_MEASURES | _STATES) or _is_explained(words, start):
        return start
    at = start + 1
    while at < end - 1 and words[at].folded in _MEASURED:
        at += 1
    if at < end - 1 and at > start + 1 and words[at].folded in {"na", "w"}:
        at += 1
    if at == start + 1 and "liczba" in lemmas and end - start > _PAIR and _is_many(words[at]):
        at += 1
        while at < end - 1 and any(one.pos == "adj" for one in readings_of(words[at].text)):
            at += 1
    is_long = at > start + 1 or bool(lemmas & (_MEASURES - {"liczba", "siła"}))
    is_thing = any(one.is_nominal for one in readings_of(words[at].text)) or not readings_of(
        words[at].text
    )
    is_owned = is_genitive(words[at]) or words[at - 1].folded in {"na", "w"}
    is_owned = is_owned or (words[at].is_capitalised and not readings_of(words[at].text))
    return at if is_long and is_thing and is_owned else start


def _is_explained(words: Sequence[Span], start: int) -> bool:
    """Whether it is asked what a measure is: "co to jest temperatura wrzenia"."""
    return any(word.folded in {"co", "czym"} for word in words[max(start - 3, 0) : start])


def _is_many(word: Span) -> bool:
    return any("gen" in one.cases and "pl" in one.numbers for one in readings_of(word.text))


def is_name_described(phrase: Sequence[Span]) -> bool:
    """Whether a name of an adjective and a noun begins a phrase: "Wielka Siklawa"."""
    if len(phrase) < _PAIR or not all(word.is_capitalised for word in phrase[:_PAIR]):
        return False
    first = [one for one in readings_of(phrase[0].text) if one.is_adjectival]
    return any("nom" in one.cases for one in first) and not _is_only(phrase[1], "adj")


def _is_small_name(words: Sequence[Span], start: int, end: int) -> bool:
    """Whether a lone noun in small letters and the nominative follows."""
    if end - start != 1 or words[start].is_capitalised:
        return False
    nouns = [one for one in readings_of(words[start].text) if one.is_nominal or one.is_adjectival]
    is_own = any(
        "nom" in one.cases and fold(one.lemma) == words[start].folded and one.is_nominal
        for one in nouns
    )
    return is_own and not any(one.is_adjectival for one in nouns)


def _is_only(word: Span, kind: str) -> bool:
    return all(one.pos.startswith(kind) for one in readings_of(word.text))


def _lemmas(word: Span) -> set[str]:
    return {one.lemma.lower() for one in readings_of(word.text)} | {word.folded}
