"""The base forms that a span of a text may have, and whether a name is one of them."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from chatbot.language.guesses import guess
from chatbot.language.morphology import Reading, morphology
from chatbot.language.names import lemmatise
from chatbot.language.odds import inflection_odds
from chatbot.language.pieces import WORD
from chatbot.language.places import gazetteer
from chatbot.router.detector.spans import split_words
from chatbot.router.detector.titles import name_at
from chatbot.router.grounding.likeness import are_forms, common_start
from chatbot.router.grounding.spans import Span
from chatbot.router.grounding.spelling import accents, key
from chatbot.types import NameKind

_OBLIQUE = ("gen", "dat", "acc", "inst", "loc")
PREPOSITIONS = frozenset(
    """
    w we na o po przy z ze do od ode dla bez u koło obok niedaleko blisko nad nade pod pode przed
    przede między za przez poprzez ku dzięki wbrew około wokół według znad spod
    """.split()  # noqa: SIM905 - a list of words reads best as a text
)
_BEARERS = frozenset({"zamek", "hotel", "statek", "okręt", "jacht", "prom", "zespół", "serial"})
"""What bears a name that stays as it is: "w zamku Czocha", though "Czocha" may be Czoch's."""
_FEMININE = ("ska", "cka", "dzka")
"""How adjectives of women end in the nominative and in no other case: "Ryksa Lotaryńska"."""
_PLURALS = ("y", "i", "e", "a")  # after a genitive without ending: "Stuposian" → "Stuposiany"
_VOWELS = "aąeęioóuy"
_ODD = 1.0  # the price of an unknown word whose ending looks like no nominative is higher
_SHORTEST = 3  # letters of a word that is guessed at


class Bases:
    """The base forms of spans, each worked out once; for one call of `ground`."""

    def __init__(self, kind: NameKind) -> None:
        """Read spans as names of one kind."""
        self.kind = kind
        self._known: dict[Span, str] = {}

    def of(self, span: Span) -> str:
        """Return the base form of a span, in the case that the preposition before it governs."""
        known = self._known.get(span)
        return self._known.setdefault(span, _base(span, self.kind)) if known is None else known

    def has(self, name: str, span: Span) -> bool:
        """Tell whether ``span`` may be a form of ``name``, letter by letter.

        Where the text was typed without diacritics, those of the name are not doubted.
        """
        known = known_places(span) if self.kind == "place" else ()
        if known:
            return name in known
        proper = self.of(span)
        return proper == name or (
            not _is_half(name, span.text, proper) and _is_form(name, span.text, proper, self.kind)
        )

    def is_inflected(self, span: Span) -> bool:
        """Tell whether a span stands in a case that is not the nominative, as far as one can tell.

        An unknown place has to look so: who knows whether "w Lahti" inflects?
        """
        if self.of(span).lower() == span.text.lower():
            return False
        is_governed = span.before.lower() in PREPOSITIONS
        if self.kind == "place" and not morphology().is_known(span.text) and span.size == 1:
            return is_governed and inflection_odds(span.text, kind="place") > _ODD
        if self.kind == "topic" and span.size > 1 and not is_governed:
            return _known_name(span.text) is not None or not _may_be_nominative(span.text)
        if is_governed or span.size > 1 or self.kind == "person":
            return True
        if self.kind == "topic" and span.text.istitle() and _bears_a_name(span.before):
            return False
        readings = morphology().readings(span.text)
        cases = {case for one in readings if "sg" in one.numbers for case in one.cases}
        return bool(cases) and "nom" not in cases


def _bears_a_name(word: str) -> bool:
    return any(one.lemma in _BEARERS for one in morphology().readings(word))


def _may_be_nominative(phrase: str) -> bool:
    """Tell whether a phrase can be what it is called: "Bajki robotów", "Ryksa Lotaryńska"."""
    words = WORD.findall(phrase)
    if any(word.endswith(_FEMININE) and word[:1].isupper() for word in words[1:]):
        return bool(words[0].endswith("a"))
    readings = [morphology().readings(word) for word in words]
    is_person = any("imię" in one.labels for one in readings[0])
    names = [
        number
        for number, word in enumerate(words)
        if not number or ((is_person or not readings[0]) and word[:1].isupper())
    ]
    may_be = all(
        any("nom" in one.cases for one in readings[number])
        or (not readings[number] and inflection_odds(words[number], kind="topic") <= _ODD)
        for number in names
    )
    cases = [{case for one in readings[number] for case in one.cases} for number in names]
    is_open = is_person and "gen" in cases[0]  # "Filipa" is "Filip" as well
    return may_be and not (is_open and all(not one or "gen" in one for one in cases))


def known_places(span: Span) -> tuple[str, ...]:
    """Return the places of the tables that a span may be a form of."""
    sightings = gazetteer().forms.get(span.key, ())
    return tuple(dict.fromkeys(one.place.name for one in sightings))


def _base(span: Span, kind: NameKind) -> str:
    if kind != "place" and span.size > 1 and (known := _known_name(span.text)) is not None:
        return known
    before = span.before.lower()
    if before in PREPOSITIONS:
        return lemmatise(span.text, kind=kind, preposition=before)
    return span.text if _is_foreign(span.text) else lemmatise(span.text, kind=kind)


@lru_cache(maxsize=128)  # asked for the base form of a span, and for its case
def _known_name(text: str) -> str | None:
    """Return the name of an encyclopaedia that a text is, in any of its cases."""
    words = split_words(text)
    return name_at(words, 0, len(words))


def _is_foreign(text: str) -> bool:
    """Tell whether some word of several is unknown and has no Polish ending: "Hedy Lamarr"."""
    words = WORD.findall(text)
    unknown = [word for word in words if word[:1].isupper() and not morphology().readings(word)]
    return len(words) > 1 and any(inflection_odds(one, kind="person") < _ODD for one in unknown)


def _is_half(name: str, said: str, proper: str) -> bool:
    """Tell whether a word of several was left as it was said, though its base form differs."""
    words = [WORD.findall(text.lower()) for text in (name, said, proper)]
    sizes = {len(one) for one in words}
    return (
        sizes != {1}
        and len(sizes) == 1
        and any(own == form != right for own, form, right in zip(*words, strict=True))
    )


def _is_form(name: str, said: str, proper: str, kind: NameKind) -> bool:
    """Compare word by word: the dictionary's forms of each, or the endings of an unknown one."""
    own, forms, right = (WORD.findall(text) for text in (name, said, proper))
    if len(right) != len(forms):
        right = forms
    return len(own) == len(forms) and all(
        _may_be(word, form, kind, is_sure=base != form and morphology().is_known(base))
        for word, form, base in zip(own, forms, right, strict=True)
    )


def _may_be(own: str, said: str, kind: NameKind, *, is_sure: bool) -> bool:
    """Tell whether ``said`` may be a form of ``own``; ``is_sure``: its base form is known."""
    plain = not accents(said)
    nominatives = [one for one in morphology().readings(own) if "nom" in one.cases]
    if any(_has_form(one, said.lower(), plain=plain) for one in nominatives):
        return True
    if own.lower() == said.lower():
        return not morphology().is_known(own)
    if not is_sure and _differ_by_ending(own, said, plain=plain):
        return True
    return not nominatives and any(
        own.lower() == guessed.lower() or (plain and key(own) == key(guessed))
        for guessed in guesses(said, kind)
    )


def _differ_by_ending(own: str, said: str, *, plain: bool) -> bool:
    """Tell whether two unknown words have the same letters, but for a Polish ending."""
    keys = key(own), key(said)
    same = common_start(own.lower(), said.lower())
    return are_forms(*keys) and (plain or same == common_start(*keys))


def _has_form(reading: Reading, wanted: str, *, plain: bool) -> bool:
    """Tell whether ``wanted`` is a form of the reading's lemma, in the reading's number."""
    return any(
        (form.text.lower() == wanted or (plain and key(form.text) == wanted))
        and form.reading.numbers & reading.numbers
        for form in morphology().forms(reading.key)
    )


def guesses(word: str, kind: NameKind) -> Iterator[str]:
    """Yield what an unknown word may be a form of, by its ending; nothing for a short one."""
    if len(word) < _SHORTEST:
        return
    kinds: tuple[NameKind, ...] = ("place",) if kind == "place" else ("person", "place")
    for one, case in product(kinds, _OBLIQUE):
        yield from (reading.lemma for reading in guess(word, case, kind=one))
    if kind == "place" and word[-1] not in _VOWELS:
        yield from (word + ending for ending in _PLURALS)
