"""The picture that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import IMAGE, NEEDED


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest picture: its own description, else the last one again."""
    needed = NEEDED[IMAGE]
    own = tuple(one for one in scene.detected(IMAGE) if needed in one.arguments)
    if own:
        return FollowUp(calls=own)
    before = scene.state.values(IMAGE, needed)
    return call(IMAGE, description=before[0]) if before else FollowUp(asks=(IMAGE, needed))
