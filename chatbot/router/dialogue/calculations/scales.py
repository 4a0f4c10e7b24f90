"""A told length in the scale of a model: "makieta 1:150", then "ile metrów będzie miała?"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import written
from chatbot.router.dialogue.calculations.measures import factor, kind_of
from chatbot.router.dialogue.calculations.quantities import Quantity, read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_SCALE = regex(r"(?<![\d:,.])1 ?: ?(\d{1,3}(?: \d{3})+|\d{1,9})(?![\d:])")
_IN_SCALE = regex(r"\bskal\w*|\bmodel\w*|\bmakiet\w*|\bmap\w*|\bplan\w*|\bminiatur\w*")
_MODEL = regex(
    r"\b(?:model\w*|makiet\w*|miniatur\w*|map(?:a|ie|y)|plan(?:ie|u)?|rysun\w+|pomniejsz\w*)\b|"
    r"\bw (?:tej |takiej |naszej )?skali\b"
)
_ASKS = regex(r"\bil[eu]\b|\bjak (?:dlug|duz|wysok|wielk|szerok)\w*")
_UNIT = regex(r"\b(?:[mck]?m|(?:mili|centy|decy|kilo)?metr\w*)\b")
_LENGTHS = frozenset({"cm", "m", "km"})
_LONGEST = 14  # words


def in_scale(scene: Scene) -> str | None:
    """Give the length that a reply told in the scale that a prompt told, in the unit asked for."""
    is_asked = scene.size <= _LONGEST and _ASKS.search(scene.folded) is not None
    if not is_asked or scene.is_active(MATHEMATICS) or not _MODEL.search(scene.folded):
        return None
    scale, length = _scale(scene), _length(scene)
    if scale is None or length is None:
        return None
    asked = _UNIT.search(scene.folded)
    times = factor(length.unit, kind_of(asked[0]) if asked else length.unit)
    if not times:
        return None
    return f"{length.text}/{scale}" if times == 1 else f"{length.text}*{written(times)}/{scale}"


def _scale(scene: Scene) -> int | None:
    """The scale that the prompt, or a prompt before, tells."""
    texts = (scene.text, *(turn.prompt for turn in reversed(scene.state.turns)))
    for text in texts:
        found = _SCALE.findall(text)
        if found and _IN_SCALE.search(fold_evenly(text)):
            return int(found[0].replace(" ", "")) if len(found) == 1 else None
    return None


def _length(scene: Scene) -> Quantity | None:
    """The only length of the latest reply that tells any."""
    for turn in reversed(scene.state.turns):
        found = [one for one in read_quantities(turn.reply) if one.unit in _LENGTHS and not one.per]
        if found:
            return found[0] if len(found) == 1 else None
    return None
