"""What people read of a weather report: inflection, numbers, winds, days, places."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from scripted.tables import every_row

from chatbot.language import resolve_day
from chatbot.tools.weather.areas import find_area
from chatbot.tools.weather.report import Day, Moment, Place, Report
from chatbot.tools.weather.sentences import LONGEST, Asked, tell
from chatbot.tools.weather.spots import Spot
from chatbot.types import Attribution

TODAY = date(2026, 11, 21)
WARSAW = ZoneInfo("Europe/Warsaw")


def place(name: str = "Łódź", country: str = "PL", region: str = "") -> Place:
    return Place(name=name, country=country, latitude=0, longitude=0, region=region)


def day(ahead: int = 1, **facts: Any) -> Day:  # noqa: ANN401 - each field of its own type
    return Day(date=TODAY + timedelta(days=ahead), **{"low": 1.0, "high": 5.0, **facts})


def report(*days: Day, zone: ZoneInfo = WARSAW, **now: Any) -> Report:  # noqa: ANN401 - as above
    return Report(
        zone=zone,
        now=Moment(**{"temperature": 2.0, **now}),
        days=days,
        source=Attribution(source="Open-Meteo"),
        retrieved_at=datetime(2026, 11, 21, 12, tzinfo=UTC),
    )


def say(told: Report, wish: str = "today", *, spot: Spot | None = None, age_s: float = 0) -> str:
    dates = resolve_day(wish, TODAY)
    days = tuple(one for one in told.days if one.date in dates)
    if not days and dates[0] > TODAY:
        days = told.days[-1:]
    asked = Asked(day=wish, dates=dates, days=days, today=TODAY, zone=WARSAW, age_s=age_s)
    return tell(spot or Spot(place=place()), told, asked)


def now(**facts: Any) -> str:  # noqa: ANN401 - as above
    return say(report(**facts)).removeprefix("W Łodzi ").removesuffix(".")


def tomorrow(**facts: Any) -> str:  # noqa: ANN401 - as above
    told = say(report(day(1, **facts)), "tomorrow")
    return told.removeprefix("Jutro w Łodzi: ").removesuffix(".")


def where(spot: Spot) -> str:
    return say(report(), spot=spot).removesuffix(" są teraz 2 stopnie.")


@every_row(
    ("degrees", "said"),
    [
        (0, "jest teraz 0 stopni"),
        (-0.04, "jest teraz 0 stopni"),
        (1, "jest teraz 1 stopień"),
        (2.04, "są teraz 2 stopnie"),
        (4, "są teraz 4 stopnie"),
        (5, "jest teraz 5 stopni"),
        (12, "jest teraz 12 stopni"),
        (22, "są teraz 22 stopnie"),
        (25, "jest teraz 25 stopni"),
        (-1, "jest teraz −1 stopień"),
        (-3, "są teraz −3 stopnie"),
        (-12, "jest teraz −12 stopni"),
        (1.5, "jest teraz 1,5 stopnia"),
        (-12.55, "jest teraz −12,6 stopnia"),
    ],
)
def test_verb_and_noun_agree_with_the_degrees(degrees: float, said: str) -> None:
    assert now(temperature=degrees) == said


@pytest.mark.parametrize(
    ("degrees", "said"),
    [(1, "był 1 stopień"), (2, "były 2 stopnie"), (7, "było 7 stopni"), (0.5, "było 0,5 stopnia")],
)
def test_an_old_temperature_is_told_in_the_past(degrees: float, said: str) -> None:
    told = say(report(temperature=degrees), age_s=25 * 60)
    assert told.startswith(f"W Łodzi 25 minut temu {said}.")


def test_what_it_feels_like_is_said_where_it_differs() -> None:
    assert now(feels_like=-3) == "są teraz 2 stopnie (odczuwalnie −3 °C)"
    assert now(feels_like=2.4) == "są teraz 2 stopnie"


@every_row(
    ("degrees", "said"),
    [
        (0, "wiatr północny 14 km/h"),
        (22, "wiatr północny 14 km/h"),
        (45, "wiatr północno-wschodni 14 km/h"),
        (90, "wiatr wschodni 14 km/h"),
        (135, "wiatr południowo-wschodni 14 km/h"),
        (180, "wiatr południowy 14 km/h"),
        (225, "wiatr południowo-zachodni 14 km/h"),
        (270, "wiatr zachodni 14 km/h"),
        (315, "wiatr północno-zachodni 14 km/h"),
        (350, "wiatr północny 14 km/h"),
        (None, "wiatr 14 km/h"),
    ],
)
def test_winds_are_named_by_where_they_come_from(degrees: float | None, said: str) -> None:
    assert now(wind=14.3, wind_from=degrees) == f"są teraz 2 stopnie, {said}"


def test_a_calm_is_called_so() -> None:
    assert now(wind=0.4, wind_from=90) == "są teraz 2 stopnie, bezwietrznie"
    assert tomorrow(wind=0) == "od 1 do 5 °C, bezwietrznie"


def test_gusts_are_told_where_they_stand_out() -> None:
    assert now(wind=14, gusts=45) == "są teraz 2 stopnie, wiatr 14 km/h, w porywach do 45 km/h"
    assert now(wind=14, gusts=20) == "są teraz 2 stopnie, wiatr 14 km/h"


def test_air_is_told_by_humidity_and_pressure() -> None:
    assert now(humidity=93, pressure=1012.4) == (
        "są teraz 2 stopnie, wilgotność 93%, ciśnienie 1012 hPa"
    )


@every_row(
    ("facts", "said"),
    [
        ({"low": -3.6, "high": 2.4}, "od −4 do 2 °C"),
        ({"low": -0.4, "high": 0.4}, "0 °C"),
        ({"rain": 12.0}, "od 1 do 5 °C, łącznie 12 mm deszczu"),
        (
            {"rain": 1.54, "snow": 2.0, "chance": 70},
            "od 1 do 5 °C, łącznie 1,5 mm deszczu i 2 cm śniegu (prawdopodobieństwo 70%)",
        ),
        ({"snow": 2.4, "snow_unit": "mm"}, "od 1 do 5 °C, łącznie 2,4 mm śniegu"),
        ({"rain": 0.04, "chance": 5}, "od 1 do 5 °C, prawdopodobieństwo opadów 5%"),
        ({"rain": 0.0, "chance": 0}, "od 1 do 5 °C, bez opadów"),
        ({"rain": 0.0, "sky": "słaby śnieg"}, "słaby śnieg, od 1 do 5 °C"),
        (
            {"sky": "słaby śnieg", "wind": 20, "wind_from": 280},
            "słaby śnieg, od 1 do 5 °C, wiatr zachodni do 20 km/h",
        ),
    ],
)
def test_a_day_is_said_in_few_words(facts: dict[str, float | str], said: str) -> None:
    assert tomorrow(**facts) == said


def test_the_sun_rises_by_the_places_own_clock() -> None:
    zone = ZoneInfo("Asia/Tokyo")
    rise = datetime(2026, 11, 22, 6, 5, tzinfo=zone)
    there = report(day(1, sunrise=rise, sunset=rise.replace(hour=16, minute=30)), zone=zone)
    assert say(there, "tomorrow").endswith(
        " Wschód słońca o 6:05, zachód o 16:30 czasu miejscowego."
    )


def test_a_sun_that_does_not_rise_is_not_told() -> None:
    never = datetime(1970, 1, 1, tzinfo=WARSAW)
    assert tomorrow(sunrise=never, sunset=never) == "od 1 do 5 °C"


@every_row(
    ("name", "country", "said"),
    [
        ("Warszawa", "PL", "W Warszawie"),
        ("Wrocław", "PL", "We Wrocławiu"),
        ("Katowice", "PL", "W Katowicach"),
        ("Zakopane", "PL", "W Zakopanem"),
        ("Kudowa-Zdrój", "PL", "W Kudowie-Zdroju"),
        ("Bielsko-Biała", "PL", "W Bielsku-Białej"),
        ("Hel", "PL", "Na Helu"),
        ("Ateny", "GR", "W Atenach (Grecja)"),
        ("Lwów", "UA", "We Lwowie (Ukraina)"),
        ("Nowy Jork", "US", "W Nowym Jorku (Stany Zjednoczone)"),
    ],
)
def test_places_stand_in_the_locative(name: str, country: str, said: str) -> None:
    assert where(Spot(place=place(name, country))) == said


@every_row(
    ("area", "said"),
    [
        ("Mazury", "Na Mazurach (dane dla Olsztyna)"),
        ("Śląsk", "Na Śląsku (dane dla Katowic)"),
        ("Bałtyk", "Nad Bałtykiem (dane dla Gdyni)"),
        ("Mokotów", "Na Mokotowie (dane dla Warszawy)"),
        ("województwo łódzkie", "W województwie łódzkim (dane dla Łodzi)"),
        ("Hiszpania", "W Hiszpanii (dane dla stolicy, Madrytu)"),
        ("Węgry", "Na Węgrzech (dane dla stolicy, Budapesztu)"),
        ("Polska", "W Polsce (dane dla stolicy, Warszawy)"),
        ("Kreta", "Na Krecie (dane dla Heraklionu w Grecji)"),
        ("Korfu", "Na Korfu (Grecja)"),
    ],
)
def test_an_area_is_told_by_its_town(area: str, said: str) -> None:
    known = find_area(area)
    assert known is not None
    spot = Spot(place=place(known.town, known.country), area=known)
    assert where(spot) == said


def test_rivals_are_told_with_their_regions_and_how_to_ask_for_them() -> None:
    spot = Spot(
        place=place("Dąbrowa", region="Opole Voivodeship"),
        rivals=(
            place("Dąbrowa", region="Lesser Poland Voivodeship"),
            place("Dąbrowa", region="Województwo łódzkie"),
        ),
    )
    assert say(report(), spot=spot) == (
        "W Dąbrowie (województwo opolskie) są teraz 2 stopnie.\n\n"
        "Miejscowości o tej nazwie są też w województwach małopolskim i łódzkim; "
        "aby zapytać o inną, dopisz województwo, np. „Dąbrowa, małopolskie”."
    )


def test_rivals_abroad_are_told_by_their_country() -> None:
    spot = Spot(place=place("Cambridge", "GB"), rivals=(place("Cambridge", "CA"),))
    assert say(report(), spot=spot).endswith(
        "Miejscowość o tej nazwie jest też w Kanadzie; "
        "aby zapytać o nią, dopisz kraj, np. „Cambridge w Kanadzie”."
    )


def test_rivals_in_one_country_are_told_by_their_region() -> None:
    spot = Spot(
        place=place("Springfield", "US", "Illinois"),
        rivals=(place("Springfield", "US", "Missouri"),),
    )
    told = say(report(), spot=spot)
    assert told.startswith("W miejscowości Springfield (Illinois, Stany Zjednoczone) są teraz")
    assert told.endswith("dopisz region, np. „Springfield, Missouri”.")


def test_a_date_is_set_off_by_commas() -> None:
    told = say(report(day(7)), "2026-11-28", spot=Spot(place=place("Hel")))
    assert told == "W sobotę, 28 listopada, na Helu: od 1 do 5 °C."


def test_several_days_are_a_list_under_the_place() -> None:
    told = say(report(day(0), day(1), day(3), day(9)), "next_days")
    assert told == (
        "W Łodzi w najbliższych dniach:\n\n"
        "- dziś: od 1 do 5 °C\n"
        "- jutro: od 1 do 5 °C\n"
        "- we wtorek, 24 listopada: od 1 do 5 °C"
    )


def test_a_range_tells_what_it_lacks() -> None:
    told = say(report(day(0), day(1), day(2), day(3)), "next_days")
    assert told.endswith("\n\nNa środę, 25 listopada, prognozy jeszcze nie ma.")
    shorter = say(report(day(0), day(1)), "next_days")
    assert shorter.endswith("\n\nNa dalsze dni prognozy jeszcze nie ma.")


def test_a_day_beyond_the_forecast_is_answered_with_the_last() -> None:
    assert say(report(day(0), day(1), day(2)), "2026-12-01") == (
        "Prognoza dla Łodzi sięga tylko do 23 listopada, a na wtorek, 1 grudnia, jeszcze jej nie "
        "ma. Ostatnia jest na pojutrze: od 1 do 5 °C."
    )


@pytest.mark.parametrize(
    ("seconds", "since", "ago"),
    [
        (60, "sprzed minuty", "minutę temu"),
        (22 * 60, "sprzed 22 minut", "22 minuty temu"),
        (3600, "sprzed godziny", "godzinę temu"),
        (7300, "sprzed 2 godzin", "2 godziny temu"),
    ],
)
def test_the_age_of_an_old_report_is_told(seconds: int, since: str, ago: str) -> None:
    told = report(day(0), day(1))
    assert say(told, age_s=seconds).startswith(f"W Łodzi {ago} były 2 stopnie.")
    assert say(told, "tomorrow", age_s=seconds) == (
        "Jutro w Łodzi: od 1 do 5 °C.\n\n"
        f"Prognoza {since}, bo serwis Open-Meteo jest teraz niedostępny."
    )


@every_row("name", ["Konstancin-Jeziorna", "Wysokie Mazowieckie", "Dąbrowa"])
@every_row("wish", ["today", "tomorrow"])
@every_row("age_s", [0, 1500])
def test_the_answer_about_one_day_is_short(name: str, wish: str, age_s: float) -> None:
    """Of everything that can be said at once, what matters least is left out."""
    rise = datetime(2026, 11, 21, 7, 5, tzinfo=WARSAW)
    days = [
        day(
            ahead,
            sky="silny przelotny deszcz z mżawką",
            wind=100,
            gusts=150.0,
            wind_from=225,
            rain=100.5,
            snow=100.5,
            chance=100,
            sunrise=rise + timedelta(days=ahead),
            sunset=rise + timedelta(days=ahead, hours=8),
        )
        for ahead in range(2)
    ]
    told = report(
        *days,
        sky="burza z gęstą mżawką",
        feels_like=-12.5,
        humidity=100,
        pressure=1030,
        wind=100,
        gusts=150,
        wind_from=225,
    )
    spot = Spot(
        place=place(name, region="warmińsko-mazurskie"),
        rivals=(place(name, region="podlaskie"), place(name, region="zachodniopomorskie")),
    )
    assert len(say(told, wish, spot=spot, age_s=age_s)) <= LONGEST
