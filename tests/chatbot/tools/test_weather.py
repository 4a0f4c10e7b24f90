import logging
import re
from collections.abc import Iterator, Mapping

import pytest
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import KEY, ScriptedOpenWeather
from scripted.ticking import TickingClock

from chatbot.errors import ToolArgumentError
from chatbot.testing import InlineWorkers
from chatbot.tools import Registry, ToolRun
from chatbot.tools.weather import get_weather
from chatbot.types import Entity, JsonValue, ToolCall

Settings = Mapping[str, object]


@pytest.fixture
def openmeteo() -> Iterator[ScriptedOpenMeteo]:
    with ScriptedOpenMeteo() as service:
        yield service


@pytest.fixture
def openweather() -> Iterator[ScriptedOpenWeather]:
    with ScriptedOpenWeather() as service:
        yield service


def use_openmeteo(service: ScriptedOpenMeteo, **more: object) -> Settings:
    return {"openmeteo_url": service.url, "geocoding_url": service.url, **more}


def use_openweather(service: ScriptedOpenWeather, **more: object) -> Settings:
    return {"openweather_url": service.url, "api_key": KEY, **more}


def open_registry(settings: Settings, clock: TickingClock | None = None) -> Registry:
    return Registry(
        tools=[get_weather],
        settings={"weather": settings},
        workers=InlineWorkers(),
        clock=clock or TickingClock(),
    )


async def ask(registry: Registry, city: str, day: str | None = None) -> ToolRun:
    arguments = {"city": city} if day is None else {"city": city, "day": day}
    call = ToolCall(call_id="c", name="get_weather", arguments=arguments, raw_arguments=arguments)
    return await registry.run(call)


async def ask_once(settings: Settings, city: str, day: str | None = None) -> ToolRun:
    async with open_registry(settings) as registry:
        return await ask(registry, city, day)


async def test_the_weather_now_from_openmeteo(openmeteo: ScriptedOpenMeteo) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Łódź")
    assert done.outcome.content == (
        "W Łodzi jest teraz 1,2 °C (odczuwalnie −3 °C), słaby deszcz, wilgotność 93%, "
        "wiatr północno-zachodni 14 km/h. Dziś: słaby śnieg, od −4 do 2 °C, "
        "opady 1,5 mm, szansa opadów 70%, wiatr do 20 km/h."
    )


async def test_the_weather_now_from_openweather(openweather: ScriptedOpenWeather) -> None:
    done = await ask_once(use_openweather(openweather), "Łódź")
    assert done.outcome.content == (
        "W Łodzi jest teraz −2,3 °C (odczuwalnie −6,5 °C), zachmurzenie umiarkowane, "
        "wilgotność 81%, wiatr południowo-zachodni 14 km/h. Dziś: bezchmurnie, od 0 do 2 °C, "
        "szansa opadów 0%, wiatr do 18 km/h."
    )


async def test_tomorrow_from_openweather(openweather: ScriptedOpenWeather) -> None:
    done = await ask_once(use_openweather(openweather), "Kudowa-Zdrój", "jutro")
    assert done.outcome.content == (
        "Jutro w Kudowie-Zdroju: słabe opady śniegu, od −3 do 3 °C, opady 2,4 mm, "
        "szansa opadów 80%, wiatr do 18 km/h."
    )


async def test_several_days_are_a_list(openmeteo: ScriptedOpenMeteo) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Łódź", "na weekend")
    lines = done.outcome.content.splitlines()
    assert lines[0] == "W Łodzi w weekend, 17–18 stycznia:"
    assert lines[3].startswith("- w niedzielę, 18 stycznia: pochmurno, od −1 do 5 °C")


async def test_today_is_the_places_own(openmeteo: ScriptedOpenMeteo) -> None:
    """At noon in Greenwich it is already the next day in Auckland."""
    done = await ask_once(use_openmeteo(openmeteo), "Auckland", "2026-01-16")
    assert done.outcome.content.startswith("Dziś w Aucklandzie (NZ): słaby śnieg")


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
        "Nie znam miejscowości „Xyzzy”. Sprawdź pisownię albo podaj większe miasto w pobliżu."
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
    assert done.outcome.error == (
        "Prognoza dla tego miejsca sięga tylko do 20 stycznia 2026, a pytasz o pogodę "
        "w niedzielę, 1 marca. Zapytaj o wcześniejszy dzień."
    )


async def test_the_past_is_refused(openmeteo: ScriptedOpenMeteo) -> None:
    done = await ask_once(use_openmeteo(openmeteo), "Łódź", "2025-12-24")
    assert "Nie podaję pogody z przeszłości (24 grudnia 2025)" in (done.outcome.error or "")


@pytest.mark.parametrize(
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
        ("--01-17", "Pojutrze w Łodzi: słaby śnieg"),
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


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("silent", "nie odpowiada"),
        ("drip", "nie odpowiada"),
        ("drip_headers", "nie odpowiada"),
        ("401", "odrzucił klucz"),
        ("404", "Nie znam miejscowości"),
        ("429", "zbyt wiele zapytań"),
        ("500", "awarię (błąd 500)"),
        ("html", "niezrozumiale"),
        ("truncated", "niezrozumiale"),
        ("nan", "niezrozumiale"),
        ("huge", "Nie udało się połączyć"),
        ("gzip_bomb", "Nie udało się połączyć"),
        ("elsewhere", "Nie udało się połączyć"),
        ("cut", "Nie udało się połączyć"),
        ("close", "Nie udało się połączyć"),
    ],
)
async def test_a_failing_service_is_named_in_polish_within_the_deadline(
    openweather: ScriptedOpenWeather, fault: str, words: str
) -> None:
    openweather.fault = fault
    done = await ask_once(use_openweather(openweather, deadline_s=0.4), "Łódź")
    assert done.outcome.status == "failed"
    assert words in (done.outcome.error or "")
    assert "°C" not in (done.outcome.error or "")
    assert KEY not in (done.outcome.error or "")
    assert done.outcome.ms < 1400


@pytest.mark.parametrize("fault", ["silent", "nan", "503", "html"])
async def test_openmeteo_fails_as_politely(openmeteo: ScriptedOpenMeteo, fault: str) -> None:
    openmeteo.fault = fault
    done = await ask_once(use_openmeteo(openmeteo, deadline_s=0.4), "Łódź")
    assert "Serwis pogodowy Open-Meteo" in (done.outcome.error or "")


async def test_nobody_listening_is_said() -> None:
    settings = {"openmeteo_url": "http://127.0.0.1:1", "geocoding_url": "http://127.0.0.1:1"}
    done = await ask_once(settings, "Łódź")
    assert done.outcome.error == (
        "Nie udało się połączyć z serwisem pogodowym Open-Meteo. Spróbuj ponownie później."
    )


async def test_openweather_without_a_key_says_how_to_get_on() -> None:
    done = await ask_once({"provider": "openweather"}, "Łódź")
    assert "tools.weather.api_key" in (done.outcome.error or "")


async def test_a_refused_key_is_logged_once(
    openweather: ScriptedOpenWeather, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        async with open_registry(use_openweather(openweather, api_key="zły")) as registry:
            await ask(registry, "Łódź")
            await ask(registry, "Łódź")
    assert [record.message for record in caplog.records] == ["weather_key_refused"]
    assert "zły" not in caplog.text


async def test_a_fresh_report_is_used_again(openmeteo: ScriptedOpenMeteo) -> None:
    async with open_registry(use_openmeteo(openmeteo)) as registry:
        await ask(registry, "Łódź")
        await ask(registry, "lodz", "jutro")
    assert len(openmeteo.requests) == 2


async def test_an_old_report_is_shown_with_its_age_when_the_service_fails(
    openmeteo: ScriptedOpenMeteo,
) -> None:
    clock = TickingClock()
    async with open_registry(use_openmeteo(openmeteo), clock) as registry:
        await ask(registry, "Łódź")
        clock.advance(25 * 60)
        openmeteo.fault = "503"
        done = await ask(registry, "Łódź")
    assert done.outcome.content.endswith(
        "Dane sprzed 25 minut, bo serwis Open-Meteo teraz nie odpowiada."
    )


async def test_a_report_is_renewed_when_it_is_old(openmeteo: ScriptedOpenMeteo) -> None:
    clock = TickingClock()
    async with open_registry(use_openmeteo(openmeteo), clock) as registry:
        await ask(registry, "Łódź")
        clock.advance(25 * 60)
        done = await ask(registry, "Łódź")
    assert len(openmeteo.requests) == 4
    assert "Dane sprzed" not in done.outcome.content
