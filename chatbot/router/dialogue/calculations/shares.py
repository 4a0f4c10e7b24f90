"""Another percentage of the last whole, or the last percentage of another: "a 20%?"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.figures import last_expression, plain
from chatbot.router.dialogue.calculations.rereading import is_same_value, plain_value
from chatbot.router.dialogue.calculations.steps import SHARE
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

BASE = regex(r"(?:%|proc\w*) (?:z|od) (\d[\d ]*(?:[.,]\d+)?)")
"""What a share is said to be of: "15% z 800"."""

_ONLY_SHARE = regex(
    r"^(?:(?:a|i|no|to|ok|ile|bedzie|jest|wynosi|na|przy|dla|teraz|jeszcze|trzeba|musze miec) )"
    r"{0,5}(\d+(?:[.,]\d+)?) ?(?:%|proc\w*)(?: to ile|,? ile\b[^\d]{0,24})?\W*$"
)
_ONLY_BASE = regex(r"^(?:a|i) (?:z|od) (\d[\d ]*(?:[.,]\d+)?)\s*(?:zl\w*|pln|euro)?\W*$")
_SHORT = 6  # words
_MOST_ASIDES = 2


def of_share(scene: Scene) -> str | None:
    """Take another share, or a share of something else ("a 20%?", "a z 500 zł?")."""
    if scene.size > _SHORT:
        return None
    share, base = _ONLY_SHARE.match(scene.folded), _ONLY_BASE.match(scene.folded)
    if share is not None:
        scene = _past_asides(scene)
    last = scene.state.last
    if last is None or not (share or base) or not scene.is_active(MATHEMATICS):
        return None
    told = fold_evenly(f"{last.prompt}; {last.reply}")
    whole, part = BASE.search(told), SHARE.search(told)
    if whole is None or part is None or not _is_share(scene, part[1], whole[1]):
        return None
    if share is not None:
        return f"{plain(share[1])}*{plain(whole[1])}/100"
    return f"{plain(part[1])}*{plain(base[1])}/100" if base is not None else None


def _is_share(scene: Scene, part: str, whole: str) -> bool:
    """Whether nothing but that share was calculated, as far as it can be told."""
    made = plain_value(last_expression(scene.state) or "")
    share = plain_value(f"{plain(part)}*{plain(whole)}/100")
    return made is None or share is None or is_same_value(made, share)


def _past_asides(scene: Scene) -> Scene:
    """The prompt as if nothing had been said since the last calculation, where nothing was done."""
    turns = scene.state.turns
    made = next((at for at in reversed(range(len(turns))) if turns[at].calls), len(turns) - 1)
    return scene.after(turns[: made + 1]) if len(turns) - made <= _MOST_ASIDES + 1 else scene
