"""FAULTS T1 with the true limits: weather services that fail, through the tool and the gateway."""

import logging
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import openai
import pytest
from scripted.fault_report import Figure, Publish
from scripted.gateway_process import serving
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import KEY, ScriptedOpenWeather
from scripted.product import run_command
from scripted.ticking import TickingClock
from scripted.wordsmith import Wordsmith

from chatbot.testing import InlineWorkers
from chatbot.tools import Registry, ToolRun
from chatbot.tools.weather import get_weather
from chatbot.types import ToolCall

pytestmark = pytest.mark.faults

RUNS = 5
DEADLINE_S = 8.0
FAULTS = {
    "timeout": "nie odpowiada",
    "401": "odrzucił klucz",
    "404 string": "O jaką miejscowość chodzi?",
    "404 int": "O jaką miejscowość chodzi?",
    "429": "zbyt wiele zapytań",
    "500": "ma awarię (błąd 500)",
    "HTML 200": "odpowiedział niezrozumiale",
    "truncated JSON": "odpowiedział niezrozumiale",
    "NaN": "odpowiedział niezrozumiale",
}
"""By fault, what the user is told."""
CONFIG = """\
[engines.bielik]
kind = "openai"
url = "{model}/v1"
model = "bielik"

[tools.weather]
openweather_url = "{weather}"
"""
NAMES = {"timeout": "silent", "HTML 200": "html", "truncated JSON": "truncated", "NaN": "nan"}
TEMPERATURE = re.compile(r"°|stop(?:ień|nie|ni|nia)\b|[−-]?\d+(?:,\d+)? ?C\b")


@pytest.fixture
def service() -> Iterator[ScriptedOpenWeather]:
    with ScriptedOpenWeather() as running:
        yield running


def break_it(service: ScriptedOpenWeather, fault: str) -> None:
    match fault:
        case "404 string":
            service.said_code = "404"
        case "404 int":
            service.said_code = 404
        case _:
            service.fault = NAMES.get(fault, fault)


def open_registry(service: ScriptedOpenWeather, clock: TickingClock | None = None) -> Registry:
    return Registry(
        tools=[get_weather],
        settings={"weather": {"openweather_url": service.url, "api_key": KEY}},
        workers=InlineWorkers(),
        clock=clock or TickingClock(),
    )


async def ask(registry: Registry) -> ToolRun:
    values = {"city": "Łódź", "day": "today"}
    call = ToolCall(call_id="c", name="get_weather", arguments=values, raw_arguments=values)
    return await registry.run(call)


@pytest.mark.parametrize("fault", FAULTS)
async def test_no_weather_is_told_where_there_is_none(
    service: ScriptedOpenWeather, fault: str, publish: Publish
) -> None:
    break_it(service, fault)
    runs = 1 if fault == "timeout" else RUNS
    passed, times = 0, []
    for _ in range(runs):
        async with open_registry(service) as registry:
            began = time.monotonic()
            outcome = (await ask(registry)).outcome
            times.append(time.monotonic() - began)
        told = outcome.error or ""
        is_right = outcome.status == "failed" and FAULTS[fault] in told and KEY not in told
        passed += is_right and not TEMPERATURE.search(told + outcome.content)
    publish(
        Figure(
            case="T1",
            what=f"{fault} → typed error, no temperature",
            n=runs,
            passed=passed,
            times=tuple(times),
            limit_s=DEADLINE_S,
        )
    )


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if not fault.startswith("404")])
async def test_what_is_known_is_told_with_its_age(
    service: ScriptedOpenWeather, fault: str, publish: Publish
) -> None:
    clock = TickingClock()
    async with open_registry(service, clock) as registry:
        await ask(registry)
        clock.advance(25 * 60)
        break_it(service, fault)
        began = time.monotonic()
        outcome = (await ask(registry)).outcome
        took_s = time.monotonic() - began
    is_aged = outcome.content.startswith("W Łodzi 25 minut temu było −2,3 stopnia")
    has_reason = outcome.content.endswith("bo serwis OpenWeather jest teraz niedostępny.")
    publish(
        Figure(
            case="T1",
            what=f"{fault}, report of 25 min kept → told with its age",
            n=1,
            passed=int(is_aged and has_reason),
            times=(took_s,),
            limit_s=DEADLINE_S,
        )
    )


async def test_a_refused_key_alarms_once(
    service: ScriptedOpenWeather, publish: Publish, caplog: pytest.LogCaptureFixture
) -> None:
    service.fault = "401"
    with caplog.at_level(logging.ERROR):
        async with open_registry(service) as registry:
            for _ in range(20):
                await ask(registry)
    alarms = [record for record in caplog.records if record.message == "weather_key_refused"]
    publish(
        Figure(case="T1", what="401 twenty times → one alarm", n=1, passed=int(len(alarms) == 1))
    )


def test_a_model_that_would_invent_a_temperature_shows_none(
    service: ScriptedOpenWeather, tmp_path: Path, publish: Publish
) -> None:
    """The gateway with a default model that answers everything with 22 °C."""
    faults = [fault for fault in FAULTS if fault != "timeout"]
    passed = 0
    with ExitStack() as opened:
        model = opened.enter_context(Wordsmith())
        model.lines = {"": "W Łodzi są teraz 22 stopnie, czyli 22 °C."}
        config = tmp_path / "zwrotnica.toml"
        config.write_text(CONFIG.format(model=model.url, weather=service.url), "utf-8")
        environ = {"ZWROTNICA_CONFIG": str(config), "ZWROTNICA_TOOLS__WEATHER__API_KEY": KEY}
        gateway = opened.enter_context(serving(tmp_path / "served", environ))
        client = opened.enter_context(
            openai.OpenAI(base_url=f"{gateway.url}/v1", api_key="local", max_retries=0)
        )
        for fault in faults:
            service.fault = service.said_code = None
            break_it(service, fault)
            done = client.chat.completions.create(
                model="zwrotnica", messages=[{"role": "user", "content": "Jaka pogoda w Łodzi?"}]
            )
            told = done.choices[0].message.content or ""
            passed += FAULTS[fault] in told and not TEMPERATURE.search(told)
    publish(
        Figure(
            case="T1",
            what="through the gateway, a model that says 22 °C to everything → none shown",
            n=len(faults),
            passed=passed,
        )
    )


def test_the_operator_sees_the_alarm_and_the_user_no_temperature(
    service: ScriptedOpenWeather, tmp_path: Path, publish: Publish
) -> None:
    """The whole product in a process of its own, as the operator runs it."""
    config = tmp_path / "zwrotnica.toml"
    config.write_text(f'[tools.weather]\nopenweather_url = "{service.url}"\n', "utf-8")
    done = run_command(
        "--config",
        str(config),
        "ask",
        "Jaka jest pogoda w Łodzi?",
        folder=tmp_path,
        ZWROTNICA_TOOLS__WEATHER__API_KEY="zły-klucz",
    )
    alarms = [line for line in done.stderr.splitlines() if "weather_key_refused" in line]
    is_seen = len(alarms) == 1 and "error" in alarms[0] and "tools.weather.api_key" in alarms[0]
    is_told = "odrzucił klucz" in done.stdout and not TEMPERATURE.search(done.stdout)
    is_secret = "zły-klucz" not in done.stdout + done.stderr
    publish(
        Figure(
            case="T1",
            what="401 in `ask` → alarm on stderr, words to the user, key nowhere",
            n=1,
            passed=int(is_seen and is_told and is_secret),
        )
    )


async def test_openmeteo_fails_as_politely(publish: Publish) -> None:
    passed = 0
    faults = ("429", "500", "html", "truncated", "nan")
    for fault in faults:
        with ScriptedOpenMeteo() as free:
            free.fault = fault
            settings = {"openmeteo_url": free.url, "geocoding_url": free.url}
            async with Registry(
                tools=[get_weather],
                settings={"weather": settings},
                workers=InlineWorkers(),
                clock=TickingClock(),
            ) as registry:
                told = (await ask(registry)).outcome.error or ""
        passed += "Open-Meteo" in told and not TEMPERATURE.search(told)
    publish(
        Figure(case="T1", what="Open-Meteo: the same without a key", n=len(faults), passed=passed)
    )
