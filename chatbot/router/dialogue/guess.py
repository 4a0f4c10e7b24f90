"""Takes the likeliest tool of a prompt within its conversation: nobody better can be asked."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from types import MappingProxyType

from chatbot.router.detector.detector import Detector
from chatbot.router.dialogue import fill_mathematics, fill_pictures, fill_topics, fill_weather
from chatbot.router.dialogue.follow_up import recall
from chatbot.router.dialogue.scene import LONGEST, FollowUp, Scene
from chatbot.router.dialogue.state import IMAGE, MATHEMATICS, WEATHER, WIKIPEDIA, DialogueState
from chatbot.types import ToolSpec

_FILL: Mapping[str, Callable[[Scene], FollowUp | None]] = MappingProxyType({
    WEATHER: fill_weather.fill,
    MATHEMATICS: fill_mathematics.fill,
    WIKIPEDIA: fill_topics.fill,
    IMAGE: fill_pictures.fill,
})
_SHORT = 8  # words


def guess(
    prompt: str,
    state: DialogueState,
    tools: Sequence[ToolSpec],
    *,
    today: date | None,
    detector: Detector,
) -> FollowUp | None:
    """Return what ``prompt`` most likely asks for after what was said; certain rules come before.

    ``None``: the prompt is best judged on its own. Only ``tools`` are ever called.
    """
    if not state.turns or len(prompt) > LONGEST or not prompt.strip():
        return None
    known = recall(state, tools, today=today, detector=detector)
    scene = Scene(prompt, known, tools, today=today, detector=detector)
    tool = _choose(scene)
    return _FILL[tool](scene) if tool in _FILL and tool in scene.offered else None


def _choose(scene: Scene) -> str | None:
    """The tool of the exchange just before, for a short prompt that asks for no other."""
    last = scene.state.last
    if last is None or scene.size > _SHORT:
        return None
    if last.asked is not None:
        return last.asked[0]
    tool = last.calls[-1].name if last.calls else None
    return None if tool is None or scene.detects_other(tool) else tool
