import re
from datetime import UTC, datetime

import pytest
from scripted.forecasts import ask, ask_once, open_registry, use_openmeteo, use_openweather
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import ScriptedOpenWeather
from scripted.tables import every_row
from scripted.ticking import TickingClock

from chatbot.errors import ToolArgumentError
from chatbot.tools.weather import get_weather
from chatbot.types import Entity, JsonValue

pytestmark = pytest.mark.usefixtures("tables")


async def test_the_weather_now_from_openmeteo(openmeteo: ScriptedOpenMeteo) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Łódź")
    assert done.outcome.content == (
        "W Łodzi jest teraz 1,2 stopnia (odczuwalnie −3 °C), słaby deszcz, wilgotność 93%, "
        "ciśnienie 1012 hPa, wiatr północno-zachodni 14 km/h, w porywach do 29 km/h. "
        "Dziś: słaby śnieg, łącznie 2,1 cm (prawdopodobieństwo 70%), od −4 do 2 °C, "
        "wiatr do 20 km/h. Wschód słońca o 7:41, zachód o 15:52."
    )


async def test_the_weather_now_from_openweather(openweather: ScriptedOpenWeather) -> None:
    done = await ask_once(use_openweather(openweather), "Łódź")
    assert done.outcome.content == (
        "W Łodzi jest teraz −2,3 stopnia (odczuwalnie −6,5 °C), duże zachmurzenie, "
        "wilgotność 81%, ciśnienie 1021 hPa, wiatr południowo-zachodni 14 km/h. "
        "Dziś: bezchmurnie, od −2 do 2 °C, bez opadów, wiatr do 18 km/h. "
        "Wschód słońca o 7:41, zachód o 15:52."
    )


async def test_tomorrow_from_openweather(openweather: ScriptedOpenWeather) -> None:
    done = await ask_once(use_openweather(openweather), "Kudowa-Zdrój", "jutro")
    assert done.outcome.content == (
        "Jutro w Kudowie-Zdroju: słaby śnieg, łącznie 2,4 mm (prawdopodobieństwo 80%), "
        "od −3 do 3 °C, wiatr wschodni do 18 km/h."
    )


async def test_what_falls_before_midnight_is_of_the_day_that_ends(
    openweather: ScriptedOpenWeather,
) -> None:
    """It snows all tomorrow; the last three hours of it are told by the step of 1:00."""
    async with open_registry(use_openweather(openweather)) as registry:
        tomorrow = await ask(registry, "Łódź", "jutro")
        day_after = await ask(registry, "Łódź", "pojutrze")
    assert "łącznie 2,4 mm" in tomorrow.outcome.content
    assert "bez opadów" in day_after.outcome.content


@pytest.mark.parametrize(("degrees", "said"), [(-8.0, "od −8 do 2 °C"), (9.0, "od 0 do 9 °C")])
async def test_todays_range_holds_what_it_is_now(
    openweather: ScriptedOpenWeather, degrees: float, said: str
) -> None:
    openweather.main = {"temp": degrees}
    done = await ask_once(use_openweather(openweather), "Łódź")
    assert said in done.outcome.content


async def test_several_days_are_a_list(openmeteo: ScriptedOpenMeteo) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Łódź", "na weekend")
    lines = done.outcome.content.splitlines()
    assert lines[0] == "W Łodzi w weekend, 17–18 stycznia:"
    assert lines[3].startswith("- w niedzielę, 18 stycznia: pochmurno, od −1 do 5 °C")


async def test_today_is_the_places_own(openmeteo: ScriptedOpenMeteo) -> None:
    """At noon in Greenwich it is already the next day in Auckland."""
    done = await ask_once(use_openmeteo(openmeteo), "Auckland", "2026-01-16")
    assert done.outcome.content.startswith("W Aucklandzie (Nowa Zelandia) jest teraz 1,2 stopnia")
    assert "Dziś: słaby śnieg" in done.outcome.content
    assert done.outcome.content.endswith("zachód o 15:52 czasu miejscowego.")


async def test_the_state_names_place_and_day(openmeteo: ScriptedOpenMeteo) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Łódź", "jutro")
    assert done.outcome.state == (
        Entity(kind="place", value="Łódź"),
        Entity(kind="day", value="tomorrow"),
    )


async def test_an_inflected_name_is_found_too(openweather: ScriptedOpenWeather) -> None:
    done = await ask_once(use_openweather(openweather), "Łodzi")
    assert done.outcome.state[0] == Entity(kind="place", value="Łódź")


async def test_sources_are_named_with_licence(
    openmeteo: ScriptedOpenMeteo, openweather: ScriptedOpenWeather
) -> None:
    free = await ask_once(use_openmeteo(openmeteo), "Łódź")
    keyed = await ask_once(use_openweather(openweather), "Łódź")
    sources = [done.result.attribution[0] for done in (free, keyed) if done.result]
    assert [(s.source, s.licence, s.url) for s in sources] == [
        ("Open-Meteo", "CC BY 4.0", "https://open-meteo.com/"),
        ("OpenWeather", "CC BY-SA 4.0", "https://openweathermap.org/"),
    ]


async def test_an_unknown_place_asks_for_another_spelling(openmeteo: ScriptedOpenMeteo) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Xyzzy")
    assert done.outcome.error == (
        "Nie znam miejscowości „Xyzzy”. O jaką miejscowość chodzi? "
        "Sprawdź pisownię albo podaj większe miasto w pobliżu."
    )


@pytest.mark.parametrize("code", ["404", 404])
async def test_a_not_found_code_in_the_body_is_an_unknown_place(
    openweather: ScriptedOpenWeather, code: int | str
) -> None:
    openweather.said_code = code
    done = await ask_once(use_openweather(openweather), "Łódź")
    assert "Nie znam miejscowości „Łódź”" in (done.outcome.error or "")


async def test_a_day_beyond_the_forecast_says_how_far_it_reaches(
    openweather: ScriptedOpenWeather,
) -> None:
    done = await ask_once(use_openweather(openweather), "Łódź", "2026-03-01")
    assert done.outcome.content == (
        "Prognoza dla Łodzi sięga tylko do 20 stycznia, a na niedzielę, 1 marca, jeszcze jej "
        "nie ma. Ostatnia jest na wtorek, 20 stycznia: bezchmurnie, od 1 do 5 °C, bez opadów, "
        "wiatr wschodni do 18 km/h."
    )


async def test_the_past_is_refused(openmeteo: ScriptedOpenMeteo) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Łódź", "2025-12-24")
    assert "Nie podaję pogody z przeszłości (24 grudnia 2025)" in (done.outcome.error or "")


@every_row(
    ("said", "canonical"),
    [
        ("jutro", "tomorrow"),
        ("w sobotę", "saturday"),
        ("weekend", "weekend"),
        ("dzis", "today"),
        ("15 lipca", "--07-15"),
        ("za  trzy dni", "za trzy dni"),
        ("", "today"),
    ],
)
def test_polish_days_become_canonical(said: str, canonical: str) -> None:
    assert get_weather.validate({"city": "Łódź", "day": said})["day"] == canonical


@pytest.mark.parametrize(
    ("day", "shown"),
    [
        ("wczoraj", "wczoraj"),
        (["\ud800\n"], "['\\ud800\\n']"),
        ("jutro " * 20, "jutro jutro jutro"),
    ],
)
def test_a_day_that_is_none_is_explained(day: JsonValue, shown: str) -> None:
    with pytest.raises(ToolArgumentError, match=re.escape(f"Nie rozumiem dnia „{shown}")):
        get_weather.validate({"city": "Łódź", "day": day})


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("za trzy dni", "W niedzielę, 18 stycznia, w Łodzi: pochmurno"),
        ("20 stycznia", "We wtorek, 20 stycznia, w Łodzi: pochmurno"),
        ("--01-17", "W sobotę, 17 stycznia, w Łodzi: słaby śnieg"),
    ],
)
async def test_days_that_need_a_calendar_are_read_in_the_places_own(
    openmeteo: ScriptedOpenMeteo, day: str, said: str
) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Łódź", day)
    assert done.outcome.content.startswith(said)


def test_a_missing_city_is_asked_for() -> None:
    assert get_weather.ask("city") == "Dla jakiej miejscowości podać pogodę?"


@pytest.mark.parametrize(
    ("day", "said"),
    [("tomorrow", "jutro"), ("2026-01-20", "20 stycznia 2026"), ("--08-15", "15 sierpnia")],
)
def test_a_summary_says_place_and_day(day: str, said: str) -> None:
    assert get_weather.summarise({"city": "Łódź", "day": day}) == f"Pogoda · Łódź · {said}"


async def test_summer_time_is_kept_at_home() -> None:
    """The service tells the winter's offset; on 29 March the clocks go forward."""
    clock = TickingClock()
    clock.advance((datetime(2026, 3, 28, 12, tzinfo=UTC) - clock.now()).total_seconds())
    with ScriptedOpenWeather(now=clock.now) as service:
        async with open_registry(use_openweather(service), clock) as registry:
            done = await ask(registry, "Łódź", "next_days")
    assert "\n- jutro:" in done.outcome.content
    assert "\n- w poniedziałek, 30 marca:" in done.outcome.content


@pytest.mark.parametrize(
    ("city", "day", "said"),
    [
        ("Auckland", "today", "W Aucklandzie (Nowa Zelandia)"),
        ("Auckland", "2026-01-16", "W Aucklandzie (Nowa Zelandia)"),
        ("Auckland", "2026-01-17", "Jutro w Aucklandzie"),
        ("Nowy Jork", "2026-01-15", "W Nowym Jorku (Stany Zjednoczone)"),
        ("Tokio", "w piątek", "Jutro w Tokio"),
    ],
)
async def test_days_are_those_of_the_place(
    openmeteo: ScriptedOpenMeteo, city: str, day: str, said: str
) -> None:
    """The clock stands at noon in Greenwich on Thursday, 15 January 2026."""
    done = await ask_once(use_openmeteo(openmeteo), city, day)
    assert done.outcome.content.startswith(said)


async def test_only_variables_are_asked_for_that_the_service_has(
    openmeteo: ScriptedOpenMeteo,
) -> None:
    """The scripted service refuses all others, as the real one does."""
    done = await ask_once(use_openmeteo(openmeteo), "Łódź")
    assert done.outcome.status == "ok"
    assert {asked.path for asked in openmeteo.requests} == {"/v1/search", "/v1/forecast"}
