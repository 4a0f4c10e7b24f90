"""Compares what a text claims with what its source says: what the source lacks is objected to."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from chatbot.language.facts.claims import Claims, Measured, Named, Seen, read_claims
from chatbot.language.facts.figures import Reading
from chatbot.language.facts.names import KnownWords
from chatbot.language.facts.units import SPEED
from chatbot.language.facts.weather import PRECIPITATION
from chatbot.language.patterns import regex

Kind = Literal["number", "day", "name", "weather", "direction", "link", "evasion"]

_WARM_FROM = 10
_HOT_FROM = 25
_COLD_UP_TO = 15
_STRONG_WIND = 40
_EVASION = regex(
    r"\bnie mam (?:dostępu|możliwości|informacji|danych)|"
    r"\bnie (?:mogę|potrafię) (?:podać|sprawdzić|odpowiedzieć|uzyskać)|"
    r"\bjak[oa] (?:model|asystent|sztuczna inteligencja)|\bmodel\w* językow|"
    r"\bsztuczn\w+ inteligencj|\bdanych treningowych",
    re.IGNORECASE,
)

_CAVEAT = regex(
    r"\b(?:jeszcze (?:jej |ich |go )?nie ma|danych nie ma|nie ma danych|brak danych|"
    r"niedostępn\w+|sięga tylko|tylko do|dopisz|sprzed)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Objection:
    """Something that a text claims and its source does not; ``words`` say what, for people."""

    kind: Kind
    words: str


class Source:
    """A text that other texts have to agree with, read once.

    ``has_caveats`` tells whether it speaks of the limits of what it knows: missing or old data,
    another place of the same name. No comparison sees that a text leaves them out.
    """

    def __init__(self, text: str) -> None:
        """Read ``text``."""
        self.has_caveats = _CAVEAT.search(text) is not None
        self._claims = read_claims(text)
        self._is_evasive = _EVASION.search(text) is not None
        self._words = KnownWords(word.word for word in self._claims.words)
        self._readings: dict[object, list[tuple[Reading, Measured]]] = {}
        for one in self._claims.numbers:
            for reading in one.quantity.readings:
                self._readings.setdefault(reading.value, []).append((reading, one))
        self._values = [
            value
            for one in self._claims.degrees
            if not isinstance(value := one.quantity.readings[0].value, str)
        ]

    def object_to(self, text: str) -> tuple[Objection, ...]:
        """What ``text`` claims without a ground in the source; empty: it may be shown."""
        claims = read_claims(text)
        return (
            *self._object_to_numbers(claims.numbers),
            *self._object_to_days(claims),
            *self._object_to_names(claims.names),
            *(_object("link", link) for link in claims.links - self._claims.links),
            *self._object_to_directions(claims),
            *(self._object_to_weather(claims.weather) if self._values else ()),
            *self._object_to_evasion(text),
        )

    def _object_to_numbers(self, numbers: Iterable[Measured]) -> Iterator[Objection]:
        for one in numbers:
            grounds = (
                ground
                for reading in one.quantity.readings
                for other, ground in self._readings.get(reading.value, ())
                if _same_unit(reading, other)
            )
            if not any(_agree(one, ground) for ground in grounds):
                said = one.quantity.readings[0]
                yield _object("number", f"{said.value} {said.unit or ''}".strip())

    def _object_to_days(self, claims: Claims) -> Iterator[Objection]:
        known = self._claims.days | ({"today"} if "now" in self._claims.days else set())
        dated = {one.quantity.unit for one in self._claims.numbers if one.quantity.is_date}
        for day in sorted(claims.days - known):
            yield _object("day", day)
        for month in sorted(claims.months - self._claims.months):
            if f"month {month}" not in dated:
                yield _object("day", f"month {month}")

    def _object_to_names(self, names: Iterable[Named]) -> Iterator[Objection]:
        for name in names:
            if not self._words.has(name.word) or self._is_elsewhere(name):
                yield _object("name", name.word)

    def _is_elsewhere(self, name: Named) -> bool:
        """Whether the source has the name of another moment of a life only: birth for death."""
        life = name.aspects.get("life")
        if life is None:
            return False
        here = KnownWords([name.word])
        lives = {
            word.aspects.get("life")
            for word in self._claims.words
            if word.word[:1].isupper() and here.has(word.word)
        }
        return bool(lives) and None not in lives and life not in lives

    def _object_to_directions(self, claims: Claims) -> Iterator[Objection]:
        for letters in claims.directions - self._claims.directions:
            yield _object("direction", "".join(sorted(letters)))

    def _object_to_evasion(self, text: str) -> Iterator[Objection]:
        found = None if self._is_evasive else _EVASION.search(text)
        if found is not None:
            yield _object("evasion", found[0])

    def _object_to_weather(self, seen: Iterable[Seen]) -> Iterator[Objection]:
        for one in seen:
            if self._is_contradicted(one) if one.sight.is_negated else not self._is_grounded(one):
                yield _object("weather", one.sight.concept)

    def _is_grounded(self, one: Seen) -> bool:
        return self._is_felt(one.sight.concept) or any(
            one.sight.concept in ground.sight.concepts | self._possible(one, ground)
            for ground in self._claims.weather
            if not ground.sight.is_negated
            and _meet(one.days, ground.days)
            and (one.sight.is_maybe or not ground.sight.is_maybe)
        )

    def _possible(self, one: Seen, ground: Seen) -> frozenset[str]:
        """A chance of precipitation is one of rain."""
        is_chance = one.sight.is_maybe and ground.sight.concept == PRECIPITATION
        return frozenset({"rain"}) if is_chance else frozenset()

    def _is_contradicted(self, one: Seen) -> bool:
        """Whether the source says what is denied; a chance of zero denies it too."""
        return any(
            one.sight.concept in ground.sight.concepts
            for ground in self._claims.weather
            if not ground.sight.is_negated
            and _meet(one.days, ground.days)
            and not (ground.sight.is_maybe and self._has_no_chance())
        )

    def _has_no_chance(self) -> bool:
        chances = [
            one.quantity.readings[0].value
            for one in self._claims.numbers
            if one.aspects.get("measure") == "chance"
        ]
        return bool(chances) and not any(chances)

    def _is_felt(self, concept: str) -> bool:
        """Whether the source's numbers alone bear the word: frost below zero, a strong wind."""
        match concept:
            case "frost":
                return min(self._values) < 0
            case "warmth":
                return max(self._values) >= _WARM_FROM
            case "heat":
                return max(self._values) >= _HOT_FROM
            case "cold":
                return min(self._values) <= _COLD_UP_TO
            case "strong":
                return any(
                    reading.unit == SPEED
                    and not isinstance(reading.value, str)
                    and reading.value >= _STRONG_WIND
                    for one in self._claims.numbers
                    for reading in one.quantity.readings
                )
            case _:
                return False


def _object(kind: Kind, words: str) -> Objection:
    return Objection(kind=kind, words=words)


def _same_unit(one: Reading, other: Reading) -> bool:
    """Equal units, or one left out; a day of a month and a time are never plain numbers."""
    if one.unit == other.unit:
        return True
    is_strict = any((unit or "").startswith(("month", "clock")) for unit in (one.unit, other.unit))
    return not is_strict and (one.unit is None or other.unit is None)


def _agree(one: Measured, ground: Measured) -> bool:
    """Whether neither day nor meaning of two equal numbers differ where both tell them."""
    if (one.aspects.get("measure") == "felt") != (ground.aspects.get("measure") == "felt"):
        return False
    is_same_day = one.quantity.is_date or _meet(one.days, ground.days)
    return is_same_day and all(
        ground.aspects.get(key, said) == said for key, said in one.aspects.items()
    )


def _meet(days: frozenset[str], grounds: frozenset[str]) -> bool:
    """Whether two texts may speak of one day; what holds now holds today, but not vice versa."""
    if "now" in grounds:
        grounds |= {"today"}
    return not days or not grounds or bool(days & grounds)
