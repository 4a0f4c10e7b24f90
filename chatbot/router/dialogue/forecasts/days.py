"""The days of a conversation: named in the prompt, counted from the one before, or meant by it."""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from chatbot.language.days import read_day
from chatbot.language.mentions import WEEKDAYS, fold_text, next_weekday, read_mentions
from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.detector.weather import find_days
from chatbot.router.dialogue.forecasts.ellipsis import without_aside
from chatbot.router.dialogue.forecasts.places import undenied
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WEATHER

NEXT_DAY = regex(
    r"\b(?:nazajutrz|(?:dzien|dobe|dobre) pozniej|(?:nastepn|kolejn)ego (?:dnia|ranka)|"
    r"(?:dzien|doba) (?:po(?! poludniu)|pozniej|nastepn\w+|kolejn\w+)|day after that)\b"
)
_DAY_BEFORE = regex(
    r"\b(?:(?:dzien|dobe) (?:wczesniej|przedtem|przed)|poprzedniego dnia|w przeddzien|"
    r"the day before)\b"
)
_APART = regex(r"\b(dwa|dwie|2|trzy|3) (?:dni|doby) (pozniej|wczesniej|po\b|przed\b)")
_WEEK_LATER = regex(r"\btydzien (?:pozniej|po(?: t(?:ym|ej|ych)\b)?(?=\W*$))")
_SAME_DAYS = regex(r"\bt(?:e|ych) sam\w+ dni(?:ach)?\b")
_WHEN = regex(
    r"\b(?:od |do )?kiedy (?:(?:sie|juz|wreszcie|w koncu|znow\w*|tam|to|ma|bedzie|moze) )*"
    r"(?:przesta\w+|odpus\w+|ociepl\w+|ochlodz\w+|popraw\w+|polepsz\w+|pogorsz\w+|"
    r"rozpogodz\w+|wypogodz\w+|przejasn\w+|skoncz\w+|zelz\w+|usta(?:nie|pi)|minie|"
    r"spadnie|zaczni\w+|(?:po)?pada\w*|lac|lalo|wiac|wialo|snieg|mroz|upal|slonce|"
    r"ciepl\w*|zimn\w*|sloneczn\w+|cieplej|zimniej)\b"
)
"""A question when the weather turns: the answer stands in the forecast of some days."""

_SAME_AS = regex(
    r"\b(?:t(?:en|ym) sam\w*|tego samego) (?:dzien|dnia|dniu|termin\w*),? (?:co|jak)\b"
)
_THAT_DAY = regex(
    r"\b(?:wtedy|wowczas|t(?:ego|ym|en) (?:sam\w+ )?(?:dnia|dniu|dzien)|ten termin|tym terminie|"
    r"(?:w|na) (?:dzien|dniu|termin|czas) (?!dzisiej|jutrzej|dobry|po)\w+|"
    r"(?:pierwszego|ostatniego|drugiego) dnia|"
    r"t(?:en|ym) (?:sam\w* )?(?:termin\w*|czas\w*)|w trakcie|podczas)\b"
)
_BARE_DAY = regex(
    r" (?:w |na )?t(?:ego|ym|en) (?:sam\w+ )?(?:dnia|dniu|dzien)\b| (?:wtedy|wowczas)\b"
)
_TODAY = regex(r"\b(?:dzis\w*|teraz|today|obecnie|aktualnie|now|w tej chwili|tego wieczor\w)\b")
_TOMORROW = regex(r"\b(?:po)?jutr\w+|\btomorrow\b")
_ORDERED = (
    (regex(r"\bpierwszego dnia\b|\bt(?:en|ym) pierwszy\w* d(?:zien|niu)\b"), 0),
    (regex(r"\bdrugiego dnia\b|\bt(?:en|ym) drugi\w* d(?:zien|niu)\b"), 1),
    (regex(r"\bostatniego dnia\b|\bt(?:en|ym) ostatni\w* d(?:zien|niu)\b"), -1),
)
_OF_MONTH = regex(
    r"^\W*(?:(?:a|no|i|to|ok|dobra|sprawdz|jeszcze|moze|czy|tez|na|dnia) )*"
    r"(?:(\d{1,2})(?:-?go)?|((?:dwudziest|trzydziest)ego(?: [a-z]{3,12}ego)?|[a-z]{3,16}ego))"
    r"(?=\W*$|[,?!;]| (?:bo|gdyz|poniewaz|skoro|gdyby|jesli|jak|tez)\b)"
)
"""A day of the month that was spoken of: "a trzeciego?"."""

_MONTH_ENDS = 14  # days by which a lower number means the next month
_LONGEST_MONTH = 31
_QUESTIONS = regex(r"[^.?!;]+\?")
_COUNTED = {"dwa": 2, "dwie": 2, "2": 2, "trzy": 3, "3": 3}
_CLAUSES = regex(r"[.;!?–]|, (?:a|i|potem)\b")
_PIECES = regex(r"[.,:;!?–]|\b(?:a|potem)\b")
_GOES_ON = regex(
    r"^((?:(?:a|i|no|ok|okej|to|dobra|super)[ ,]+)*)teraz "
    r"(?=(?:to samo|sprawdz\w*|podaj|pokaz|po?prosze|daj|dawaj|jeszcze|dla|zerknij|zobacz)\b)"
)
_STEM = 4  # letters that forms of one name share, and never its last: "Piła", "w Pile"
_NEAR = ("today", "tomorrow", "day_after_tomorrow")


def said(calls: Iterable[DetectedCall], argument: str) -> tuple[str, ...]:
    """Return the values of one argument, each once."""
    found = (str(one.arguments[argument]) for one in calls if argument in one.arguments)
    return tuple(dict.fromkeys(found))


def own_days(scene: Scene) -> tuple[str, ...]:
    """Return the days that the prompt itself names, if only by those before; else none."""
    before = said(scene.state.calls(WEATHER), "day")
    ahead = _ahead(scene.folded)
    if ahead is not None:
        return (_moved((_counted_from(scene) or ("today",))[0], ahead, scene.today),)
    if same := _day_of_other(scene) or _days_before(scene, before) or _of_month(scene, before):
        return same
    if is_part_alone(scene, before) and before:
        return ()
    text = undenied(scene.folded, scene.text)
    opened = _GOES_ON.match(fold_evenly(text))
    named = find_days(text[opened.end() :] if opened else text, today=scene.today)
    if named and {*named} <= {*before}:
        named = _newly_asked(scene, text, before) or named
    return named or (("next_days",) if asks_when_it_turns(scene) else ())


def _of_month(scene: Scene, before: tuple[str, ...]) -> tuple[str, ...]:
    """The day that a number alone names, of the month of the last forecast or the next one."""
    found = _OF_MONTH.match(scene.folded) if len(before) == 1 else None
    if found is None or scene.today is None or not scene.is_active(WEATHER):
        return ()
    number = read_number(found[1] or found[2])
    try:
        last = date.fromisoformat(read_day(before[0], today=scene.today) or "")
        if not isinstance(number, int):
            return ()
        if number < last.day - _MONTH_ENDS:
            last = last.replace(day=1) + timedelta(days=_LONGEST_MONTH)
        return (str(last.replace(day=number)),)
    except ValueError:
        return ()


def _newly_asked(scene: Scene, text: str, before: tuple[str, ...]) -> tuple[str, ...]:
    """The other days of a prompt that names the one just told of: "jutro leje, a pojutrze?"."""
    if not scene.is_active(WEATHER) or find_places(text):
        return ()
    words = fold_text(without_aside(" ".join(_QUESTIONS.findall(text)) or text))
    mentions = read_mentions(words, today=scene.today)
    known = [one for one in mentions if one.day in before]
    if len(known) in {0, len(mentions)}:
        return ()
    for one in reversed(known):
        words = f"{words[: one.start]} {words[one.end :]}"
    return find_days(words, today=scene.today)


def _counted_from(scene: Scene) -> tuple[str, ...]:
    """The day of the last forecast, else the one last told of: that of a concert, an exam."""
    asked = scene.state.calls(WEATHER)
    return said(asked, "day") if asked else _told(scene)


def points_at_day(scene: Scene) -> bool:
    """Whether a day is meant that was told of: "dzień po koncercie", "wtedy"."""
    is_pointing = _ahead(scene.folded) is not None or _THAT_DAY.search(scene.folded) is not None
    return is_pointing and bool(_counted_from(scene))


def asks_when_it_turns(scene: Scene) -> bool:
    """Whether it is asked when the weather just told changes: "kiedy się ociepli?"."""
    return scene.is_active(WEATHER) and _WHEN.search(scene.folded) is not None


def is_part_alone(scene: Scene, before: tuple[str, ...]) -> bool:
    """Whether only a part of a day is named, so that any day may be meant: "po południu".

    "Rano" is the next morning, unless another day than today was spoken of ``before``.
    """
    days = find_days(undenied(scene.folded, scene.text), today=scene.today)
    if days == ("tomorrow",):
        return not _TOMORROW.search(scene.folded) and not {*before} <= {"today"}
    return days == ("today",) and not _TODAY.search(scene.folded)


def likely_days(scene: Scene, *, is_same: bool, places: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the days that the prompt names, else those it most likely means.

    ``places`` are those meant; a day that was told of with one of them is meant, too.
    ``is_same``: the question before was about the weather, too, and this one goes on with it.
    """
    if days := own_days(scene):
        return days
    before = said(scene.state.calls(WEATHER), "day")
    if is_same:
        return before
    if _THAT_DAY.search(scene.folded):
        return before or _told(scene)
    return planned_days(scene, places)


def _days_before(scene: Scene, before: tuple[str, ...]) -> tuple[str, ...]:
    """Both days asked about before for "w te same dni", one of them for "w ten drugi dzień"."""
    if _SAME_DAYS.search(scene.folded):
        return before
    is_one = any(pattern.search(scene.folded) for pattern, _ in _ORDERED)
    return _one_of(before, scene.folded) if is_one and len(before) > 1 else ()


def planned_days(scene: Scene, places: tuple[str, ...]) -> tuple[str, ...]:
    """The day on which the user goes to a place: "jutro jadę do Gliwic".

    Where the reply proposed the place, the day for which a proposal was wanted.
    """
    stems = [fold_evenly(place)[: min(_STEM, len(place) - 1)] for place in places]
    for turn in reversed(scene.state.turns):
        if turn.calls:
            return ()
        parts = (*_PIECES.split(turn.prompt), *_CLAUSES.split(turn.prompt))
        clauses = [one for one in parts if _names(one, stems)]
        is_told = bool(clauses) or _names(turn.reply, stems)
        for text in (*clauses, turn.prompt if is_told else ""):
            if days := find_days(text, today=scene.today):
                return days
    return ()


def _names(text: str, stems: list[str]) -> bool:
    folded = fold_evenly(text)
    return any(re.search(rf"\b{re.escape(stem)}", folded) for stem in stems)


def _told(scene: Scene) -> tuple[str, ...]:
    """The day that was last spoken of, for whatever reason."""
    for turn in reversed(scene.state.turns):
        described = [str(value) for call in turn.calls for value in call.arguments.values()]
        for text in (turn.prompt, *described, turn.reply):
            if days := find_days(text, today=scene.today):
                return _one_of(days, scene.folded)
    return ()


def _one_of(days: tuple[str, ...], folded: str) -> tuple[str, ...]:
    """Of several days the one that is meant: "pierwszego dnia"."""
    picked = next((at for pattern, at in _ORDERED if pattern.search(folded)), None)
    return days if picked is None else days[picked : picked + 1 or None] or days


def _ahead(folded: str) -> int | None:
    """How many days after the one before."""
    if (apart := _APART.search(folded)) is not None:
        is_later = apart[2] in {"pozniej", "po"}
        return _COUNTED[apart[1]] if is_later else -_COUNTED[apart[1]]
    for pattern, ahead in ((NEXT_DAY, 1), (_DAY_BEFORE, -1), (_WEEK_LATER, 7)):
        if pattern.search(folded):
            return ahead
    return None


def _day_of_other(scene: Scene) -> tuple[str, ...]:
    """The day that was asked about for another place: "ten sam dzień co w Łodzi"."""
    same = _SAME_AS.search(scene.folded)
    if same is None:
        return ()
    places = find_places(f"w {scene.text[same.end() :]}") or find_places(scene.text[same.end() :])
    calls = [call for turn in scene.state.turns for call in turn.calls if call.name == WEATHER]
    return said((one for one in calls if one.arguments.get("city") in places), "day")


def without_comparison(scene: Scene) -> str:
    """Return the prompt without the place whose day is meant."""
    same = _SAME_AS.search(scene.folded)
    return scene.text if same is None else scene.text[: same.start()]


def without_that_day(text: str) -> str:
    """Leave out a day that is only pointed at, so that a bare name stands alone."""
    found = _BARE_DAY.search(fold_evenly(text))
    return f"{text[: found.start()]}{text[found.end() :]}" if found else text


def _moved(day: str, ahead: int, today: date | None) -> str:
    """The day so many days after another one."""
    day = read_day(day, today=today) or day
    if day in _NEAR:
        at = _NEAR.index(day) + ahead
        if 0 <= at < len(_NEAR):
            return _NEAR[at]
        return day if today is None else str(today + timedelta(days=at))
    if day in WEEKDAYS and abs(ahead) >= len(WEEKDAYS) and today is not None:
        return str(next_weekday(day, today) + timedelta(days=ahead))
    if day in WEEKDAYS:
        return WEEKDAYS[(WEEKDAYS.index(day) + ahead) % len(WEEKDAYS)]
    try:
        return str(date.fromisoformat(day) + timedelta(days=ahead))
    except ValueError:
        return day
