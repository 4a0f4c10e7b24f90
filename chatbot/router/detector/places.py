"""Choose the places that a question about the weather is about, of all that it names."""

import re
from collections.abc import Sequence
from itertools import pairwise

from chatbot.language.feasts import FEASTS
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.corrections import CORRECTION, NEGATION
from chatbot.router.detector.landmarks import place_of_adjective, town_of
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.narrowing import find_narrowing
from chatbot.router.detector.placewords import FILLERS, FROM, KINDS, LINKS, NEAR, PREPOSITIONS, TO
from chatbot.router.detector.quotations import blank_quotations
from chatbot.router.detector.regions import is_wide
from chatbot.router.detector.sights import Sight, find_sights
from chatbot.router.detector.spans import Span, fold_evenly, split_words

MOST = 4
_HYPHENATED = regex(r"\b([^\W\d_]{3,30})[-–—]([^\W\d_]{3,30})\b(?![-–—])")
_ELLIPSIS = regex(
    r".{0,60}?(?:\?\s*a (?:co )?|, a (?:jak\w{0,2}|ile(?: stopni)?|co|czy(?: tez)?) )"
    r"(?:w|we|na|do|nad) "
)
_DENIED = regex(r",? nie \w+(?: \w+)?,? (?:tylko|lecz|ale) ")
_COMPARING = frozenset({"cieplej", "zimniej", "porownaj", "porownanie", "niz", "ladniej"})
_END = (
    r"(?:na|w|przy) (?:\w+ )?"
    r"(?:starcie|poczatku|mecie|koncu|celu|miejscu|wyjezdzie|wyl[oa]\w+|ladowaniu)"
)
_BOTH = regex(
    r"\b(?:i tu i tu|i tu,? i tam|tu i tam|tam i tu|i tam i tu|obu|obie|oba|"
    r"obydw(?:u|a|ie|och)|po drodze|na trasie|na calej trasie|w jedna i druga|"
    r"(?:tu|tutaj) (?:albo|czy|lub) tam|tam (?:albo|czy|lub) (?:tu|tutaj)|"
    rf"{_END},? (?:i|albo|czy|lub|oraz) {_END}|(?:na|w) (?:ktoryms|ktorejs|kazdym|ktorym)"
    r"(?: z (?:tych|nich)| koncu| miejscu| miescie))\b"
)
_WHOSE = regex(
    r"\b(?:kogo|komu|kto|gdzie|ktor(?:y|a|e|ej|emu|ego|ych|ym)(?: z (?:nas|nich|was|tych))?)\b"
)
"""Asks which of the places, each of which somebody is at, has this weather."""

_PRECISELY = frozenset({"dokladnie", "a", "mianowicie"})

_OVER = regex(
    r"\b(?:wczoraj|przedwczoraj|temu|w zeszly\w*|w zeszlym|ostatnio|bylem|bylam|bylismy|bylysmy|"
    r"mieszkam|mieszkamy|pochodze|wracam|wracamy|rok temu|mieszkalem|mieszkalam)\b"
)


def find_places(prompt: str) -> tuple[str, ...]:
    """Return the places asked about, each once; several only where they are joined together."""
    prompt = _HYPHENATED.sub(_parted, prompt)
    for text in dict.fromkeys((blank_quotations(prompt), prompt)):
        words = split_words(text)
        if sights := _without_feasts(text, words, find_sights(text, words)):
            return _Choice(text, words, sights).names()
    return _of_adjective(split_words(prompt))


def _without_feasts(text: str, words: Sequence[Span], sights: Sequence[Sight]) -> list[Sight]:
    """Leave what looks like a place and is a day: "na Wszystkich Świętych"."""
    if not sights:
        return []
    named = fold_evenly(text)
    feasts = [found.span() for _, pattern in FEASTS for found in pattern.finditer(named)]
    return [
        one
        for one in sights
        if not any(
            start <= words[one.start].start and words[one.end - 1].end <= end
            for start, end in feasts
        )
    ]


def _parted(found: re.Match[str]) -> str:
    """Part "Zakopane–Kraków", but not "Bielsko-Biała"."""
    is_one = gazetteer().sightings(found[0]) or not all(
        gazetteer().sightings(half) for half in (found[1], found[2])
    )
    return found[0] if is_one else f"{found[1]} – {found[2]}"


class _Choice:
    """Weighs the places of one prompt against each other."""

    def __init__(self, prompt: str, words: Sequence[Span], sights: Sequence[Sight]) -> None:
        self._prompt = prompt
        self._folded = fold_evenly(prompt)
        self._words = words
        self._sights = self._without_wide(self._held(self._affirmed(sights)))

    def names(self) -> tuple[str, ...]:
        """Return the names that are asked about."""
        said = {word.folded for word in self._words}
        if (said & _COMPARING or _BOTH.search(self._folded)) and len(self._sights) > 1:
            return self._named([one for one in self._sights if one.preposition not in NEAR])
        if self._is_whose():
            return self._named(self._sights)
        chains = self._chains()
        best = max(chains, key=lambda chain: self._weight(chain[0], is_there="tam" in said))
        if len(best) > 1:
            return self._named(best)
        name = best[0].name
        narrowing = find_narrowing(name, self._prompt[self._words[best[0].end - 1].end :])
        return (f"{name}, {narrowing}" if narrowing else name,)

    def _is_whose(self) -> bool:
        """Whether it is asked which of several: "ja w Płocku, ty w Toruniu: kto zmoknie?"."""
        is_at = all(_kind(one) == _AT and not self._is_over(one) for one in self._sights)
        last = self._words[self._sights[-1].end - 1].end
        asked = self._folded[last:], self._folded[: self._words[self._sights[0].start].start]
        return is_at and len(self._sights) > 1 and any(map(_WHOSE.search, asked))

    def _named(self, sights: Sequence[Sight]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.name for one in sights))[:MOST]

    def _before(self, sight: Sight) -> str:
        """Return the folded text up to the preposition of a place."""
        at = sight.start
        while at > 0 and self._words[at - 1].folded in PREPOSITIONS:
            at -= 1
        return self._folded[: self._words[at].start]

    def _between(self, left: Sight, right: Sight) -> str:
        return self._folded[self._words[left.end - 1].end : self._words[right.start].start]

    def _affirmed(self, sights: Sequence[Sight]) -> list[Sight]:
        """Leave out what is denied: "nie w Krakowie, tylko w Tarnowie"."""
        kept = [
            one
            for one in sights
            if not NEGATION.search(self._before(one))
            and not _DENIED.match(self._folded, self._words[one.end - 1].end)
        ]
        return kept or list(sights)

    def _held(self, sights: Sequence[Sight]) -> list[Sight]:
        """Leave out what was taken back: "w Łodzi, nie, w Radomiu"."""
        start = 0
        for at, (left, right) in enumerate(pairwise(sights), start=1):
            if CORRECTION.search(self._between(left, right)):
                start = at
        held = list(sights[start:])
        return held if start == 0 else [one for one in held if not self._is_over(one)] or held

    def _without_wide(self, sights: Sequence[Sight]) -> list[Sight]:
        """Leave out the region or country that says where the place beside it lies."""
        wide = {
            at
            for at, (left, right) in enumerate(pairwise(sights))
            for at, wide, other in ((at, left, right), (at + 1, right, left))
            if self._is_beside(left, right)
            and (
                town_of(other.name) == wide.name or (is_wide(wide.name) and not is_wide(other.name))
            )
        }
        return [one for at, one in enumerate(sights) if at not in wide]

    def _is_beside(self, left: Sight, right: Sight) -> bool:
        between = {word.folded for word in self._words[left.end : right.start]}
        return between <= PREPOSITIONS | KINDS | _PRECISELY | {",", "(", "-", "–"} and (
            bool(between & PREPOSITIONS) or right.preposition is None
        )

    def _chains(self) -> list[list[Sight]]:
        """Group places that are joined: "w Łodzi i w Radomiu", "w Gdańsku, Gdyni i Sopocie"."""
        chains: list[list[Sight]] = [[self._sights[0]]]
        for before, sight in pairwise(self._sights):
            between = [word.folded for word in self._words[before.end : sight.start]]
            links = [word for word in between if word in LINKS]
            others = set(between) - LINKS - PREPOSITIONS - FILLERS
            same = before.preposition == sight.preposition or {
                before.preposition,
                sight.preposition,
            } <= {"w", "we", "na", "do"}
            is_listed = between == ["?"] and before.preposition is sight.preposition is None
            is_ellipsis = _ELLIPSIS.fullmatch(self._between(before, sight)) is not None
            is_joined = is_listed or is_ellipsis or bool(links and not others)
            if same and _kind(before) == _kind(sight) and is_joined:
                chains[-1].append(sight)
            else:
                chains.append([sight])
        return chains

    def _weight(self, sight: Sight, *, is_there: bool) -> tuple[float, ...]:
        """Weigh a place; "tam" speaks of where one goes, the last such place before it."""
        kind = _kind(sight)
        if is_there and kind in {2, 3}:
            return (3.0, float(not self._is_over(sight)), float(sight.start))
        over = self._is_over(sight)
        return (
            kind
            - 1.5 * over
            - 0.5 * (sight.is_plain + is_wide(sight.name))
            - 0.25 * (not sight.is_known)
            + 0.5 * self._is_asked(sight),
            float(-sight.start),
        )

    def _clause(self, sight: Sight) -> tuple[int, int]:
        begin = sight.start
        while begin > 0 and self._words[begin - 1].text not in _STOPS:
            begin -= 1
        end = sight.end
        while end < len(self._words) and self._words[end].text not in _STOPS:
            end += 1
        return begin, end

    def _is_asked(self, sight: Sight) -> bool:
        """Whether the weather is spoken of in the clause of this place."""
        begin, end = self._clause(sight)
        return any("weather" in groups_of(word.folded) for word in self._words[begin:end])

    def _is_over(self, sight: Sight) -> bool:
        """Whether the clause of this place speaks of the past, or of where one lives."""
        begin, end = self._clause(sight)
        clause = self._folded[self._words[begin].start : self._words[end - 1].end]
        return _OVER.search(clause) is not None


_AT = 3
_STOPS = frozenset({",", ".", "?", "!", ";", "…", ":", "–"})


def _kind(sight: Sight) -> int:
    """Rank what a preposition says: at a place 3, to it 2, near it 1, from it 0."""
    if sight.preposition in FROM:
        return 0
    if sight.preposition in NEAR:
        return 1
    return 2 if sight.preposition in TO else _AT


def _of_adjective(words: Sequence[Span]) -> tuple[str, ...]:
    found = (place_of_adjective(word.folded) for word in words)
    return tuple(place for place in found if place)[:1]
