"""Days that have a name of their own, fixed or counted from Easter, in Polish."""

import re
from datetime import date, timedelta

from chatbot.language.literals import Guarded

_FIXED = (
    ((12, 24), r"wigili(?:a|e|i)(?: bozego narodzenia)?"),
    ((12, 26), r"drugi dzien swiat|drugiego dnia swiat"),
    (
        (12, 25),
        r"(?:w|na) swieta|boze(?:go)? narodzeni[ea]|pierwszy dzien swiat|pierwszego dnia swiat",
    ),
    ((12, 31), r"(?:w|na) sylwestra|sylwestrow\w+"),
    ((1, 1), r"(?:w|na) nowy rok"),
    ((1, 6), r"(?:w |na )?trzech kroli"),
    ((1, 21), r"(?:w )?dzien babci"),
    ((1, 22), r"(?:w )?dzien dziadka"),
    ((2, 14), r"(?:w|na) walentynki"),
    ((3, 8), r"(?:w|na) dzien kobiet"),
    ((5, 1), r"swieto pracy|(?:w|na) majowk(?:a|e|i)"),
    ((5, 2), r"swieto flagi"),
    ((5, 3), r"swieto konstytucji"),
    ((5, 26), r"(?:w|na) dzien matki"),
    ((6, 1), r"(?:w|na) dzien dziecka"),
    ((6, 23), r"(?:w )?dzien ojca|noc(?:y)? (?:swietojansk\w+|kupaly)"),
    ((8, 15), r"swieto wojska polskiego|matki boskiej zielnej"),
    ((10, 14), r"(?:w )?dzien nauczyciela"),
    ((10, 31), r"(?:w |na )?halloween"),
    ((11, 1), r"wszystkich swietych"),
    ((11, 2), r"(?:w|na) zaduszki|dzien zaduszny"),
    ((11, 11), r"(?:swieto|dzien) niepodleglosci"),
    ((11, 29), r"(?:w|na) andrzejki"),
    ((12, 4), r"(?:w|na) barborke"),
    ((12, 6), r"(?:w|na) mikolajki"),
)
_BY_EASTER = (
    (1, r"lany poniedzialek|poniedzialek wielkanocny|smigus dyngus"),
    (-2, r"wielki piatek"),
    (-1, r"wielka sobot[ae]"),
    (60, r"boze cialo"),
    (49, r"zielon(?:e|ych) swiat(?:ki|ek)|zeslani[ea] ducha swietego"),
    (-3, r"wielki czwartek"),
    (-7, r"niedziel[aei] palmow\w+|palmow\w+ niedziel[aei]"),
    (-46, r"srod[aey] popielcow\w+|popielec"),
    (-52, r"tlust(?:y|ego) czwart(?:ek|ku)"),
    (0, r"wielkanoc\w*|niedziel[ae] wielkanocn\w+"),
)
Feast = tuple[int, int] | int

FEASTS: tuple[tuple[Feast, Guarded], ...] = tuple(
    (day, Guarded(rf"(?<!\w)(?:{pattern})(?!\w)")) for day, pattern in (*_FIXED, *_BY_EASTER)
)
"""Each feast, by month and day or by its distance from Easter, with what it is called, folded."""


def date_of_feast(feast: Feast, _: re.Match[str], today: date | None) -> str | None:
    """Return the next date of a feast; without ``today`` ``--MM-DD``, or ``None`` if it moves."""
    if today is None:
        return None if isinstance(feast, int) else f"--{feast[0]:02}-{feast[1]:02}"
    years = (today.year, today.year + 1)
    if isinstance(feast, int):
        days = [_easter(year) + timedelta(days=feast) for year in years]
    else:
        days = [date(year, *feast) for year in years]
    return next(day for day in days if day >= today).isoformat()


def _easter(year: int) -> date:
    """Return Easter Sunday by the Gregorian computus (Meeus, Jones, Butcher)."""
    century, rest = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    shift = (year % 19 + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * shift + 114, 31)
    return date(year, month, day + 1)
