"""Chooses, of the places that a service found, the one that is meant."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chatbot.language import find_voivodeship, fold, town_names
from chatbot.language.places import gazetteer
from chatbot.tools.weather.report import HOME, Place
from chatbot.tools.weather.wishes import Wish

CITY = 100_000
"""Inhabitants; so large a place abroad is meant rather than a village at home."""
LEAST = 500
"""Inhabitants of a place of which the service does not know how many it has."""
OVERSHADOWED = 10
"""A place so many times smaller is not thought of when the name is said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """The place taken, and others of the same name that might have been meant as well."""

    place: Place
    rivals: tuple[Place, ...] = ()
    is_exact: bool = True


def choose(found: Sequence[Place], wish: Wish) -> Choice | None:
    """Return the likeliest place; ``None`` where nothing was found.

    The service's order counts first; a place of exactly this name comes before others, a
    settlement before a mountain or an airport, and unless the name is a city's, a place at home
    before one abroad.
    """
    fitting = [place for place in found if _fits(place, wish)] or list(found)
    if not fitting:
        return None
    named = [place for place in fitting if is_named(place, wish)]
    settled = [place for place in named or fitting if place.is_settlement] or named or fitting
    if not named:
        return Choice(place=settled[0], is_exact=False)
    best = _best(settled)
    if wish.is_narrowed and _fits(best, wish):
        return Choice(place=best)
    return Choice(place=best, rivals=tuple(_rivals(best, settled)))


def is_named(place: Place, wish: Wish) -> bool:
    """Whether the place is called what the asker said, diacritics and hyphens aside."""
    return _key(place.name) in {_key(wish.name), _key(wish.base)}


def _best(named: Sequence[Place]) -> Place:
    first = named[0]
    is_famous = first.population >= CITY or gazetteer().find(first.name) is not None
    if first.country == HOME or is_famous:
        return first
    return next((place for place in named if place.country == HOME), first)


def _rivals(best: Place, named: Iterable[Place]) -> Iterable[Place]:
    """Those in other regions that the best one does not overshadow, one of each region."""
    seen = {_region_key(best)}
    if not best.population and gazetteer().find(best.name) is not None:
        return  # a town of the register, or a well-known city: its size need not be told
    for place in named:
        key = _region_key(place)
        is_smaller = _inhabitants(place) * OVERSHADOWED < _inhabitants(best)
        if key not in seen and not is_smaller:
            seen.add(key)
            yield place


def _inhabitants(place: Place) -> int:
    """How many live there; a town of the register has more than a village nobody counted."""
    if not place.population and place.country == HOME and place.name in town_names():
        return LEAST * OVERSHADOWED
    return max(place.population, LEAST)


def _region_key(place: Place) -> tuple[str, str]:
    return place.country, find_voivodeship(place.region) or fold(place.region)


def _fits(place: Place, wish: Wish) -> bool:
    if wish.voivodeship and find_voivodeship(place.region) != wish.voivodeship:
        return False
    if wish.region and wish.region != fold(place.region):
        return False
    return wish.country in {"", place.country}


def _key(name: str) -> str:
    return re.sub(r"[-–\s]+", " ", fold(name))
