"""Which place is meant: spellings, namesakes, regions, districts, countries, and none at all."""

import pytest
from scripted.tables import every_row

from chatbot.errors import ToolError
from chatbot.language.places import gazetteer
from chatbot.tools.weather.areas import find_area, read_areas
from chatbot.tools.weather.report import Place
from chatbot.tools.weather.spots import FindPlaces, Spot, UnknownPlace, find_spot
from chatbot.tools.weather.wishes import read_wish


def place(name: str, region: str = "", country: str = "PL", size: int = 0) -> Place:
    return Place(
        name=name, country=country, region=region, latitude=0, longitude=0, population=size
    )


LUBLIN = place("Lublin", "Województwo lubelskie", size=330_000)
LODZ = place("Lodz", "Łódź Voivodeship")
OPOLE, LESSER, LODZKIE = (
    place("Dąbrowa", region)
    for region in ("Opole Voivodeship", "Lesser Poland Voivodeship", "Łódź Voivodeship")
)
PARIS = place("Paryż", "Île-de-France", "FR", 2_138_551)
TEXAS = place("Paryż", "Teksas", "US", 24_782)
VILLAGE = place("Paryż", "Województwo kujawsko-pomorskie")


def know(*places: Place) -> FindPlaces:
    """A geocoder that knows these places, by names without diacritics, as OpenWeather does."""

    def find(name: str, country: str) -> tuple[Place, ...]:
        plain = name.replace("Łódź", "Lodz")
        return tuple(one for one in places if one.name == plain and country in {"", one.country})

    return find


def stand_ins(*towns: str) -> FindPlaces:
    def find(name: str, country: str) -> tuple[Place, ...]:
        return tuple(place(town, country=country) for town in towns if town == name)

    return find


def test_a_place_keeps_the_askers_diacritics() -> None:
    assert find_spot("Łódź", know(LODZ)).place.name == "Łódź"


def test_a_base_form_is_found_where_the_inflected_one_only_begins_another_name() -> None:
    def find(name: str, _: str) -> tuple[Place, ...]:
        return (place("Łodzinka"),) if name == "Łodzi" else (LODZ,)

    assert find_spot("Łodzi", find).place.name == "Łódź"


def test_a_name_in_another_language_is_taken_as_the_service_understood_it() -> None:
    def find(_: str, __: str) -> tuple[Place, ...]:
        return (place("Gdańsk", size=460_000),)

    assert find_spot("Danzig", find).place.name == "Gdańsk"


def test_villages_of_one_name_are_rivals() -> None:
    spot = find_spot("Dąbrowa", know(OPOLE, LESSER, LODZKIE))
    assert (spot.place, spot.rivals) == (OPOLE, (LESSER, LODZKIE))


def test_a_large_city_has_no_rivals_in_small_ones() -> None:
    assert find_spot("Paryż", know(PARIS, TEXAS, VILLAGE)) == Spot(place=PARIS)


def test_a_village_at_home_comes_before_one_abroad() -> None:
    abroad = place("Osiny", "Region", "CZ")
    at_home = place("Osiny", "Województwo śląskie")
    assert find_spot("Osiny", know(abroad, at_home)).place == at_home


@every_row(
    "city",
    [
        "Dąbrowa, małopolskie",
        "Dąbrowa, woj. małopolskie",
        "Dąbrowa (województwo małopolskie)",
        "Dąbrowa w małopolskim",
        "Dąbrowa w województwie małopolskim",
        "Dąbrowa małopolskie",
    ],
)
def test_a_voivodeship_tells_which_village(city: str) -> None:
    spot = find_spot(city, know(OPOLE, LESSER, LODZKIE))
    assert (spot.place, spot.rivals) == (LESSER, ())
    assert spot.asked == "Dąbrowa, małopolskie"


@every_row(
    "city", ["Paryż, USA", "Paryż, Stany Zjednoczone", "Paryż, US", "Paryż w USA", "Paryż, Teksas"]
)
def test_a_country_or_state_tells_which_city(city: str) -> None:
    assert find_spot(city, know(PARIS, TEXAS)).place == TEXAS


def test_a_region_without_such_a_place_is_left_aside() -> None:
    assert find_spot("Lublin, Teksas", know(LUBLIN)).place == LUBLIN


@pytest.mark.parametrize(
    "name", ["Drawsko Pomorskie", "Frankfurt nad Odrą", "Kamień Pomorski", "Nowe Miasto Lubawskie"]
)
def test_a_known_name_is_not_taken_apart(name: str) -> None:
    assert not read_wish(name).is_narrowed


@every_row(
    ("city", "town", "area"),
    [
        ("Mazury", "Olsztyn", "Mazury"),
        ("Mazurach", "Olsztyn", "Mazury"),
        ("Podlasie", "Białystok", "Podlasie"),
        ("slask", "Katowice", "Śląsk"),
        ("Mokotów", "Warszawa", "Mokotów"),
        ("Mokotowie", "Warszawa", "Mokotów"),
        ("Mokotów, Warszawa", "Warszawa", "Mokotów"),
        ("Nowa Huta", "Kraków", "Nowa Huta"),
        ("Hiszpania", "Madryt", "Hiszpania"),
        ("Hiszpanii", "Madryt", "Hiszpania"),
        ("Polska", "Warszawa", "Polska"),
        ("USA", "Waszyngton", "Stany Zjednoczone"),
        ("województwo łódzkie", "Łódź", "województwo łódzkie"),
        ("woj. mazowieckie", "Warszawa", "województwo mazowieckie"),
        ("Kreta", "Heraklion", "Kreta"),
    ],
)
def test_an_area_is_told_by_its_town(city: str, town: str, area: str) -> None:
    spot = find_spot(city, stand_ins(town))
    assert (spot.place.name, spot.asked) == (town, area)


@every_row("town", ["Opole", "Lublin", "Luksemburg", "Singapur", "Kraków", "Łódź"])
def test_a_town_is_no_area(town: str) -> None:
    assert find_area(town) is None


def test_a_peak_that_the_service_knows_is_itself() -> None:
    peak = place("Śnieżka")
    assert find_spot("Śnieżka", know(peak)) == Spot(place=peak)


def test_a_peak_that_the_service_does_not_know_is_told_by_the_town_below() -> None:
    assert find_spot("Śnieżka", stand_ins("Karpacz")).place.name == "Karpacz"


@pytest.mark.parametrize("city", ["Europa", "Afryce", "Azja"])
def test_a_continent_is_too_large(city: str) -> None:
    with pytest.raises(ToolError, match="za duży obszar na jedną prognozę"):
        find_spot(city, know())


@every_row("city", ["", "  ", "tutaj", "u mnie", "moje miasto", "w okolicy"])
def test_no_place_at_all_is_asked_for(city: str) -> None:
    with pytest.raises(ToolError, match="Dla jakiej miejscowości podać pogodę"):
        find_spot(city, know())


def test_a_mistyped_place_is_asked_about() -> None:
    with pytest.raises(UnknownPlace) as failure:
        find_spot("Zakopne", know())
    assert "Czy chodzi o Zakopane?" in failure.value.message


def test_a_known_place_that_the_service_lacks_is_not_proposed_again() -> None:
    with pytest.raises(UnknownPlace) as failure:
        find_spot("Solina", know())
    assert "Czy chodzi o Solinę" not in failure.value.message


def test_every_area_and_its_town_have_forms_read_by_a_person() -> None:
    names = [name for area in read_areas() for name in (area.name, area.town)]
    assert [name for name in names if name and gazetteer().find(name) is None] == []


def test_every_area_has_one_meaning() -> None:
    names = [area.name for area in read_areas()]
    assert len(set(names)) == len(names)
