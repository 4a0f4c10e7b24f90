"""The calculation that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest calculation: its own formula, else the last one again."""
    needed = NEEDED[MATHEMATICS]
    own = tuple(one for one in scene.detected(MATHEMATICS) if needed in one.arguments)
    if own:
        return FollowUp(calls=own)
    before = scene.state.values(MATHEMATICS, needed)
    return (
        call(MATHEMATICS, expression=before[0]) if before else FollowUp(asks=(MATHEMATICS, needed))
    )
