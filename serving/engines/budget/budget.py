"""The memory budget: what cards and main memory have, and what the servers take of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from serving.engines.budget.claim import Claim
from serving.engines.budget.demand import HABITS, RESERVE, claim_memory
from serving.engines.budget.hardware import GIB, Hardware
from serving.engines.budget.known import read_table
from serving.engines.budget.pictures import claim_pictures, is_drawn_here
from serving.engines.budget.placing import place_engines
from serving.settings import LaunchSettings, Settings

_SYSTEM: Final = 4 * GIB
"""Main memory for the system, the gateway, the page and a browser: an assumption."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One server at one place.

    ``taken`` is what it takes whether it needs it or not, ``granted`` what it can count on, bytes;
    they differ for a share of what is free. Without a share both are what it needs.
    """

    claim: Claim
    taken: int
    granted: int

    @property
    def is_short(self) -> bool:
        """Whether it needs more than it is granted."""
        return self.claim.need is not None and self.claim.need.total > self.granted

    @property
    def cached_tokens(self) -> int | None:
        """Tokens that its cache holds; ``None`` where nobody knows."""
        need = self.claim.need
        if need is None or not need.token:
            return None
        return max(0, (self.granted - need.weights - need.overhead) // need.token)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A card, or main memory where ``card`` is ``None``; bytes, ``size`` ``None`` where unknown."""

    card: int | None
    size: int | None
    reserve: int
    entries: tuple[Entry, ...]

    @property
    def name(self) -> str:
        """How people call it."""
        return "main memory" if self.card is None else f"card {self.card}"

    @property
    def taken(self) -> int:
        """What all servers together take."""
        return sum(entry.taken for entry in self.entries)

    @property
    def is_overfull(self) -> bool:
        """Whether they take more than there is to give."""
        return self.size is not None and self.taken > self.size - self.reserve


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """Every place that a server takes; ``cards`` is how many there are, ``None`` where unknown."""

    places: tuple[Place, ...]
    cards: int | None

    @property
    def unknown(self) -> tuple[str, ...]:
        """Servers whose model nobody knows."""
        claims = [entry.claim for place in self.places for entry in place.entries]
        return tuple(sorted({claim.server for claim in claims if claim.need is None}))


def compute_budget(settings: Settings, hardware: Hardware) -> Budget:
    """The budget of everything that these settings start on this machine."""
    cards = None if hardware.cards is None else len(hardware.cards)
    claims = tuple(_claim_all(settings, cards))
    places = sorted({claim.place for claim in claims}, key=lambda place: (place is None, place))
    return Budget(
        places=tuple(
            _fill(place, _size(place, hardware), [c for c in claims if c.place == place])
            for place in places
        ),
        cards=cards,
    )


def _claim_all(settings: Settings, cards: int | None) -> Iterable[Claim]:
    server, table = settings.images.server, read_table()
    pictures = tuple(claim_pictures(server, cards=cards)) if is_drawn_here(settings) else ()
    taken = tuple(claim.place for claim in pictures)
    for name, places in place_engines(settings, cards=cards, taken=taken).items():
        engine = settings.engines[name]
        if engine.kind in HABITS:
            launch = engine.launch or LaunchSettings()
            yield from claim_memory(name, engine, launch, places=places, table=table)
    yield from pictures


def _size(place: int | None, hardware: Hardware) -> int | None:
    """Bytes there; 0 for a card that the machine does not have."""
    if place is None:
        return hardware.ram
    if hardware.cards is None:
        return None
    return hardware.cards[place] if place < len(hardware.cards) else 0


def _fill(place: int | None, size: int | None, claims: Sequence[Claim]) -> Place:
    reserve = _SYSTEM if place is None else round(RESERVE * (size or 0))
    taken = [_take(claim, size) for claim in claims]
    return Place(
        card=place,
        size=size,
        reserve=reserve,
        entries=tuple(
            Entry(claim=claim, taken=mine, granted=_grant(claim, mine, size, sum(taken) - mine))
            for claim, mine in zip(claims, taken, strict=True)
        ),
    )


def _take(claim: Claim, size: int | None) -> int:
    if claim.share is not None and size is not None:
        return round(claim.share * size)
    return claim.need.total if claim.need else 0


def _grant(claim: Claim, taken: int, size: int | None, beside: int) -> int:
    """What it can count on: of a share of what is free, as if it started last."""
    if not claim.is_of_free or claim.share is None or size is None:
        return taken
    return round(claim.share * (size - beside))
