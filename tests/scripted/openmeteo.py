"""Open-Meteo on loopback: geocoding and forecast on one port.

Written from open-meteo.com/en/docs and /en/docs/geocoding-api, with the error replies of both;
unknown variables and parameters out of range are refused as there.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from scripted.atlas import ATLAS, Spot, search
from scripted.service import Asked, Reply, ScriptedService, json_reply

START = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
RATE_LIMITS = {
    "minute": "Minutely API request limit exceeded. Please try again in one minute.",
    "hour": "Hourly API request limit exceeded. Please try again in the next hour.",
    "day": "Daily API request limit exceeded. Please try again tomorrow.",
}
CURRENT: Mapping[str, object] = {
    "temperature_2m": 1.2,
    "apparent_temperature": -3.0,
    "relative_humidity_2m": 93,
    "weather_code": 61,
    "pressure_msl": 1012.4,
    "wind_speed_10m": 14.3,
    "wind_direction_10m": 315,
    "wind_gusts_10m": 29.2,
}
DAILY: Mapping[str, Callable[[int], object]] = {
    "weather_code": lambda day: 3 if day % 2 else 71,
    "temperature_2m_max": lambda day: 2.4 + day,
    "temperature_2m_min": lambda day: -3.6 + day,
    "rain_sum": lambda _: 0.0,
    "showers_sum": lambda _: 0.0,
    "snowfall_sum": lambda day: 0.0 if day % 2 else 2.1,
    "precipitation_sum": lambda day: 0.0 if day % 2 else 1.5,
    "precipitation_probability_max": lambda day: 5 if day % 2 else 70,
    "wind_speed_10m_max": lambda _: 20.0,
    "wind_gusts_10m_max": lambda _: 28.0,
    "wind_direction_10m_dominant": lambda _: 290,
}
SUN = ("07:41", "15:52")


class ScriptedOpenMeteo(ScriptedService):
    """Knows `ATLAS`; forecasts begin on the day of ``now()`` at the place.

    ``current`` and ``daily`` replace single variables of the weather; ``exceeded`` is the limit of
    requests that is used up.
    """

    def __init__(self, *, now: Callable[[], datetime] = lambda: START) -> None:
        super().__init__()
        self._now = now
        self.current: dict[str, object] = {}
        self.daily: dict[str, object] = {}
        self.sun = SUN
        self.exceeded = "minute"

    def answer(self, asked: Asked) -> Reply:
        match asked.path:
            case "/v1/search":
                return _search(asked)
            case "/v1/forecast":
                return self._forecast(asked)
            case _:
                return refusal("Not Found", 404)

    def error_body(self, status: int) -> object:
        reason = RATE_LIMITS[self.exceeded] if status == 429 else f"Scripted failure {status}"
        return {"error": True, "reason": reason}

    def _forecast(self, asked: Asked) -> Reply:
        query = asked.query
        wrong = _wrong_coordinate(query) or _wrong_days(query) or _wrong_variable(query)
        if wrong:
            return refusal(wrong)
        spot = _spot_at(float(query["latitude"]), float(query["longitude"]))
        zone = ZoneInfo(spot.zone)
        local = self._now().astimezone(zone)
        current = {**CURRENT, **self.current}
        named = query["current"].split(",")
        return json_reply({
            "latitude": spot.latitude,
            "longitude": spot.longitude,
            "generationtime_ms": 0.12,
            "utc_offset_seconds": int((local.utcoffset() or timedelta()).total_seconds()),
            "timezone": spot.zone,
            "timezone_abbreviation": local.tzname(),
            "elevation": 220.0,
            "current_units": {"temperature_2m": "°C", "wind_speed_10m": "km/h"},
            "current": {
                "time": local.strftime("%Y-%m-%dT%H:%M"),
                "interval": 900,
                **{name: current[name] for name in named},
            },
            "daily": self._daily(
                query["daily"].split(","), local.date(), int(query["forecast_days"])
            ),
        })

    def _daily(self, named: list[str], first: date, days: int) -> dict[str, list[object]]:
        dates = [(first + timedelta(days=day)).isoformat() for day in range(days)]
        columns: dict[str, list[object]] = {"time": list(dates)}
        for name in named:
            if name in {"sunrise", "sunset"}:
                clock = self.sun[name == "sunset"]
                columns[name] = [f"{day}T{clock}" for day in dates]
            elif name in self.daily:
                columns[name] = [self.daily[name]] * days
            else:
                columns[name] = [DAILY[name](day) for day in range(days)]
        return columns


def refusal(reason: str, status: int = 400) -> Reply:
    """The reply that the documentation shows under "Errors"."""
    return json_reply({"error": True, "reason": reason}, status)


def _search(asked: Asked) -> Reply:
    name = asked.query.get("name")
    count = int(asked.query.get("count", "10"))
    if name is None:
        return refusal("Value required for key 'name'.")
    if not 1 <= count <= 100:
        return refusal("Parameter count must be between 1 and 100.")
    is_fuzzy = len(name) > 2
    country = asked.query.get("countryCode", "")
    found = list(search(name, country=country, by_prefix=is_fuzzy)) if len(name) > 1 else []
    results = [_found(spot) for spot in found[:count]]
    return json_reply({"results": results} if results else {"generationtime_ms": 0.4})


def _found(spot: Spot) -> dict[str, object]:
    """One result; empty fields are not returned."""
    found = {
        "id": 3_000_000 + ATLAS.index(spot),
        "name": spot.name,
        "latitude": spot.latitude,
        "longitude": spot.longitude,
        "elevation": 220.0,
        "feature_code": spot.feature,
        "country_code": spot.country,
        "timezone": spot.zone,
        "population": spot.population,
        "admin1": spot.region,
    }
    return {key: value for key, value in found.items() if value is not None}


def _spot_at(latitude: float, longitude: float) -> Spot:
    return min(
        ATLAS, key=lambda spot: abs(spot.latitude - latitude) + abs(spot.longitude - longitude)
    )


def _wrong_coordinate(query: Mapping[str, str]) -> str:
    for name, most in (("latitude", 90), ("longitude", 180)):
        if name not in query:
            return f"Parameter '{name}' and '{name}' must have the same number of elements"
        if abs(float(query[name])) > most:
            return f"{name.title()} must be in range of -{most} to {most}°. Given: {query[name]}."
    return ""


def _wrong_days(query: Mapping[str, str]) -> str:
    days = query.get("forecast_days", "7")
    if not 0 <= int(days) <= 16:
        return f"Forecast days is invalid. Allowed range 0 to 16. Given {days}."
    return ""


def _wrong_variable(query: Mapping[str, str]) -> str:
    known = {"current": set(CURRENT), "daily": {*DAILY, "sunrise", "sunset"}}
    for key, names in known.items():
        for name in query.get(key, "").split(","):
            if name not in names:
                return (
                    f"Cannot initialize WeatherVariable from invalid String value {name} "
                    f"for key {key}"
                )
    return ""
