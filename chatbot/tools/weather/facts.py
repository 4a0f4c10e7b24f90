"""Single facts of the weather in Polish words: degrees, wind, rain and snow, sun, age."""

from datetime import datetime

from chatbot.language import format_number, plural
from chatbot.tools.weather.conditions import is_wet
from chatbot.tools.weather.report import Day

LEAST_FALL = 0.05
"""Millimetres or centimetres; less would be shown as none."""
GUSTY = 10.0
"""Kilometres an hour by which gusts must be stronger than the wind to be worth a word."""

_DIRECTIONS = (
    "północny",
    "północno-wschodni",
    "wschodni",
    "południowo-wschodni",
    "południowy",
    "południowo-zachodni",
    "zachodni",
    "północno-zachodni",
)
_ARE = ("jest", "są", "jest")
_WERE = ("był", "były", "było")
_MINUTE = 60
_HOUR = 3600


def say_degrees(degrees: float, *, is_past: bool = False) -> tuple[str, str]:
    """A temperature and its verb, which agrees with it: "jest", "1 stopień"; "są", "22 stopnie"."""
    shown = round(degrees, 1) + 0.0
    one, few, many = _WERE if is_past else _ARE
    verb = plural(shown, one, few, many, fraction=many)
    noun = plural(shown, "stopień", "stopnie", "stopni", fraction="stopnia")
    return verb, f"{format_number(shown)} {noun}"


def say_celsius(degrees: float) -> str:
    """A temperature with at most one decimal place: "−3,5 °C"; "0" never gets a minus."""
    return f"{format_number(round(degrees, 1) + 0.0)} °C"


def say_range(low: float, high: float) -> str:
    """The temperatures of a day, in whole degrees: "od −4 do 2 °C"."""
    lowest, highest = format_number(low, 0), format_number(high, 0)
    return f"{lowest} °C" if lowest == highest else f"od {lowest} do {highest} °C"


def say_humidity(percent: float | None) -> str:
    """The relative humidity of the air: "wilgotność 93%"."""
    return "" if percent is None else f"wilgotność {format_number(percent, 0)}%"


def say_pressure(hectopascals: float | None) -> str:
    """The pressure at sea level: "ciśnienie 1013 hPa"."""
    return "" if hectopascals is None else f"ciśnienie {format_number(hectopascals, 0)} hPa"


def say_wind(speed: float | None, direction: float | None, *, up_to: bool = False) -> str:
    """A wind by where it comes from: "wiatr północno-zachodni 14 km/h"; "bezwietrznie"."""
    if speed is None:
        return ""
    if not round(speed):
        return "bezwietrznie"
    words = ["wiatr", *([name_direction(direction)] if direction is not None else [])]
    return " ".join([*words, *(["do"] if up_to else []), _kmh(speed)])


def say_gusts(gusts: float | None, wind: float | None) -> str:
    """Gusts that stand out: "w porywach do 45 km/h"; none of what is called a calm."""
    if gusts is None or wind is None or not round(wind) or gusts < wind + GUSTY:
        return ""
    return f"w porywach do {_kmh(gusts)}"


def name_direction(degrees: float) -> str:
    """The adjective of a wind that blows from there, one of eight."""
    return _DIRECTIONS[round(degrees / 360 * len(_DIRECTIONS)) % len(_DIRECTIONS)]


def say_falls(day: Day, sky: str, *, is_short: bool = False) -> str:
    """Rain and snow of a day: "łącznie 1,5 mm deszczu i 2 cm śniegu (prawdopodobieństwo 70%)".

    After a ``sky`` that names the one thing that falls it is not named again: "śnieg, łącznie
    2 cm". ``is_short`` leaves the probability out where there is an amount.
    """
    falls = [
        (f"{format_number(round(amount, 1))} {unit}", substance, stem)
        for amount, unit, substance, stem in (
            (day.rain, "mm", "deszczu", "deszcz"),
            (day.snow, day.snow_unit, "śniegu", "śnieg"),
        )
        if amount is not None and amount >= LEAST_FALL
    ]
    is_named = len(falls) == 1 and falls[0][2] in sky
    amounts = [amount if is_named else f"{amount} {substance}" for amount, substance, _ in falls]
    percent = "" if day.chance is None else f"{format_number(day.chance, 0)}%"
    if amounts:
        has_chance = percent and not is_short
        chance = f" (prawdopodobieństwo {percent})" if has_chance else ""
        return f"łącznie {' i '.join(amounts)}{chance}"
    if percent not in {"", "0%"}:
        return f"prawdopodobieństwo opadów {percent}"
    is_dry = (percent == "0%" or day.rain is not None) and not is_wet(day.sky)
    return "bez opadów" if is_dry else ""


def say_sun(day: Day, *, is_far: bool = False) -> str:
    """Sunrise and sunset by the place's own clock; empty where the sun does not rise or set.

    ``is_far`` says that the clock of the place differs from the asker's, which is told.
    """
    rise, fall = day.sunrise, day.sunset
    if rise is None or fall is None or rise.date() != day.date or fall <= rise:
        return ""
    by_clock = " czasu miejscowego" if is_far else ""
    return f"Wschód słońca o {_clock(rise)}, zachód o {_clock(fall)}{by_clock}."


def say_ago(seconds: float) -> str:
    """How long ago: "25 minut temu", "godzinę temu"."""
    return f"{_span(seconds, ('minutę', 'minuty', 'minut'), ('godzinę', 'godziny', 'godzin'))} temu"


def say_since(seconds: float) -> str:
    """From how long ago: "sprzed 25 minut", "sprzed godziny"."""
    return "sprzed " + _span(seconds, ("minuty", "minut", "minut"), ("godziny", "godzin", "godzin"))


def _span(seconds: float, minutes: tuple[str, str, str], hours: tuple[str, str, str]) -> str:
    in_minutes = max(1, round(seconds / _MINUTE))
    is_short = in_minutes * _MINUTE < _HOUR
    amount = in_minutes if is_short else round(seconds / _HOUR)
    word = plural(amount, *(minutes if is_short else hours))
    return word if amount == 1 else f"{amount} {word}"


def _kmh(speed: float) -> str:
    return f"{format_number(speed, 0)} km/h"


def _clock(time: datetime) -> str:
    return f"{time.hour}:{time.minute:02}"
