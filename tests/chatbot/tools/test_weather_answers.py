"""Forty answers of the weather tool as people read them, compared with those that were read.

`python tests/chatbot/tools/test_weather_answers.py` (with tests/ on the path) writes the file
anew; read it as a Pole would before committing it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import KEY, ScriptedOpenWeather
from scripted.ticking import TickingClock

from chatbot.testing import InlineWorkers
from chatbot.tools import Registry
from chatbot.tools.weather import get_weather
from chatbot.types import ToolCall

ANSWERS = Path(__file__).parent / "weather_answers.md"
HEADING = "## "


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """A question to one service, the weather there, and for how long the service was away."""

    city: str
    day: str = "today"
    is_keyed: bool = False
    now: Mapping[str, object] = field(default_factory=dict)
    days: Mapping[str, object] = field(default_factory=dict)
    wind: Mapping[str, object] = field(default_factory=dict)
    sky: int = 803
    away_s: float = 0

    @property
    def title(self) -> str:
        service = "OpenWeather" if self.is_keyed else "Open-Meteo"
        away = f" · niedostępny od {self.away_s / 60:.0f} min" if self.away_s else ""
        return f"{self.city} · {self.day} · {service}{away}"


def free(
    city: str,
    days: Mapping[str, object] | None = None,
    *,
    day: str = "today",
    now: Mapping[str, object] | None = None,
    away_s: float = 0,
) -> Case:
    return Case(city=city, day=day, now=now or {}, days=days or {}, away_s=away_s)


def keyed(
    city: str,
    *,
    day: str = "today",
    sky: int = 803,
    steps: Mapping[str, object] | None = None,
    wind: Mapping[str, object] | None = None,
    **now: object,
) -> Case:
    return Case(
        city=city, day=day, is_keyed=True, now=now, days=steps or {}, wind=wind or {}, sky=sky
    )


def at(degrees: float, feels_like: float | None = None, **more: object) -> dict[str, object]:
    felt = degrees if feels_like is None else feels_like
    return {"temperature_2m": degrees, "apparent_temperature": felt, **more}


def step(low: float, high: float, code: int) -> dict[str, object]:
    """One step of OpenWeather's forecast."""
    main = {"temp": high, "temp_min": low, "temp_max": high}
    return {"main": main, "weather": [{"id": code}]}


GALE = {"wind_speed_10m": 72.0, "wind_gusts_10m": 110.0}
BREEZE = {"deg": 90, "gust": 14}
DRY = {"weather_code": 0, "rain_sum": 0.0, "snowfall_sum": 0.0, "precipitation_probability_max": 0}
CLOUDY = DRY | {"weather_code": 3, "precipitation_probability_max": 15}
RAIN = {
    "weather_code": 63,
    "rain_sum": 7.4,
    "showers_sum": 0.2,
    "snowfall_sum": 0.0,
    "precipitation_probability_max": 90,
}
SNOW = {"weather_code": 73, "snowfall_sum": 5.0, "precipitation_probability_max": 85}
STORM = {"weather_code": 95, "rain_sum": 12.0, "snowfall_sum": 0.0, "wind_gusts_10m_max": 85.0}


def between(low: float, high: float, **more: object) -> dict[str, object]:
    return {"temperature_2m_min": low, "temperature_2m_max": high, **more}


SUMMER = between(13.6, 24.4)
CASES: tuple[Case, ...] = (
    free("Warszawa", SNOW | between(-5, 0), now=at(0, -4.6, weather_code=73)),
    free("Łódź", CLOUDY | between(-1, 2), now=at(1, -1.2, weather_code=51)),
    free("Kraków", CLOUDY | between(-2, 4), now=at(2, -2, weather_code=3, relative_humidity_2m=74)),
    free("Katowice", RAIN | between(3, 7), now=at(5, 2, weather_code=63)),
    free("Gdańsk", DRY | SUMMER, now=at(22, weather_code=0, wind_direction_10m=0)),
    free("Wrocław", between(-6, 0), now=at(-1, -6, weather_code=71, wind_direction_10m=45)),
    free("Zakopane", SNOW | between(-17, -9), now=at(-12, -19.4, weather_code=75)),
    free("Tychy", CLOUDY | between(0, 3), now=at(1.5, weather_code=45, wind_speed_10m=0.3)),
    free("Kudowa-Zdrój", RAIN | SUMMER, now=at(12, weather_code=80, wind_direction_10m=225)),
    free("Lądek-Zdrój", day="jutro"),
    free("Hel", STORM | SUMMER, day="w sobotę"),
    free("Bielsko-Biała", RAIN | {"snowfall_sum": 3.0, "weather_code": 73}, day="pojutrze"),
    free("Świnoujście", DRY, day="2026-01-20"),
    free("Kielce", day="weekend"),
    free("Gorzów Wielkopolski", DRY | SUMMER, day="next_days"),
    free("Ateny", DRY | SUMMER, now=at(23.4, 25.1, weather_code=1, relative_humidity_2m=41)),
    free("Lwów", RAIN, day="jutro"),
    free("Paryż", CLOUDY | between(2, 8), now=at(3, weather_code=2, wind_direction_10m=180)),
    free("Tokio", DRY | between(1, 9), now=at(4, weather_code=0, wind_direction_10m=135)),
    free("Auckland", DRY | SUMMER, day="jutro"),
    free("Nowy Jork", day="w piątek"),
    free("Mazury", SNOW | between(-8, -2), now=at(-3, -8, weather_code=86)),
    free("Mazury", day="jutro"),
    free("Śląsk", RAIN | between(4, 7), now=at(6, 3, weather_code=3, wind_direction_10m=270)),
    free("Podlasie", day="weekend"),
    free("Mokotów", RAIN | between(1, 5), now=at(2.2, 0.1, weather_code=61)),
    free("Nowa Huta", day="jutro"),
    free("Hiszpania", DRY | SUMMER, now=at(17, weather_code=0)),
    free("Polska", day="jutro"),
    free("Kreta", RAIN | between(12, 17), now=at(15, weather_code=81)),
    free("województwo łódzkie", CLOUDY | between(-1, 1), now=at(0.4, -3, weather_code=48)),
    free("Dąbrowa", CLOUDY | between(0, 4), now=at(2, -1, weather_code=51)),
    free("Dąbrowa, małopolskie", day="jutro"),
    free("Springfield", DRY | between(4, 12), now=at(10, weather_code=2)),
    free("Łódź", between(-2, 2), away_s=25 * 60, now=at(1, -2, weather_code=53)),
    free("Katowice", day="jutro", away_s=2 * 3600),
    free("Kraków", DRY, day="2026-02-14"),
    free("Śnieżka", SNOW | between(-18, -14), now=at(-15.2, -29, weather_code=77, **GALE)),
    free("Svalbard", DRY | between(-22, -16), now=at(-18, -25, weather_code=0)),
    free("Wrocłw"),
    free("Europa"),
    keyed("Kudowa-Zdrój", sky=601, steps=step(-3, 0, 601), temp=-1, feels_like=-4.2),
    keyed("Bielsko-Biała", day="jutro"),
    keyed("Tychy", sky=800, steps=step(12, 24, 800), wind=BREEZE, temp=22, feels_like=22),
    keyed("Olsztyn", day="weekend"),
    keyed("Gdynia", day="next_days"),
    keyed("Kraków", day="2026-03-01"),
    keyed("Madryt", sky=804, steps=step(11, 16, 802), temp=15, feels_like=14.4),
)


async def ask(case: Case) -> str:
    """What the tool answers, as the bot shows it."""
    clock = TickingClock()
    with ScriptedOpenMeteo(now=clock.now) as meteo, ScriptedOpenWeather(now=clock.now) as weather:
        meteo.current, meteo.daily = dict(case.now), dict(case.days)
        weather.main, weather.steps = dict(case.now), dict(case.days)
        weather.wind, weather.sky = dict(case.wind), case.sky
        settings = {
            "openmeteo_url": meteo.url,
            "geocoding_url": meteo.url,
            "openweather_url": weather.url,
            **({"api_key": KEY} if case.is_keyed else {}),
        }
        async with Registry(
            tools=[get_weather],
            settings={"weather": settings},
            workers=InlineWorkers(),
            clock=clock,
        ) as registry:
            values = get_weather.validate({"city": case.city, "day": case.day})
            call = ToolCall(call_id="c", name="get_weather", arguments=values, raw_arguments=values)
            run = await registry.run(call)
            if case.away_s:
                clock.advance(case.away_s)
                meteo.fault = "503"
                run = await registry.run(call)
    return run.outcome.content or f"({run.outcome.error})"


def read_answers() -> Mapping[str, str]:
    sections = ANSWERS.read_text("utf-8").split(f"\n{HEADING}")[1:]
    return dict(section.strip().split("\n\n", maxsplit=1) for section in sections)


def test_every_answer_was_read() -> None:
    assert list(read_answers()) == [case.title for case in CASES]
    assert len(CASES) >= 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case.title))
async def test_the_answer_is_the_one_that_was_read(case: Case) -> None:
    assert await ask(case) == read_answers()[case.title]


def _sections() -> Iterator[str]:
    yield (
        "# Answers of the weather tool\n\nWritten by the real tool against the scripted services "
        "and read by people; a test compares them."
    )
    for case in CASES:
        yield f"{HEADING}{case.title}\n\n{anyio.run(ask, case)}"


if __name__ == "__main__":
    ANSWERS.write_text("\n\n".join(_sections()) + "\n", "utf-8")
