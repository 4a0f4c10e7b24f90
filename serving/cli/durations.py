"""How long something lasts or was ago, as options of the command line say it."""

import re
from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Final

import click

LONGEST: Final = timedelta(days=36_525)
"""100 years: whatever is added to or taken from a day of today stays a date."""
_DURATION: Final = re.compile(r"([1-9][0-9]{0,5})([smhdw])")
_UNITS: Final[Mapping[str, timedelta]] = MappingProxyType({
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
})


class Duration(click.ParamType[timedelta]):
    """A number and a unit: ``90s``, ``30m``, ``12h``, ``90d``, ``4w``; at most `LONGEST`."""

    name = "duration"

    def convert(
        self, value: str | timedelta, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        """Read it."""
        if isinstance(value, timedelta):
            return value
        found = read_duration(value)
        if found is None:
            self.fail(f"{value!r} is no duration such as 90s, 30m, 12h, 90d or 4w", param, ctx)
        if found > LONGEST:
            self.fail(f"{value!r} is longer than 100 years", param, ctx)
        return found


def read_duration(text: str) -> timedelta | None:
    """The duration that ``text`` tells, of any length; ``None`` where it tells none."""
    found = _DURATION.fullmatch(text)
    return None if found is None else int(found[1]) * _UNITS[found[2]]
