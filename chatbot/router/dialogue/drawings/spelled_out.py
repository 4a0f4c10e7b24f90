"""A prompt for a picture with what it only points at spelled out: "w takiej pogodzie", "tyle"."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from chatbot.language.locatives import in_place
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.requests import ASKED
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.rereading import plain_value
from chatbot.router.dialogue.drawings.such import alike
from chatbot.router.dialogue.enumerations import pick
from chatbot.router.dialogue.forecasts.places import latest
from chatbot.router.dialogue.mentions import find_mentions
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED, WEATHER

_AS_MANY = regex(
    r"\btyl(?:e|u|oma|ema)(?! (?:sam|ze|zeby|co|ile)\w*\b)(?= \w{3})(?P<thing> \w+)"
    r"(?:,? (?:ile|co) (?:(?:nam|mi|tu|teraz|razem|przed chwila|wlasnie) ){0,2}"
    r"(?:wyszl?o|wychodzi|wynioslo|policzy\w+|oblicz\w+|jest|bylo))?"
)
_THERE = regex(
    r"\b(?P<at>nad|we?|na|pod|przed|za) t(?:ym|ej) "
    r"(?P<order>(?:pierwsz|drug|trzeci|ostatni|poprzedni)\w+ )?"
    r"(?P<noun>(?:miast|miesc|miasteczk|miejscowosc|miejsc|wsi)\w{0,4})\b"
)
_WORK = regex(
    r"\b(?:do|z|ze|wedlug) t(?:ego|ej) "
    r"(?P<noun>(?:wiersz|piosen|powies|ksiaz|film|opowiad|basn|utwor|lektur|ballad|bajk|nowel|"
    r"fragment|dramat|sztuk)\w*)"
)
_WEATHER = regex(r",? ?\b(?:we?|przy) (?:tak\w+|tej|ta|tamtej) (?:\w+ )?(?:pogod|aur|warun)\w*")
_SCENERY = regex(
    r",? ?\b(?:w|na tle) (?:tak\w+|tej|tamtej|tym|takim) (?:\w+ )?"
    r"(?:sceneri|okolic|krajobraz|otoczeni|plener|wnetrz)\w*"
)
_HIM = regex(r"\b(?:go|ja|je|ich|jego|jej|nim|nia|niego|niej)\b")
_LEAD = regex(
    r"^(?:tak|nie|owszem)?[,. ]*(?:(?:jutro|dzis|dzisiaj|teraz|pojutrze|rano|wieczorem|w nocy|"
    r"w (?:weekend|poniedzialek|wtorek|srode|czwartek|piatek|sobote|niedziele)) )?"
)
_PLACE = regex(r"(?:[Ww]e?|[Nn]a|[Nn]ad|[Pp]od) [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+)*,? ?")
_BEING = regex(r"^(?:(?:jest|bedzie|teraz|dzis|jutro|i|oraz|okolo|bylo|obecnie|a)\b[ ,]*)+")
_DEGREES = regex(r"[−–-]?\d+(?:[,.–-]\d+)? ?(?:°C?|stop\w+)(?:,? (?:i|oraz))?,? ?")
_TURNS = 3
_LONGEST = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class SpelledOut:
    """The scene of the prompt without what points, and what else the picture shows."""

    scene: Scene
    details: str = ""


def spelled_out(scene: Scene) -> SpelledOut | None:
    """Return what a prompt for a picture says with the conversation's own words.

    ``None``: it does not ask for a picture, or points at nothing of this kind.
    """
    found = next((found for way in _WAYS if (found := way(scene)) is not None), None)
    return found if found is not None and ASKED.search(scene.folded) is not None else None


def _as_many(scene: Scene) -> SpelledOut | None:
    """Put the last result for "tyle", where things are counted so."""
    told = _AS_MANY.search(scene.folded)
    expressions = scene.state.values(MATHEMATICS, NEEDED[MATHEMATICS])
    if told is None or not expressions:
        return None
    value = plain_value(expressions[0])
    if value is None or value != int(value) or value < 1:
        return None
    thing = scene.text[slice(*told.span("thing"))]
    return _replaced(scene, told, f"{int(value)}{thing}")


def _there(scene: Scene) -> SpelledOut | None:
    """Name the place that an order or "to miasto" means: "nad tym pierwszym miastem"."""
    told = _THERE.search(scene.folded)
    if told is None:
        return None
    cities = tuple(reversed(scene.state.values(WEATHER, NEEDED[WEATHER])))
    name = pick(cities, told["order"]) if told["order"] else next(iter(latest(scene.state)), None)
    if name is None:
        return None
    noun = scene.text[slice(*told.span("noun"))]
    is_inside = told["at"] in {"w", "we", "na"}
    return _replaced(scene, told, in_place(name) if is_inside else f"{told['at']} {noun} {name}")


def _of_work(scene: Scene) -> SpelledOut | None:
    """Name the work that the last exchange names in quotation marks: "do tego wiersza"."""
    told, last = _WORK.search(scene.folded), scene.state.last
    if told is None or last is None:
        return None
    titles = (one for text in (last.reply, last.prompt) for one in _titles(text))
    title = next(titles, None)
    if title is None:
        return None
    noun = scene.text[slice(*told.span("noun"))]
    return _replaced(scene, told, f"{told[0].partition(' ')[0]} {noun} „{title}”")


def _titles(text: str) -> Iterator[str]:
    """Give the works that a text names; a sentence stays as it was said."""
    for one in find_mentions(text):
        said = text[one.start : one.end].strip('„”"«»')
        if one.kind == "work":
            yield said if "," in said else one.name


def _in_weather(scene: Scene) -> SpelledOut | None:
    """Tell the weather of the last forecast: of another thing than the place, if one is meant."""
    told = _WEATHER.search(scene.folded)
    turns = scene.state.turns
    at = next((at for at in range(len(turns) - 1, -1, -1) if turns[at].uses(WEATHER)), None)
    if told is None or at is None or len(turns) - at > _TURNS:
        return None
    details = _weather_told(turns[at].reply)
    if not details:
        return None
    rest = f"{scene.text[: told.start()]}{scene.text[told.end() :]}"
    others = (*turns[:at], *turns[at + 1 :])
    is_other = bool(others) and _HIM.search(scene.folded) is not None
    within = scene.after(others).within(rest) if is_other else scene.within(rest)
    return SpelledOut(scene=within, details=details)


def _in_scenery(scene: Scene) -> SpelledOut | None:
    """Tell what the last exchange was about where it is to be the scenery of another thing."""
    told, last = _SCENERY.search(scene.folded), scene.state.last
    if told is None or last is None:
        return None
    rest = scene.within(f"{scene.text[: told.start()]}{scene.text[told.end() :]}")
    if not last.calls:
        return SpelledOut(scene=rest, details=last.reply[:_LONGEST].rstrip(" .!"))
    (first, *_) = last.calls
    if first.name == WEATHER:
        where = in_place(str(first.arguments.get("city", "")))
        return SpelledOut(scene=rest, details=f"{where}, {_weather_told(last.reply)}".strip(", "))
    topic = str(first.arguments.get("query", "")).partition(" (")[0]
    return SpelledOut(scene=rest, details=topic) if topic else None


def _weather_told(reply: str) -> str:
    """The sky, rain and wind that a forecast tells, without place, day and degrees."""
    sentence = re.split(r"(?<=[^\d])[.!?](?:\s|$)", reply, maxsplit=1)[0]
    rest = _DEGREES.sub("", _PLACE.sub("", sentence))
    lead = _LEAD.match(fold_evenly(rest))
    rest = rest[lead.end() :] if lead else rest
    being = _BEING.match(fold_evenly(rest))
    rest = (rest[being.end() :] if being else rest).strip(" ,.:;")
    return "" if any(map(str.isdigit, rest)) else rest[:_LONGEST]


def _alike(scene: Scene) -> SpelledOut | None:
    """Say of "taka choinka" what was said of one."""
    found = alike(scene)
    return None if found is None else SpelledOut(scene=scene.within(found[0]), details=found[1])


def _replaced(scene: Scene, told: re.Match[str], said: str) -> SpelledOut:
    text = f"{scene.text[: told.start()]}{said}{scene.text[told.end() :]}"
    return SpelledOut(scene=scene.within(text))


_WAYS: tuple[Callable[[Scene], SpelledOut | None], ...] = (
    _as_many, _in_weather, _in_scenery, _there, _of_work, _alike,
)  # fmt: skip
