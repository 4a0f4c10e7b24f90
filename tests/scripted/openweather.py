"""OpenWeather on loopback: geocoding, current weather, five days in three-hour steps.

Written from openweathermap.org/current, /forecast5, /api/geocoding-api, /weather-conditions and
the error codes of /faq; ``cod`` is now a string, now a number, as there.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from scripted.atlas import Spot, search
from scripted.service import Asked, Reply, ScriptedService, json_reply

KEY = "klucz-testowy"
START = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
STEPS = 40
BLOCKED = (
    "due to exceeding of requests limitation of your subscription type. "
    "Please choose the proper subscription https://openweathermap.org/price"
)
MESSAGES: Mapping[int, tuple[int | str, str]] = {
    400: ("400", "Nothing to geocode"),
    401: (
        401,
        "Invalid API key. Please see https://openweathermap.org/faq#error401 for more info.",
    ),
    403: (403, "Your key has no access to this product. See https://openweathermap.org/price"),
    404: ("404", "city not found"),
    429: (429, f"Your account is temporary blocked {BLOCKED}"),
    500: ("500", "Internal server error"),
    502: ("502", "Bad gateway"),
    503: ("503", "Service unavailable"),
    504: ("504", "Gateway timeout"),
}
"""By status: ``cod`` and ``message``."""
DESCRIPTIONS = {600: "słabe opady śniegu", 800: "bezchmurnie", 803: "zachmurzenie duże"}


class ScriptedOpenWeather(ScriptedService):
    """Knows the scripted atlas; forecasts begin at ``now()``.

    ``main``, ``wind``, ``sky`` replace what is measured now, ``steps`` single fields of every step
    of the forecast. ``said_code`` is a ``cod`` to refuse with, a string with its status, a number
    under status 200.
    """

    def __init__(
        self, *, offset_s: int = 3600, now: Callable[[], datetime] = lambda: START
    ) -> None:
        super().__init__()
        self._now = now
        self.offset_s = offset_s
        self.said_code: int | str | None = None
        self.main: dict[str, object] = {}
        self.wind: dict[str, object] = {}
        self.sky = 803
        self.steps: dict[str, object] = {}

    def answer(self, asked: Asked) -> Reply:
        if asked.query.get("appid") != KEY:
            return json_reply(self.error_body(401), 401)
        if self.said_code is not None:
            body = {"cod": self.said_code, "message": "city not found"}
            return json_reply(body, 404 if isinstance(self.said_code, str) else 200)
        match asked.path:
            case "/geo/1.0/direct":
                return self._geocode(asked)
            case "/data/2.5/weather" | "/data/2.5/forecast":
                return self._weather(asked)
            case _:
                return json_reply({"cod": "404", "message": "Internal error"}, 404)

    def error_body(self, status: int) -> object:
        code, message = MESSAGES.get(status, (status, "Internal error"))
        return {"cod": code, "message": message}

    def _geocode(self, asked: Asked) -> Reply:
        name, _, country = asked.query.get("q", "").partition(",")
        limit = int(asked.query.get("limit", "5"))
        if not name.strip():
            return json_reply(self.error_body(400), 400)
        found = search(name, country=country.rpartition(",")[2])
        return json_reply([_found(spot) for spot in list(found)[: min(limit, 5)]])

    def _weather(self, asked: Asked) -> Reply:
        for name, most in (("lat", 90), ("lon", 180)):
            if name not in asked.query or abs(float(asked.query[name])) > most:
                wrong = {"lat": "wrong latitude", "lon": "wrong longitude"}[name]
                return json_reply({"cod": "400", "message": wrong}, 400)
        is_now = asked.path.endswith("weather")
        return json_reply(self._current() if is_now else self._forecast())

    def _current(self) -> object:
        noon = self._now()
        return {
            "coord": {"lon": 19.4569, "lat": 51.7687},
            "weather": [_sky(self.sky)],
            "base": "stations",
            "main": {
                "temp": -2.34,
                "feels_like": -6.5,
                "temp_min": -3.0,
                "temp_max": -1.8,
                "pressure": 1021,
                "humidity": 81,
                **self.main,
            },
            "visibility": 10000,
            "wind": {"speed": 4.0, "deg": 210, **self.wind},
            "clouds": {"all": 75},
            "dt": int(noon.timestamp()),
            "sys": {
                "country": "PL",
                "sunrise": int((noon - timedelta(hours=5, minutes=19)).timestamp()),
                "sunset": int((noon + timedelta(hours=2, minutes=52)).timestamp()),
            },
            "timezone": self.offset_s,
            "id": 3093133,
            "name": "Łódź",
            "cod": 200,
        }

    def _forecast(self) -> object:
        start = self._now()
        steps = [
            _step(start, 3 * number, self.offset_s) | self.steps for number in range(1, STEPS + 1)
        ]
        city = {"id": 3093133, "name": "Łódź", "country": "PL", "timezone": self.offset_s}
        return {"cod": "200", "message": 0, "cnt": STEPS, "list": steps, "city": city}


def _found(spot: Spot) -> dict[str, object]:
    return {
        "name": spot.international,
        "local_names": {"pl": spot.name, "en": spot.international},
        "lat": spot.latitude,
        "lon": spot.longitude,
        "country": spot.country,
        "state": spot.state,
    }


def _sky(code: int) -> dict[str, object]:
    return {
        "id": code,
        "main": "Sky",
        "description": DESCRIPTIONS.get(code, "pogoda"),
        "icon": "03d",
    }


def _step(start: datetime, hours: int, offset_s: int) -> dict[str, object]:
    """It snows all tomorrow by the place's clock; a step tells of the three hours before it."""
    when = start + timedelta(hours=hours)
    day = (when.date() - start.date()).days
    warmth = round(-4.0 + when.hour / 4 + day, 2)
    middle = when + timedelta(seconds=offset_s, hours=-1.5)
    is_wet = (middle.date() - (start + timedelta(seconds=offset_s)).date()).days == 1
    step: dict[str, object] = {
        "dt": int(when.timestamp()),
        "main": {
            "temp": warmth,
            "feels_like": warmth - 2,
            "temp_min": warmth,
            "temp_max": warmth + 0.5,
            "pressure": 1020,
            "humidity": 80,
        },
        "weather": [_sky(600 if is_wet else 800)],
        "clouds": {"all": 40},
        "wind": {"speed": 5.0, "deg": 95, "gust": 6.5},
        "visibility": 10000,
        "pop": 0.8 if is_wet else 0.0,
        "sys": {"pod": "d"},
        "dt_txt": when.strftime("%Y-%m-%d %H:%M:%S"),
    }
    return step | ({"snow": {"3h": 0.3}} if is_wet else {})
