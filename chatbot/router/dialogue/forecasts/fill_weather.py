"""The weather that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.router.dialogue import slots
from chatbot.router.dialogue.forecasts.days import (
    is_part_alone,
    likely_days,
    planned_days,
    points_at_day,
    said,
)
from chatbot.router.dialogue.forecasts.places import CAPITAL, undenied
from chatbot.router.dialogue.forecasts.slot_weather import (
    as_planned,
    bare_place,
    forecasts,
    new_place,
)
from chatbot.router.dialogue.forecasts.weather import leans, own_places
from chatbot.router.dialogue.forecasts.weather_words import asks_of_climate, speaks_of_weather
from chatbot.router.dialogue.forecasts.whereabouts import likely_places, referred_places
from chatbot.router.dialogue.scene import FollowUp, Scene
from chatbot.router.dialogue.state import NEEDED, WEATHER


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest question about the weather: the prompt's own places, else those meant."""
    return FollowUp() if asks_of_climate(scene) else _forecast(scene)


def _forecast(scene: Scene) -> FollowUp | None:
    needed = NEEDED[WEATHER]
    if scene.state.asked_for(WEATHER):
        found = slots.answer(scene)
        if isinstance(found, FollowUp) and found.calls:
            return found
        if bare := bare_place(scene):
            return forecasts(bare, _open_days(scene))
    pairs = {
        (one.arguments.get(needed), one.arguments.get("day")) for one in scene.detected(WEATHER)
    }
    is_open = bool(is_part_alone(scene, ()) and _open_days(scene))
    if len(pairs) > 1 and all(all(pair) for pair in pairs) and not is_open:
        return FollowUp(calls=scene.detected(WEATHER))
    own = own_places(scene) or new_place(scene) or _mended(scene)
    capital = referred_places(scene) if CAPITAL.search(scene.folded) else ()
    places = capital or own or likely_places(scene)
    if not places:
        return FollowUp(asks=(WEATHER, needed))
    is_same = _goes_on(scene, own)
    if not (is_open or is_same) and (planned := as_planned(scene, places)) is not None:
        return planned
    days = () if is_open else likely_days(scene, is_same=is_same, places=places)
    return forecasts(places, days or _open_days(scene))


def leans_on_question(scene: Scene) -> bool:
    """Whether a prompt that names its place takes the day, or the denial, from what was before."""
    if undenied(scene.folded, scene.text) != scene.text and scene.is_active(WEATHER):
        return True
    if CAPITAL.search(scene.folded) and referred_places(scene):
        return True
    return not scene.days and bool(
        _open_days(scene)
        or points_at_day(scene)
        or (scene.is_active(WEATHER) and _goes_on(scene, ()))
        or planned_days(scene, said(scene.detected(WEATHER), NEEDED[WEATHER]))
    )


def _mended(scene: Scene) -> tuple[str, ...]:
    """The place that the detector finds where another one is denied: "tylko w pile"."""
    is_denied = undenied(scene.folded, scene.text) != scene.text
    before = said(scene.state.calls(WEATHER), "city")
    found = said(scene.detected(WEATHER), NEEDED[WEATHER])
    return tuple(one for one in found if one not in before) if is_denied else ()


def _open_days(scene: Scene) -> tuple[str, ...]:
    """The days of the question whose place was asked for, however long ago."""
    needed = (WEATHER, NEEDED[WEATHER])
    is_open = False
    days: tuple[str, ...] = ()
    for turn in reversed(scene.state.turns):
        if turn.calls:
            break
        is_open = is_open or turn.asked == needed
        days = days or likely_days(scene.within(turn.prompt), is_same=False)
    return days if is_open else ()


def _goes_on(scene: Scene, own: tuple[str, ...]) -> bool:
    """Whether the prompt goes on with the question before, so that its day still holds."""
    if not scene.is_active(WEATHER):
        return False
    is_new = bool(own) and speaks_of_weather(scene) and not leans(scene)
    return not is_new
