"""Open-Meteo on loopback: geocoding and forecast on one port.

Written from open-meteo.com/en/docs and /en/docs/geocoding-api.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from scripted.service import Asked, Reply, ScriptedService, json_reply

START = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
PLACES: dict[str, dict[str, object]] = {
    "Łódź": {
        "id": 3093133,
        "name": "Łódź",
        "latitude": 51.77058,
        "longitude": 19.47395,
        "country_code": "PL",
        "timezone": "Europe/Warsaw",
        "country": "Polska",
    },
    "Kudowa-Zdrój": {
        "name": "Kudowa-Zdrój",
        "latitude": 50.443,
        "longitude": 16.244,
        "country_code": "PL",
        "timezone": "Europe/Warsaw",
    },
    "Auckland": {
        "name": "Auckland",
        "latitude": -36.84853,
        "longitude": 174.76349,
        "country_code": "NZ",
        "timezone": "Pacific/Auckland",
    },
}


class ScriptedOpenMeteo(ScriptedService):
    """Knows Łódź, Kudowa-Zdrój and Auckland; forecasts begin on the day of ``now()``."""

    def __init__(self, *, now: Callable[[], datetime] = lambda: START) -> None:
        super().__init__()
        self._now = now

    def answer(self, asked: Asked) -> Reply:
        match asked.path:
            case "/v1/search":
                found = PLACES.get(asked.query["name"])
                return json_reply({"results": [found]} if found else {"generationtime_ms": 0.4})
            case "/v1/forecast":
                return json_reply(_forecast(asked, self._now()))
            case _:
                return json_reply(self.error_body(404), 404)

    def error_body(self, status: int) -> object:
        return {"error": True, "reason": f"Scripted failure {status}"}


def _forecast(asked: Asked, now: datetime) -> object:
    is_far = float(asked.query["latitude"]) < 0
    zone, offset_s = ("Pacific/Auckland", 46_800) if is_far else ("Europe/Warsaw", 3600)
    first = (now + timedelta(seconds=offset_s)).date()
    days = int(asked.query["forecast_days"])
    return {
        "latitude": float(asked.query["latitude"]),
        "longitude": float(asked.query["longitude"]),
        "utc_offset_seconds": offset_s,
        "timezone": zone,
        "current_units": {"temperature_2m": "°C", "wind_speed_10m": "km/h"},
        "current": {
            "time": "2026-01-15T13:00",
            "interval": 900,
            "temperature_2m": 1.2,
            "apparent_temperature": -3.0,
            "relative_humidity_2m": 93,
            "weather_code": 61,
            "wind_speed_10m": 14.3,
            "wind_direction_10m": 315,
        },
        "daily": {
            "time": [(first + timedelta(days=n)).isoformat() for n in range(days)],
            "weather_code": [3 if n % 2 else 71 for n in range(days)],
            "temperature_2m_max": [2.4 + n for n in range(days)],
            "temperature_2m_min": [-3.6 + n for n in range(days)],
            "precipitation_sum": [1.5 if n % 2 == 0 else 0.0 for n in range(days)],
            "precipitation_probability_max": [70 if n % 2 == 0 else 5 for n in range(days)],
            "wind_speed_10m_max": [20.0 for _ in range(days)],
        },
    }
