"""The weather on the way to where the user said he goes: "po drodze: najpierw Piła, potem …"."""

from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.places import find_places
from chatbot.router.dialogue.forecasts.days import likely_days, planned_days, said
from chatbot.router.dialogue.forecasts.places import is_place
from chatbot.router.dialogue.forecasts.slot_weather import forecasts
from chatbot.router.dialogue.forecasts.weather_words import speaks_of_weather
from chatbot.router.dialogue.scene import FollowUp, Scene
from chatbot.router.dialogue.state import WEATHER

_ON_WAY = regex(
    r"\b(?:po drodze|w drodze|w trakcie (?:jazdy|podrozy)|na (?:calej )?tras\w+|po trasie|"
    r"wzdluz trasy|przejazdem)\b"
)
_STAGE = r"najpierw|potem|później|następnie|dalej|wreszcie|na koniec|i|oraz|a|przez"
_STAGES = regex(
    rf"(?:[,:;–—]|\b(?i:{_STAGE})\b)\s*(?:(?i:{_STAGE})\s+)*"
    r"(?P<name>[A-ZĄĆĘŁŃÓŚŹŻ][\w-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+){0,2})"
    rf"(?=\s*(?:[,.;:?!–—]|$)|\s(?i:{_STAGE})\b)"
)
_OPENS = regex(r"[.!?]\s+(?=(?:Najpierw|Potem|Dalej|Przez)\b)")


def on_way(scene: Scene) -> FollowUp | None:
    """Ask for every place of a way on the day for which the way was told of."""
    if _ON_WAY.search(scene.folded) is None or not _is_of_weather(scene):
        return None
    places = _stages(scene.text)
    return forecasts(places, _days(scene, places)) if places else None


def _is_of_weather(scene: Scene) -> bool:
    return bool(scene.detected(WEATHER)) or speaks_of_weather(scene)


def _stages(text: str) -> tuple[str, ...]:
    """The places told one after the other, known or not, if a list knows one of them."""
    text = _OPENS.sub(", ", text)
    named = tuple(dict.fromkeys(_base(found["name"]) for found in _STAGES.finditer(text)))
    found = find_places(text)
    is_more = len(named) > len(found) and any(one in found or is_place(one) for one in named)
    return named if is_more else found


def _base(name: str) -> str:
    return name if is_place(name) else lemmatise(name, kind="place", preposition=None)


def _days(scene: Scene, places: tuple[str, ...]) -> tuple[str, ...]:
    """The day that is named, that of the forecast before, or of the journey told of."""
    if days := likely_days(scene, is_same=scene.is_active(WEATHER), places=places):
        return days
    asked = said(scene.state.calls(WEATHER), "day")
    return asked or planned_days(scene, _told_goals(scene))


def _told_goals(scene: Scene) -> tuple[str, ...]:
    """The places that the user told of before."""
    return tuple(name for turn in scene.state.turns for name in find_places(turn.prompt))
