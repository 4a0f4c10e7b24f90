"""The weather tool on its scripted services."""

from collections.abc import Mapping

from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import KEY, ScriptedOpenWeather
from scripted.ticking import TickingClock

from chatbot.testing import InlineWorkers
from chatbot.tools import Registry, ToolRun
from chatbot.tools.weather import get_weather
from chatbot.types import ToolCall

Settings = Mapping[str, object]


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
