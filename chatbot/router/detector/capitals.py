"""Write the base form of a topic with the capital letters that an encyclopaedia has in it."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.nouns import INNER, KEEPING, PARTICLES, PREPOSITIONS
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.detector.unchanged import is_hardly_polish

_ACRONYMS = frozenset({
    "usa",
    "nasa",
    "nato",
    "zsrr",
    "prl",
    "onz",
    "nbp",
    "pkp",
    "rp",
    "dna",
    "ipn",
})
_TERRAIN = frozenset({
    "morze", "zatoka", "cieśnina", "kanał", "puszcza", "wyżyna", "nizina", "pustynia", "półwysep",
    "kotlina", "pojezierze", "góry", "góra", "jezioro", "wyspa", "rów", "pogórze", "brama",
    "żuławy", "beskid", "park", "zalew", "przełęcz", "dolina", "wzgórze", "politechnika",
    "uniwersytet", "stadion",
})  # fmt: skip
"""What has its adjective as a part of its name: "Kanał Elbląski", "Puszcza Białowieska"."""
_REALMS = frozenset({"cesarstwo", "królestwo", "księstwo", "republika"})
"""States, too, unless one half is meant: "Cesarstwo zachodniorzymskie"."""
_PLACED = _TERRAIN | {"gmina", "rzeka", "miasto", "wieś", "wulkan", "powiat", "planeta"}
"""What may stand before a name in the nominative: "wyspa Man"."""
_EVENTS = frozenset({
    "powstanie", "wojna", "pokój", "sobór", "konfederacja", "rewolucja", "insurekcja",
    "hołd", "potop", "rokosz", "bitwa", "zbrodnia", "rzeź",
})  # fmt: skip
"""What has its adjective in small letters: "powstanie wielkopolskie"."""
_EPONYMOUS = frozenset({
    "bozon", "prawo", "twierdzenie", "efekt", "zespół", "choroba", "hipoteza", "liczba", "stała",
    "paradoks", "krzywa", "skala", "równanie", "test", "zasada", "plan", "objaw",
    "rękoczyn", "alfabet", "próba", "lodowiec", "reakcja", "cykl", "ogniwo", "silnik", "rurka",
    "postulat", "statuty", "metoda", "ciąg", "wzór", "demon",
    "brzytwa", "zakaz", "reguła", "kometa", "teoria", "kot", "hotel", "funkcja", "rozkład",
    "algorytm", "całka", "szereg", "zjawisko", "doświadczenie", "eksperyment", "sito",
    "pas", "wstęga", "butelka", "pies", "piramida", "dylemat", "most", "teleskop", "neon",
})  # fmt: skip
"""What is called after somebody, whose name follows in the genitive: "bozon Higgsa"."""
ORDINALS: Mapping[str, str] = MappingProxyType({
    "pierwszy": "I",
    "drugi": "II",
    "trzeci": "III",
    "czwarty": "IV",
    "piąty": "V",
    "szósty": "VI",
    "siódmy": "VII",
    "ósmy": "VIII",
    "czternasty": "XIV",
    "szesnasty": "XVI",
})
NUMBERED = frozenset({"wojna", "powstanie", "rozbiór", "krucjata"})
"""Events that are counted: "III powstanie śląskie"."""
_HALF = regex(r"zachodnio|wschodnio")
_OF_PLACES = regex(r"\w{2,}[sc]k(?:i|a|ie)$")
_OF_PERSONS = regex(r"\w{2,}(?:a|ego|iej|y|’s|'s)$")
_LATIN = regex(r"\w{3,}(?:us|um|is|ens|oides|ae|i|a)$")
_ROMAN = regex(r"[ivx]{1,5}")
_GAMES = regex(r"(?:letnie|zimowe) igrzyska olimpijskie \d{4}")
_SAINT = regex(r"[śŚ]w\.\s?(?=[A-ZŁŚŻ])")
_CASES = {"w": "loc", "we": "loc", "pod": "inst", "nad": "inst"}
_LEAST_FOREIGN = 2


def with_capitals(phrase: str) -> str:
    """Write the names in a phrase with capital letters, and what belongs to events without.

    Args:
        phrase: A topic in its base form.
    """
    if phrase[:1] in "śŚ":
        phrase = _with_saint(phrase)
    phrase = _with_numerals(phrase)
    words = split_words(phrase)
    if not words or _GAMES.fullmatch(phrase.lower()):
        return phrase.title()
    lemmas = {one.lemma for one in readings_of(words[0].text)}
    is_foreign = words[0].is_capitalised and is_hardly_polish(words)
    if is_foreign or any(word.is_capitalised for word in words[1:]):
        is_event = bool(lemmas & _EVENTS) and not is_foreign
        return _written(phrase, _plain(words), str.lower, _is_adjective) if is_event else phrase
    if not words[0].is_capitalised and _is_foreign(words):
        return _written(phrase, words, _capitalised, _is_strange)
    if len(words) > 1 and _is_of_place(lemmas, words[1].text):
        return _written(phrase, words[:2], _capitalised, _is_any)
    if len(words) == len(("wyspa", "Man")) and lemmas & _PLACED and _is_label(words[1]):
        return _written(phrase, words[1:], _capitalised, _is_any)
    named = [
        word
        for at, word in enumerate(words[1:])
        if _is_name(word, words[: at + 1]) or _is_surname(word, words[at])
    ]
    phrase = _written(phrase, named, _capitalised, _is_any)
    last = words[-1].folded  # "dna moczanowa" is no acid
    return _written(
        phrase, words, str.upper, lambda word: word.folded in _ACRONYMS - ({"dna"} - {last})
    )


def _plain(words: Sequence[Span]) -> tuple[Span, ...]:
    """Return the words after the first but surnames: "sobór Aleksandra Newskiego"."""
    return tuple(
        word
        for before, word in pairwise(words)
        if not (before.is_capitalised and _is_first_name(before))
    )


def _is_of_place(lemmas: set[str], adjective: str) -> bool:
    """Whether an adjective of a place is a part of the name: "Puszcza Białowieska"."""
    is_half = bool(lemmas & _REALMS) and _HALF.match(adjective) is not None
    is_part = bool(lemmas & (_TERRAIN | _REALMS)) and _OF_PLACES.fullmatch(adjective) is not None
    return is_part and not is_half


def _with_saint(phrase: str) -> str:
    """Write "św. Kinga" in full."""
    found = _SAINT.match(phrase)
    if found is None:
        return phrase
    first = split_words(phrase[found.end() :])[0]
    return f"{'święta' if first.text.endswith('a') else 'święty'} {phrase[found.end() :]}"


def _with_numerals(phrase: str) -> str:
    """Write the ordinal after a ruler's name in Roman figures: "Mieszko I"."""
    words = split_words(phrase)
    if len(words) > 2 and _lemmas_of(words[1]) & NUMBERED:  # noqa: PLR2004 - "pierwsza wojna" alone
        number = next((ORDINALS[one] for one in _lemmas_of(words[0]) if one in ORDINALS), None)
        phrase = f"{number}{phrase[words[0].end :]}" if number else phrase
        words = split_words(phrase)
    for name, word in reversed(tuple(pairwise(words))):
        number = next(
            (ORDINALS[one.lemma] for one in readings_of(word.text) if one.lemma in ORDINALS), None
        )
        if number is None and word is words[-1] and _ROMAN.fullmatch(word.text):
            number = word.text.upper()
        if number and any("imię" in one.labels for one in readings_of(name.text)):
            phrase = phrase[: word.start] + number + phrase[word.end :]
    return phrase


def _lemmas_of(word: Span) -> set[str]:
    return {one.lemma for one in readings_of(word.text)}


def _written(
    phrase: str,
    words: Sequence[Span],
    write: Callable[[str], str],
    is_meant: Callable[[Span], bool],
) -> str:
    """Write some words of a phrase in another way."""
    for word in words:
        if is_meant(word):
            phrase = phrase[: word.start] + write(word.text) + phrase[word.end :]
    return phrase


def _capitalised(word: str) -> str:
    return word[:1].upper() + word[1:]


def _is_any(_: Span) -> bool:
    return True


def _is_strange(word: Span) -> bool:
    """Whether no dictionary has a word."""
    return word.text[0].isalpha() and word.folded not in PARTICLES and not readings_of(word.text)


def _is_adjective(word: Span) -> bool:
    small = word.text.lower()
    readings = readings_of(small)
    is_of_place = _OF_PLACES.fullmatch(small) is not None
    return any(one.is_adjectival for one in readings) and (
        is_of_place or all(one.is_adjectival for one in readings)
    )


def _is_foreign(words: Sequence[Span]) -> bool:
    """Whether no Polish word is in a phrase: "nanga parbat", but not "larix decidua"."""
    strange = [word for word in words if _is_strange(word)]
    others = [word for word in words if word not in strange and word.folded not in PARTICLES]
    is_latin = all(_LATIN.fullmatch(word.folded) for word in strange)
    return len(strange) >= _LEAST_FOREIGN and not others and not is_latin


def _is_label(word: Span) -> bool:
    """Whether a word after "wyspa" is its name, no adjective and no genitive."""
    readings = readings_of(word.text)
    return not any(one.is_adjectival or "gen" in one.cases for one in readings)


def _is_name(word: Span, before: Sequence[Span]) -> bool:
    """Whether a word typed in small letters can only be a name where it stands."""
    readings = readings_of(word.text)
    if len(word.text) == 1:  # "Fiat 126p"
        return False
    if _is_place_after(word, before):
        return True
    if readings:
        is_name = all(one.lemma[:1].isupper() for one in readings)
        return is_name and not (_is_undeclined(word) and _is_strange(before[-1]))
    if not word.text[0].isalpha() or word.folded in PREPOSITIONS:
        return False
    heads = {one.lemma for one in readings_of(before[0].text)}
    is_next = len(before) == 1
    if before[-1].folded in INNER:
        return bool(heads & KEEPING)
    last = {one.lemma for one in readings_of(before[-1].text)}
    is_after = bool(last & _EPONYMOUS) or (is_next and bool(heads & _EPONYMOUS))
    return is_after and _OF_PERSONS.fullmatch(word.text) is not None


def _is_surname(word: Span, before: Span) -> bool:
    """Whether a word like an adjective of a place follows a first name: "Nikifor krynicki"."""
    is_named = before.is_capitalised and _is_first_name(before)
    return is_named and _OF_PLACES.fullmatch(word.text) is not None


def _is_first_name(word: Span) -> bool:
    return any("imię" in one.labels for one in readings_of(word.text))


def _is_undeclined(word: Span) -> bool:
    """Whether a word is but a surname in its base form: "belli" of "casus belli"."""
    readings = readings_of(word.text)
    return all(one.lemma.lower() == word.text and "nazwisko" in one.labels for one in readings)


def _is_place_after(word: Span, before: Sequence[Span]) -> bool:
    """Whether a word in small letters is a place after a building or event: "zamek w ojcowie"."""
    heads = {one.lemma for word in before for one in readings_of(word.text)}
    case = _CASES.get(before[-1].folded)
    if case is None or not heads & KEEPING:
        return False
    return any(one.case == case for one in gazetteer().sightings(word.text.capitalize()))
