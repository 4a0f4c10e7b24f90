"""The weather that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.router.dialogue import slots
from chatbot.router.dialogue.days import likely_days
from chatbot.router.dialogue.scene import FollowUp, Scene
from chatbot.router.dialogue.slot_weather import bare_place, forecasts
from chatbot.router.dialogue.state import NEEDED, WEATHER
from chatbot.router.dialogue.weather import leans, own_places, speaks_of_weather
from chatbot.router.dialogue.whereabouts import likely_places


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest question about the weather: the prompt's own places, else those meant."""
    needed = NEEDED[WEATHER]
    last = scene.state.last
    if last is not None and last.asked == (WEATHER, needed):
        found = slots.answer(scene)
        if isinstance(found, FollowUp) and found.calls:
            return found
        if bare := bare_place(scene):
            return forecasts(bare, likely_days(scene.within(last.prompt), is_same=False))
    pairs = {
        (one.arguments.get(needed), one.arguments.get("day")) for one in scene.detected(WEATHER)
    }
    if len(pairs) > 1 and all(all(pair) for pair in pairs):
        return FollowUp(calls=scene.detected(WEATHER))
    own = own_places(scene)
    places = own or likely_places(scene)
    if not places:
        return FollowUp(asks=(WEATHER, needed))
    days = likely_days(scene, is_same=_goes_on(scene, own))
    return forecasts(places, days)


def _goes_on(scene: Scene, own: tuple[str, ...]) -> bool:
    """Whether the prompt goes on with the question before, so that its day still holds."""
    if not scene.is_active(WEATHER):
        return False
    is_new = bool(own) and speaks_of_weather(scene) and not leans(scene)
    return not is_new
