"""The article that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import NEEDED, WIKIPEDIA


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest article: its own topic, else the last one."""
    needed = NEEDED[WIKIPEDIA]
    own = tuple(one for one in scene.detected(WIKIPEDIA) if needed in one.arguments)
    if own:
        return FollowUp(calls=own)
    before = scene.state.values(WIKIPEDIA, needed)
    return call(WIKIPEDIA, query=before[0]) if before else FollowUp(asks=(WIKIPEDIA, needed))
