"""Two calculations that one prompt asks for, the second on the first: "i potem to samo do 50"."""

import re
from collections.abc import Callable

from chatbot.language.patterns import regex
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED
from chatbot.router.dialogue.turns import Turn

_OPENS = regex(r"^(?:\W|\b(?:a|i|no|ok|to|teraz|dobra|super|dzieki|jeszcze|zrob|policz)\b)*$")
_JOINT = regex(
    r"[?.,;\s]+(?:(?:i|a|oraz|potem|nastepnie|pozniej|jeszcze|od razu|tez)\s){0,3}"
    r"(?=(?:to|tak) samo\b)"
)


def asks_for_two(scene: Scene) -> bool:
    """Whether a prompt wants the same done once more to what it asks for first."""
    return scene.is_active(MATHEMATICS) and _joint(scene) is not None


def one_after_another(scene: Scene, follow: Callable[[Scene], str | None]) -> tuple[str, ...]:
    """Return both calculations, as ``follow`` finds them; nothing where it finds one alone."""
    joint = _joint(scene)
    if joint is None:
        return ()
    said = scene.text[: joint.start()]
    first = follow(scene.within(said))
    if first is None:
        return ()
    made = DetectedCall(name=MATHEMATICS, arguments={NEEDED[MATHEMATICS]: first})
    turn = Turn(prompt=said, calls=(made,), is_told=True)
    after = scene.after((*scene.state.turns, turn)).within(scene.text[joint.end() :])
    second = follow(after)
    return () if second is None else (first, second)


def _joint(scene: Scene) -> re.Match[str] | None:
    """Where the second wish begins, if something is asked for before it."""
    found = _JOINT.search(scene.folded)
    is_led = found is None or _OPENS.match(scene.folded[: found.start()])
    return None if is_led else found
