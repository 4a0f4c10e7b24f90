"""The weather that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import NEEDED, WEATHER


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest question about the weather: its own place, else the last one."""
    needed = NEEDED[WEATHER]
    own = tuple(one for one in scene.detected(WEATHER) if needed in one.arguments)
    if own:
        return FollowUp(calls=own)
    before = scene.state.values(WEATHER, needed)
    return call(WEATHER, city=before[0]) if before else FollowUp(asks=(WEATHER, needed))
