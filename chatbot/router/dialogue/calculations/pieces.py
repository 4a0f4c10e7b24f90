"""The last result for one of what it was made of: "ile to na jedną butelkę?"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.figures import last_value, variable_of
from chatbot.router.dialogue.calculations.measures import is_same, kind_of
from chatbot.router.dialogue.calculations.quantities import read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_FOR_ONE = regex(
    r"\b(?:na|za|od|przypada na|wypada na|kosztuje|wychodzi|per) "
    r"(?:1 |jed\w+ |kazd\w+ |pojedyncz\w+ )?(?P<what>[a-z]{2,})\W*$|"
    r"\b(?:jed(?:en|na|no)|kazd[aye]) (?P<own>[a-z]{3,})\b"
)
_FEW = 9
_NAMELESS = frozenset({"sztuke", "sztuka", "glowe", "leb"})


def for_one(scene: Scene) -> str | None:
    """Divide the last result by the number of the pieces that the prompt names."""
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    found = _FOR_ONE.search(scene.folded)
    if value is None or found is None or scene.size > _FEW or variable_of(value):
        return None
    if read_quantities(scene.text):
        return None
    what = kind_of(found["what"] or found["own"])
    last = scene.state.last
    told = read_quantities(last.prompt) if last is not None else ()
    counts = [one for one in told if one.unit and not one.per and not one.is_year]
    named = [one for one in counts if is_same(one.unit, what)]
    if what in _NAMELESS:
        named = named or [one for one in counts if one.unit not in {"zl", "%", "kg", "m"}]
    return f"({value})/{named[0].text}" if len(named) == 1 else None
