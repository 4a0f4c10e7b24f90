"""The article that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.router.detector.topic import read_topic
from chatbot.router.dialogue.called import name_meant, own_name
from chatbot.router.dialogue.mentions import shares_word
from chatbot.router.dialogue.pointing import points_at, thing_meant
from chatbot.router.dialogue.referents import referent
from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import NEEDED, WIKIPEDIA


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest article: what a word of the prompt means, its own topic, else the last one."""
    needed = NEEDED[WIKIPEDIA]
    own = tuple(one for one in scene.detected(WIKIPEDIA) if needed in one.arguments)
    if (meant := name_meant(scene) or thing_meant(scene)) is not None:
        return call(WIKIPEDIA, query=meant)
    if (name := own_name(scene)) is not None:
        named = [one for one in own if shares_word(str(one.arguments[needed]), name)]
        return FollowUp(calls=tuple(named)) if named else call(WIKIPEDIA, query=name)
    if (meant := referent(scene)) is not None:
        return call(WIKIPEDIA, query=meant)
    if own and not points_at(scene, str(own[0].arguments[needed])):
        return FollowUp(calls=own)
    before = scene.state.values(WIKIPEDIA, needed)
    found = before[0] if before else _spoken_of(scene)
    return call(WIKIPEDIA, query=found) if found else FollowUp(asks=(WIKIPEDIA, needed))


def _spoken_of(scene: Scene) -> str | None:
    """What the last prompts asked about, where nothing was looked up."""
    prompts = (turn.prompt for turn in reversed(scene.state.turns))
    return next((topic for one in prompts if (topic := read_topic(one))), None)
