"""Finds the spot whose weather is to be told: a place, and what to say about the choice."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from chatbot.errors import ToolError
from chatbot.language import VOIVODESHIPS, fold, lemmatise, similar_places
from chatbot.language.places import gazetteer
from chatbot.tools.echo import echo
from chatbot.tools.weather.areas import Area, find_area
from chatbot.tools.weather.choice import Choice, choose, is_named
from chatbot.tools.weather.report import Place
from chatbot.tools.weather.wishes import Wish, is_here, read_wish

FindPlaces: TypeAlias = Callable[[str, str], tuple[Place, ...]]
"""Places of a name, in the country of this code or (empty) anywhere."""


class UnknownPlace(ToolError):
    """The service knows no place of this name, or the asker named none."""

    def __init__(self, city: str) -> None:
        """Ask which place is meant, with those of a similar name."""
        super().__init__(
            f"Nie znam miejscowości „{echo(city)}”. {_ask_whether(city)} "
            "Sprawdź pisownię albo podaj większe miasto w pobliżu."
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Spot:
    """A place on the map with what the asker is to know: the area it stands for, its rivals.

    ``said`` is the region or country by which the asker told it from others; mostly empty.
    """

    place: Place
    area: Area | None = None
    rivals: tuple[Place, ...] = ()
    said: str = ""

    @property
    def asked(self) -> str:
        """The name to go on with in the conversation: "Mazury", "Dąbrowa, małopolskie"."""
        if self.area is not None:
            return self.area.name
        return f"{self.place.name}, {self.said}" if self.said else self.place.name


def find_spot(city: str, find_places: FindPlaces) -> Spot:
    """The spot that ``city`` means.

    Raises:
        UnknownPlace: there is none, or no place was named.
        ToolError: the area is too large for one forecast, or the service failed.
    """
    if not city.strip() or is_here(city):
        raise ToolError("Nie wiem, gdzie to jest. Dla jakiej miejscowości podać pogodę?")
    wish = read_wish(city)
    area = find_area(city) or find_area(wish.name)
    if area is not None and wish.is_narrowed and not _is_within(wish, area):
        area = None
    if area is None or area.asks_first:
        choice = _search(wish, find_places)
        if choice is not None and (area is None or choice.is_exact):
            return Spot(place=_in_polish(choice.place, wish), rivals=choice.rivals, said=wish.said)
    if area is None:
        raise UnknownPlace(city)
    return Spot(place=_stand_in(area, find_places), area=area)


def _ask_whether(city: str) -> str:
    """Ask for places of a similar name: "Czy chodzi o Wrocław?"."""
    places = [gazetteer().find(name) for name in similar_places(city)]
    similar = [one.forms["acc"] for one in places if one and fold(one.name) != fold(city)]
    return f"Czy chodzi o {' albo '.join(similar)}?" if similar else "O jaką miejscowość chodzi?"


def _is_within(wish: Wish, area: Area) -> bool:
    """Whether what narrows the name down is the area's own town, voivodeship or country."""
    if wish.voivodeship:
        return VOIVODESHIPS[wish.voivodeship][0] == area.town
    if wish.region:
        return lemmatise(wish.said, kind="place") == area.town
    return wish.country == area.country


def _search(wish: Wish, find_places: FindPlaces) -> Choice | None:
    """Look the name up as it is, then in its base form; the one found exactly is better."""
    inexact = None
    for name in dict.fromkeys((wish.name, wish.base)):
        choice = choose(find_places(name, wish.country), wish)
        if choice is not None and choice.is_exact:
            return choice
        inexact = inexact or choice
    return inexact


def _stand_in(area: Area, find_places: FindPlaces) -> Place:
    if not area.town:
        raise ToolError(
            f"„{area.name}” to za duży obszar na jedną prognozę. "
            "Dla jakiej miejscowości albo dla jakiego kraju podać pogodę?"
        )
    wish = Wish(name=area.town, base=area.town, country=area.country)
    choice = choose(find_places(area.town, area.country), wish)
    if choice is None:
        raise UnknownPlace(area.town)
    return replace(choice.place, name=area.town)


def _in_polish(place: Place, wish: Wish) -> Place:
    """The place under the asker's own spelling, where the service lost diacritics ("Lodz")."""
    return replace(place, name=wish.base) if is_named(place, wish) else place
