"""What people read of a weather report: inflection, numbers, winds, days."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

import pytest

from chatbot.tools.weather.report import Day, Moment, Place, Report
from chatbot.tools.weather.sentences import tell
from chatbot.types import Attribution

TODAY = date(2026, 11, 21)


def report(name: str = "Łódź", country: str = "PL", **now: float | str | None) -> Report:
    facts: Mapping[str, object] = {
        "temperature": 2.0,
        "feels_like": None,
        "humidity": None,
        "wind": None,
        "wind_from": None,
        "sky": "",
        **now,
    }
    return Report(
        place=Place(name=name, country=country, latitude=0, longitude=0),
        zone=UTC,
        now=Moment(**facts),  # type: ignore[arg-type]  # each of its own type
        days=(),
        source=Attribution(source="Open-Meteo"),
        retrieved_at=datetime(2026, 11, 21, tzinfo=UTC),
    )


def day(ahead: int = 1, **facts: float | str | None) -> Day:
    given: Mapping[str, object] = {
        "low": 1.0,
        "high": 5.0,
        "rain": None,
        "chance": None,
        "wind": None,
        "sky": "",
        **facts,
    }
    return Day(date=TODAY + timedelta(days=ahead), **given)  # type: ignore[arg-type]  # as above


def now(**facts: float | str | None) -> str:
    told = tell(report(**facts), [], "today", today=TODAY)  # type: ignore[arg-type]  # as above
    return told.removeprefix("W Łodzi jest teraz ").removesuffix(".")


def tomorrow(**facts: float | str | None) -> str:
    told = tell(report(), [day(1, **facts)], "tomorrow", today=TODAY)
    return told.removeprefix("Jutro w Łodzi: ").removesuffix(".")


@pytest.mark.parametrize(
    ("degrees", "said"),
    [
        (0, "0 °C"),
        (-0.04, "0 °C"),
        (1, "1 °C"),
        (2.04, "2 °C"),
        (5.25, "5,2 °C"),
        (22, "22 °C"),
        (-1, "−1 °C"),
        (-12.55, "−12,6 °C"),
    ],
)
def test_temperatures_have_a_decimal_only_where_there_is_one(degrees: float, said: str) -> None:
    assert now(temperature=degrees) == said


def test_what_it_feels_like_is_said_where_it_differs() -> None:
    assert now(temperature=2, feels_like=-3) == "2 °C (odczuwalnie −3 °C)"
    assert now(temperature=2, feels_like=2.4) == "2 °C"


@pytest.mark.parametrize(
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
    assert now(wind=14.3, wind_from=degrees) == f"2 °C, {said}"


def test_a_calm_is_called_so() -> None:
    assert now(wind=0.4, wind_from=90) == "2 °C, bezwietrznie"
    assert tomorrow(wind=0) == "od 1 do 5 °C, bezwietrznie"


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"low": -3.6, "high": 2.4}, "od −4 do 2 °C"),
        ({"low": -0.4, "high": 0.4}, "0 °C"),
        ({"rain": 12.0}, "od 1 do 5 °C, opady 12 mm"),
        ({"rain": 1.54, "chance": 70}, "od 1 do 5 °C, opady 1,5 mm, szansa opadów 70%"),
        ({"rain": 0.04}, "od 1 do 5 °C"),
        ({"sky": "słaby śnieg", "wind": 20}, "słaby śnieg, od 1 do 5 °C, wiatr do 20 km/h"),
    ],
)
def test_a_day_is_said_in_few_words(facts: dict[str, float | str], said: str) -> None:
    assert tomorrow(**facts) == said


@pytest.mark.parametrize(
    ("name", "country", "where"),
    [
        ("Warszawa", "PL", "W Warszawie"),
        ("Wrocław", "PL", "We Wrocławiu"),
        ("Katowice", "PL", "W Katowicach"),
        ("Zakopane", "PL", "W Zakopanem"),
        ("Kudowa-Zdrój", "PL", "W Kudowie-Zdroju"),
        ("Bielsko-Biała", "PL", "W Bielsku-Białej"),
        ("Hel", "PL", "Na Helu"),
        ("Mazury", "PL", "Na Mazurach"),
        ("Morskie Oko", "PL", "Nad Morskim Okiem"),
        ("Ateny", "GR", "W Atenach (GR)"),
        ("Lwów", "UA", "We Lwowie (UA)"),
    ],
)
def test_places_stand_in_the_locative(name: str, country: str, where: str) -> None:
    told = tell(report(name, country), [], "today", today=TODAY)
    assert told == f"{where} jest teraz 2 °C."


def test_a_date_is_set_off_by_commas() -> None:
    told = tell(report("Hel"), [day(7)], "saturday", today=TODAY)
    assert told == "W sobotę, 28 listopada, na Helu: od 1 do 5 °C."


def test_several_days_are_a_list_under_the_place() -> None:
    told = tell(report(), [day(0), day(1), day(3)], "next_days", today=TODAY)
    assert told == (
        "W Łodzi w najbliższych dniach:\n\n"
        "- dziś: od 1 do 5 °C\n"
        "- jutro: od 1 do 5 °C\n"
        "- we wtorek, 24 listopada: od 1 do 5 °C"
    )


@pytest.mark.parametrize(
    ("seconds", "age"),
    [(60, "1 minuty"), (22 * 60, "22 minut"), (3600, "1 godziny"), (7300, "2 godzin")],
)
def test_the_age_of_an_old_report_is_a_paragraph_of_its_own(seconds: int, age: str) -> None:
    told = tell(report(), [day(0)], "today", today=TODAY, age_s=seconds)
    assert told == (
        "W Łodzi jest teraz 2 °C. Dziś: od 1 do 5 °C.\n\n"
        f"Dane sprzed {age}, bo serwis Open-Meteo teraz nie odpowiada."
    )
