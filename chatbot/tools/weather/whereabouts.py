"""Says in Polish where the weather is told of, and how to ask for a place of the same name."""

from chatbot.language import (
    country_of,
    find_voivodeship,
    in_place,
    in_voivodeships,
    of_place,
)
from chatbot.tools.weather.report import HOME, Place
from chatbot.tools.weather.spots import Spot

MOST_RIVALS = 2


def say_where(spot: Spot) -> str:
    """Where: "w Łodzi", "w Atenach (Grecja)", "na Mazurach (dane dla Olsztyna)"."""
    area = spot.area
    if area is None:
        remark = _say_region(spot)
        return in_place(spot.place.name) + (f" ({remark})" if remark else "")
    if area.is_country:
        return f"{area.where} (dane dla stolicy, {of_place(area.town)})"
    if area.town == area.name:
        return f"{area.where} ({_name_country(spot.place)})"
    country = country_of(area.country)
    abroad = f" {in_place(country.name)}" if country and country.capital else ""
    abroad = "" if area.country == HOME else abroad
    return f"{area.where} (dane dla {of_place(area.town)}{abroad})"


def say_for(spot: Spot) -> str:
    """For where: "dla Łodzi", "dla Aten (Grecja)", "dla Olsztyna (Mazury)"."""
    if spot.area is not None:
        return f"dla {of_place(spot.area.town)} ({spot.area.name})"
    remark = _say_region(spot)
    return f"dla {of_place(spot.place.name)}" + (f" ({remark})" if remark else "")


def say_rivals(spot: Spot, *, is_short: bool = False) -> str:
    """That other places have the name, where, and how to ask for one; empty without them.

    ``is_short`` leaves out where they are.
    """
    if not spot.rivals:
        return ""
    shown = spot.rivals[:MOST_RIVALS]
    detail = "kraj" if shown[0].country not in {spot.place.country, HOME} else "region"
    detail = "województwo" if shown[0].country == HOME else detail
    how = f"dopisz {detail}, np. „{_example(shown[0], spot.place)}”."
    if is_short:
        return f"Jest więcej miejscowości o tej nazwie; {how}"
    elsewhere = _say_elsewhere(spot, shown)
    if len(spot.rivals) == 1:
        return f"Miejscowość o tej nazwie jest też {elsewhere}; aby zapytać o nią, {how}"
    among = "m.in. " if len(spot.rivals) > len(shown) else ""
    return f"Miejscowości o tej nazwie są też {among}{elsewhere}; aby zapytać o inną, {how}"


def _say_region(spot: Spot) -> str:
    """What tells the place from others of its name: voivodeship, region, country."""
    place = spot.place
    is_doubtful = bool(spot.rivals or spot.said)
    parts = []
    if is_doubtful and place.country == HOME:
        voivodeship = find_voivodeship(place.region)
        parts.append(f"województwo {voivodeship}" if voivodeship else place.region)
    elif is_doubtful and any(rival.country == place.country for rival in spot.rivals):
        parts.append(place.region)
    if place.country != HOME:
        parts.append(_name_country(place))
    return ", ".join(filter(None, parts))


def _say_elsewhere(spot: Spot, rivals: tuple[Place, ...]) -> str:
    at_home = tuple(
        voivodeship
        for place in rivals
        if place.country == HOME and (voivodeship := find_voivodeship(place.region))
    )
    same_land = [
        place.region
        for place in rivals
        if place.country == spot.place.country != HOME and place.region
    ]
    lands = dict.fromkeys(
        place.country for place in rivals if place.country not in {HOME, spot.place.country}
    )
    said = [in_voivodeships(at_home)] if at_home else []
    said += [f"w regionie {region}" for region in same_land]
    said += [_in_country(code) for code in lands]
    return " i ".join(filter(None, [", ".join(said[:-1]), said[-1]])) if said else "w pobliżu"


def _example(rival: Place, place: Place) -> str:
    """Words that mean the rival: "Dąbrowa, małopolskie", "Cambridge w Kanadzie"."""
    if rival.country not in {HOME, place.country}:
        return f"{place.name} {_in_country(rival.country)}"
    return f"{place.name}, {find_voivodeship(rival.region) or rival.region}"


def _in_country(code: str) -> str:
    country = country_of(code)
    return in_place(country.name) if country else f"w kraju {code}"


def _name_country(place: Place) -> str:
    country = country_of(place.country)
    return country.name if country else place.country
