"""OpenWeather on loopback: geocoding, current weather, five days in three-hour steps.

Written from openweathermap.org/current, /forecast5 and /api/geocoding-api.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from scripted.service import Asked, Reply, ScriptedService, json_reply

KEY = "klucz-testowy"
START = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
STEPS = 40
PLACES: dict[str, dict[str, object]] = {
    "Łódź": {
        "name": "Lodz",
        "local_names": {"pl": "Łódź", "en": "Lodz"},
        "lat": 51.7687,
        "lon": 19.4569,
        "country": "PL",
    },
    "Kudowa-Zdrój": {"name": "Kudowa-Zdrój", "lat": 50.443, "lon": 16.244, "country": "PL"},
    "Tokio": {
        "name": "Tokyo",
        "local_names": {"pl": "Tokio"},
        "lat": 35.6828,
        "lon": 139.7595,
        "country": "JP",
    },
}


class ScriptedOpenWeather(ScriptedService):
    """Knows Łódź, Kudowa-Zdrój and Tokio; further faults: ``cod_string``, ``cod_number``.

    Forecasts begin at ``now()``.
    """

    def __init__(
        self, *, offset_s: int = 3600, now: Callable[[], datetime] = lambda: START
    ) -> None:
        super().__init__()
        self._now = now
        self.offset_s = offset_s
        self.said_code: int | str | None = None

    def answer(self, asked: Asked) -> Reply:
        if asked.query.get("appid") != KEY:
            return json_reply(self.error_body(401), 401)
        if self.said_code is not None:
            body = {"cod": self.said_code, "message": "city not found"}
            return json_reply(body, 404 if isinstance(self.said_code, str) else 200)
        match asked.path:
            case "/geo/1.0/direct":
                found = PLACES.get(asked.query["q"])
                return json_reply([found] if found else [])
            case "/data/2.5/weather":
                return json_reply(self._current())
            case "/data/2.5/forecast":
                return json_reply(self._forecast())
            case _:
                return json_reply(self.error_body(404), 404)

    def error_body(self, status: int) -> object:
        messages = {401: "Invalid API key.", 429: "Your account is temporary blocked."}
        return {"cod": status, "message": messages.get(status, "Internal error")}

    def _current(self) -> object:
        return {
            "coord": {"lon": 19.4569, "lat": 51.7687},
            "weather": [{"id": 803, "main": "Clouds", "description": "zachmurzenie umiarkowane"}],
            "main": {
                "temp": -2.34,
                "feels_like": -6.5,
                "temp_min": -3.0,
                "temp_max": -1.8,
                "pressure": 1021,
                "humidity": 81,
            },
            "visibility": 10000,
            "wind": {"speed": 4.0, "deg": 210},
            "dt": int(START.timestamp()),
            "timezone": self.offset_s,
            "name": "Łódź",
            "cod": 200,
        }

    def _forecast(self) -> object:
        start = self._now()
        steps = [_step(start, 3 * number) for number in range(1, STEPS + 1)]
        city = {"id": 3093133, "name": "Łódź", "country": "PL", "timezone": self.offset_s}
        return {"cod": "200", "message": 0, "cnt": STEPS, "list": steps, "city": city}


def _step(start: datetime, hours: int) -> dict[str, object]:
    when = start + timedelta(hours=hours)
    day = (when.date() - start.date()).days
    warmth = round(-4.0 + when.hour / 4 + day, 2)
    wet = day == 1
    step: dict[str, object] = {
        "dt": int(when.timestamp()),
        "main": {
            "temp": warmth,
            "feels_like": warmth - 2,
            "temp_min": warmth,
            "temp_max": warmth + 0.5,
            "humidity": 80,
        },
        "weather": [{"description": "słabe opady śniegu" if wet else "bezchmurnie"}],
        "wind": {"speed": 5.0},
        "pop": 0.8 if wet else 0.0,
    }
    return step | ({"snow": {"3h": 0.3}} if wet else {})
