"""The weather where its services fail, are slow, or refuse; and what is kept of them."""

import logging

import anyio
import pytest
from scripted.forecasts import ask, ask_once, open_registry, use_openmeteo, use_openweather
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import KEY, ScriptedOpenWeather
from scripted.patience import PATIENCE_S
from scripted.ticking import TickingClock

from chatbot.testing import ManualClock
from chatbot.tools.weather.alarm import EVERY_S, Alarm

LATE = ("nie odpowiada", "brak odpowiedzi w ciągu")

pytestmark = pytest.mark.usefixtures("tables")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
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
async def test_a_failing_service_is_named_in_polish(
    openweather: ScriptedOpenWeather, fault: str, words: str
) -> None:
    openweather.fault = fault
    done = await ask_once(use_openweather(openweather, deadline_s=PATIENCE_S), "Łódź")
    assert done.outcome.status == "failed"
    assert words in (done.outcome.error or "")
    assert "°C" not in (done.outcome.error or "")
    assert KEY not in (done.outcome.error or "")


@pytest.mark.parametrize("fault", ["silent", "drip", "drip_headers"])
async def test_a_silent_service_is_given_up_at_the_deadline(
    openweather: ScriptedOpenWeather, fault: str
) -> None:
    openweather.fault = fault
    done = await ask_once(use_openweather(openweather, deadline_s=0.6), "Łódź")
    assert done.outcome.status == "failed"
    assert any(words in (done.outcome.error or "") for words in LATE)
    assert 500 <= done.outcome.ms < 1000 * PATIENCE_S


async def test_a_silent_openmeteo_is_given_up_at_the_deadline(
    openmeteo: ScriptedOpenMeteo,
) -> None:
    openmeteo.fault = "silent"
    done = await ask_once(use_openmeteo(openmeteo, deadline_s=0.6), "Łódź")
    assert any(words in (done.outcome.error or "") for words in LATE)


@pytest.mark.parametrize("fault", ["nan", "503", "html"])
async def test_openmeteo_fails_as_politely(openmeteo: ScriptedOpenMeteo, fault: str) -> None:
    openmeteo.fault = fault
    done = await ask_once(use_openmeteo(openmeteo, deadline_s=PATIENCE_S), "Łódź")
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
    assert done.outcome.content.startswith("W Łodzi 25 minut temu było 1,2 stopnia")
    assert done.outcome.content.endswith(
        "Nowszych danych nie ma, bo serwis Open-Meteo jest teraz niedostępny."
    )


async def test_a_report_is_renewed_when_it_is_old(openmeteo: ScriptedOpenMeteo) -> None:
    clock = TickingClock()
    async with open_registry(use_openmeteo(openmeteo), clock) as registry:
        await ask(registry, "Łódź")
        clock.advance(25 * 60)
        done = await ask(registry, "Łódź")
    assert len(openmeteo.requests) == 4
    assert "W Łodzi jest teraz" in done.outcome.content


@pytest.mark.parametrize("limit", ["minute", "hour", "day"])
async def test_each_limit_of_openmeteo_is_told(openmeteo: ScriptedOpenMeteo, limit: str) -> None:
    openmeteo.fault, openmeteo.exceeded = "429", limit
    done = await ask_once(use_openmeteo(openmeteo), "Łódź")
    assert "zbyt wiele zapytań" in (done.outcome.error or "")


@pytest.mark.parametrize("status", ["400", "403", "502", "503", "504"])
async def test_every_documented_refusal_of_openweather_is_an_error_in_polish(
    openweather: ScriptedOpenWeather, status: str
) -> None:
    openweather.fault = status
    done = await ask_once(use_openweather(openweather), "Łódź")
    assert "Serwis pogodowy OpenWeather" in (done.outcome.error or "")


async def test_calls_at_the_same_time_alarm_once(
    openweather: ScriptedOpenWeather, caplog: pytest.LogCaptureFixture
) -> None:
    cities = ["Łódź", "Kraków", "Hel", "Tychy", "Kielce", "Olsztyn"]
    with caplog.at_level(logging.ERROR):
        async with (
            open_registry(use_openweather(openweather, api_key="zły")) as registry,
            anyio.create_task_group() as group,
        ):
            for city in cities:
                group.start_soon(ask, registry, city)
    assert [record.message for record in caplog.records] == ["weather_key_refused"]


def test_a_key_that_stays_refused_alarms_every_hour(caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock()
    alarm = Alarm(clock)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            alarm.raise_once("OpenWeather")
            clock.advance(EVERY_S / 2)
    assert len(caplog.records) == 2
