"""Ground the name of a place: by its forms, its other names, its likeness to what was said."""

import re
from collections.abc import Iterator
from itertools import chain

from rapidfuzz import fuzz

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.language.pieces import WORD
from chatbot.language.places import Place, gazetteer
from chatbot.language.vocabulary import PROPER
from chatbot.router.grounding.aliases import aliases, name_key
from chatbot.router.grounding.bases import PREPOSITIONS, Bases, guesses, known_places
from chatbot.router.grounding.likeness import SHORTEST, common_start, is_cut, is_slip, likeness
from chatbot.router.grounding.spans import Span, Texts
from chatbot.router.grounding.spelling import accents, is_cyrillic, key, odd_letters

_LIKE = 0.74  # of 1: a damaged name and what it was
_LIKE_KNOWN = 0.8  # of 1: where the damaged name is that of another place
_LIKE_WORD = 0.9  # of 1: where the word in the text does not look like a name
_LIKE_CYRILLIC = 0.7  # of 1: between a Polish name and a transliterated form
_TRUST = 0.25  # of 1: for what the tables or the rules say a span is a form of
_LONG = 6  # letters of a known name that a user may have mistyped
_PERCENT = 100
_CAPITAL = "stolic"
_DERIVED = regex(
    r"(?:sk|ck|dzk)(?:i|a|ie|iego|iej|im|imi|ich|iemu|u|o)$|\w{2}(?:anie|anin|anka|acy|ak|akow)$"
)
_SUFFIX = 5  # letters by which it may be longer: "łódzkiego"
_ROOT = 0.6  # of a name: what its adjective has in common with it
_GENERIC = frozenset(  # words of names that tell no place
    """
    nowy nowa nowe stary stara stare wielki wielka wielkie maly mala male gorny gorna gorne dolny
    dolna dolne gora gory zdroj miasto wies bialy biala biale morze jezioro rzeka wyspa wyspy
    polska poland kolo nad pod polnocna polnocny poludniowa poludniowy slaski slaska slaskie
    mazowiecki mazowiecka mazowieckie wielkopolski wielkopolska wielkopolskie
    """.split()  # noqa: SIM905 - a list of words reads best as a text
)
_LEADING = regex(r"(?:(?:we?|na|do|dla|ze?|in|miasto|m\.|the|city of)\s+)+(?=\w)", re.IGNORECASE)


class Places:
    """The places that some texts speak of."""

    def __init__(self, said: Texts) -> None:
        """Ground in ``said``."""
        self._said = said
        self._bases = Bases("place")
        self._known = tuple(
            (span, name) for span in said.known(gazetteer().forms) for name in known_places(span)
        )
        self._hints = tuple(
            (span, name)
            for span in said.known(aliases().hints)
            if _is_hint(span) and not any(known_places(longer) for longer in said.around(span))
            for name in aliases().hints[span.key]
        )

    def ground(self, name: str) -> tuple[str, bool] | None:
        """Return the place that ``name`` stands for, and whether by another of its names.

        ``None`` where no text speaks of it.
        """
        variants = tuple(dict.fromkeys(_variants(name)))
        for one in variants:
            translated = self._translated(one)
            if translated is not None:
                return translated, True
            found = self._named(one) or self._hinted(one)
            if found is not None:
                return found, False
        likely = next(filter(None, map(self._like, variants)), None) or self._completed(name)
        return None if likely is None else (likely, False)

    # --- other names --------------------------------------------------------------------------

    def _translated(self, name: str) -> str | None:
        """Return the Polish name of a foreign one, if either stands in the texts."""
        if gazetteer().find(name) is not None:
            return None
        polish = aliases().polish.get(name_key(name), ())
        for one in polish:
            if self._named(one) is not None or self._hinted(one) is not None:
                return one
        return polish[0] if polish and self._said.find(key(name)) is not None else None

    def _hinted(self, name: str) -> str | None:
        """Return a known place that is named by a hint: another name, its rank, an adjective."""
        own = key(name)
        hinted = next((place for _, place in self._hints if key(place) == own), None)
        place = _known(name)
        if hinted is not None or place is None:
            return hinted
        is_hinted = self._is_capital(own) or any(_is_derived(word, own) for word in self._said.keys)
        return place.name if is_hinted else None

    def _is_capital(self, own: str) -> bool:
        """Tell whether the texts speak of a capital, and of this country or of no other."""
        owners = aliases().countries.get(own, ())
        words = self._said.keys
        spots = {at for at, word in enumerate(words) if word.startswith(_CAPITAL)}
        if not owners or not spots:
            return False
        all_owners = frozenset(chain.from_iterable(aliases().countries.values()))
        meant = {place for span, place in self._known if span.first - 1 in spots} & all_owners
        if meant:
            return not meant.isdisjoint(owners)
        return "Polska" in owners or any(
            self._named(country) is not None
            or any(_is_derived(word, key(country)) for word in words)
            for country in owners
        )

    # --- the name itself ------------------------------------------------------------------------

    def _named(self, name: str) -> str | None:
        """Return the name as the texts have it, if they do: the same letters, diacritics aside."""
        own = key(name)
        for span, place in self._known:
            if key(place) == own:
                return self._longest(place, span)
        for _, span in self._said.similar(own):
            found = None if known_places(span) else self._same(name, span)
            if found is not None:
                return self._longest(found, span)
        return None

    def _same(self, name: str, span: Span) -> str | None:
        """Return what the name is where ``span``, which no table has, may be a form of it."""
        own, proper = key(name), self._bases.of(span)
        is_right = name[:1].isupper() and self._bases.has(name, span)
        if name == span.text and name[:1].isupper() and not self._bases.is_inflected(span):
            return name
        if key(proper) == own:
            is_better = accents(name) >= accents(proper) and not odd_letters(name)
            return name if is_right and is_better else proper
        return name if is_right and own != span.key else None

    def _longest(self, found: str, span: Span) -> str:
        """Return the longest known place around a span: "Skarżysko" → "Skarżysko-Kamienna"."""
        own = key(found)
        for longer in self._said.around(span):
            for place in known_places(longer):
                if own in key(place):
                    return place
        return found

    def _completed(self, name: str) -> str | None:
        """Return a longer name of which a telling word was said: "Warszawa Mokotów"."""
        place = _known(name)
        if place is not None and self._has_part(place):
            return place.name
        words = WORD.findall(name)
        telling = (word for word in words if len(word) > SHORTEST and key(word) not in _GENERIC)
        is_said = len(words) > 1 and any(self._named(word) is not None for word in telling)
        return name if is_said else None

    def _has_part(self, place: Place) -> bool:
        """Tell whether some form of a telling word of a known place stands in the texts."""
        words = key(place.name).split()
        forms = [key(form).split() for form in place.forms.values()]
        parts = {
            form[at]
            for at, word in enumerate(words)
            if len(words) > 1 and len(word) > SHORTEST and word not in _GENERIC
            for form in forms
            if len(form) == len(words)
        }
        return not parts.isdisjoint(self._said.keys)

    # --- damaged --------------------------------------------------------------------------------

    def _like(self, name: str) -> str | None:
        """Return the base form of what was said and looks most like the damaged ``name``."""
        own = key(name)
        if len(own) < SHORTEST:
            return None
        place = _known(name)
        best, found = 0.0, None
        for span, one, trust in self._candidates(own):
            scores = likeness(own, key(one)), likeness(own, span.key)
            score = (2 * scores[0] if is_cut(own, key(one)) else sum(scores)) + trust
            if score > best and max(scores) >= _wanted(span, one, is_known=place is not None):
                best, found = score, self._longest(one, span)
        if place is not None and (found is None or gazetteer().find(found) is None):
            return place.name if self._is_misspelt(place) else None
        return found

    def _candidates(self, own: str) -> Iterator[tuple[Span, str, float]]:
        """Yield spans with a base form that each may have, and how much that form is trusted."""
        for span, name in (*self._known, *self._hints):
            yield span, name, _TRUST
        for _, span in self._said.similar(own):
            if known_places(span) or is_cyrillic(span.text) or _runs_over(span):
                continue
            yield span, self._bases.of(span), _TRUST
            if own != span.key and span.size == 1:
                yield from ((span, one, 0.0) for one in guesses(span.text, "place"))

    def _is_misspelt(self, place: Place) -> bool:
        """Tell whether a text has a known place with a slip, or in another alphabet."""
        own = key(place.name)
        forms = {key(form) for form in place.forms.values()}
        return any(
            fuzz.ratio(own, span.key) >= _PERCENT * _LIKE_CYRILLIC
            if is_cyrillic(span.text)
            else len(own) >= _LONG
            and not (span.size == 1 and morphology().is_known(span.text))
            and any(is_slip(span.key, form) for form in forms)
            for _, span in self._said.similar(own)
        )


def _known(name: str) -> Place | None:
    """Return the place of the tables that has this name, diacritics or not."""
    sightings = gazetteer().forms.get(key(name), ())
    nominatives = (one.place for one in sightings if one.case == "nom")
    return gazetteer().find(name) or next(nominatives, None)


def _variants(name: str) -> Iterator[str]:
    """Yield the name, then what is left without a preposition, without what follows a comma."""
    yield name
    yield _LEADING.sub("", name, count=1) if _LEADING.match(name) else name
    yield re.split(r"\s*[,(;/]", name, maxsplit=1)[0] or name


def _is_derived(word: str, own: str) -> bool:
    """Tell whether a word may be made of a place's name: "krakowski", "poznaniacy"."""
    if word[:SHORTEST] != own[:SHORTEST] or not _DERIVED.search(word):
        return False
    if len(word) - len(own) > _SUFFIX:
        return False
    return word != own and common_start(word, own) >= max(SHORTEST, _ROOT * len(own))


def _is_hint(span: Span) -> bool:
    """Tell whether a word that may be common ("wolę") is meant as the name of a place."""
    if span.size > 1 or span.before.lower() in PREPOSITIONS:
        return True
    readings = morphology().readings(span.text)
    is_common = any(not reading.labels & PROPER for reading in readings)
    return not is_common or (span.is_capitalised and not span.is_opening)


def _runs_over(span: Span) -> bool:
    """Tell whether a name is followed by a word that is none: "Warszawie pada"."""
    return span.is_capitalised and not span.text.rpartition(" ")[2][:1].isupper()


def _wanted(span: Span, one: str, *, is_known: bool) -> float:
    if is_known:
        return _LIKE_KNOWN
    is_name = span.is_capitalised or gazetteer().find(one) is not None
    return _LIKE if is_name else _LIKE_WORD
