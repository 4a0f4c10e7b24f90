"""The volume of a solid whose measures were told, and the area of a figure that was drawn."""

import re
from collections.abc import Iterator
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.constants import holds
from chatbot.router.dialogue.calculations.quantities import read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import IMAGE, MATHEMATICS, NEEDED

_VOLUME = regex(r"\b(?:objetosc\w*|kubatur\w*|pojemnosc\w*)\b")
_MEASURE = regex(
    r"\b(?:pol[ea] powierzchni|pol[ea]|obwod\w*|objetosc\w*|przekatn[aąeęy]\w*|powierzchni\w*)\b"
)
_FIGURE = regex(
    r"\b(?:trojkat|kwadrat|prostokat|romb|trapez|rownoleglobok|kol[oa]|okrag|szescian|"
    r"prostopadloscian|walec|stozek|kul[aęe])\b"
)
_ASIDE = regex(r"\b(?:dlaczego|czemu|wzor\w*|wyjasnij|wytlumacz|co to|czym)\b")
_SOLIDS = (
    (regex(r"\bpiramid\w*|\bostroslup\w*"), ("side", "height"), "{side}**2*{height}/3"),
    (regex(r"\bstoz\w+"), ("radius", "height"), "pi*({radius})**2*{height}/3"),
    (
        regex(r"\bwal(?:ec|ca|cem)\b|\bsilos\w*|\bkomin\w*|\bstudni\w*"),
        ("radius", "height"),
        "pi*({radius})**2*{height}",
    ),
    (
        regex(r"\bkul[aięy]\w{0,2}\b|\bplanet\w*|\bksiezyc\w*|\bpilk\w*|\bgwiazd\w*"),
        ("radius",),
        "Rational(4, 3)*pi*({radius})**3",
    ),
    (
        regex(r"\bprostopadloscian\w*|\bbasen\w*|\bakwari\w*|\bkontener\w*|\bskrzyn\w*"),
        ("length", "width", "height"),
        "{length}*{width}*{height}",
    ),
    (regex(r"\bszescian\w*"), ("side",), "{side}**3"),
)
_LABELS = (
    ("side", regex(r"\b(?:bok|krawed)\w*")),
    ("radius", regex(r"\bpromie\w*")),
    ("diameter", regex(r"\bsrednic\w*")),
    ("length", regex(r"\bdlug\w*")),
    ("width", regex(r"\bszer\w*")),
    ("height", regex(r"\b(?:wysok|glebok)\w*")),
)
_LENGTHS = frozenset({"mm", "cm", "dm", "m", "km", ""})
_NEXT_WORD, _REACH = regex(r" ?\w+"), regex(r".{0,30}$")
_LONGEST = 10  # words


def of_told_shape(scene: Scene) -> str | None:
    """Measure what the last exchange drew or told the sizes of: "policz jej objętość"."""
    last = scene.state.last
    is_bare = scene.size <= _LONGEST and not read_amounts(scene.text)
    if last is None or scene.is_active(MATHEMATICS) or not is_bare or _ASIDE.search(scene.folded):
        return None
    if _VOLUME.search(scene.folded) and (found := _volume(scene, last.prompt, last.reply)):
        return found
    measure = _MEASURE.search(scene.folded)
    drawn = [str(one.arguments.get(NEEDED[IMAGE], "")) for one in last.calls if one.name == IMAGE]
    if measure is None or len(drawn) != 1:
        return None
    return _measured(scene.text[measure.start() : measure.end()], drawn[0])


def _volume(scene: Scene, prompt: str, reply: str) -> str | None:
    """The volume of the one solid that is spoken of, from the measures that the reply names."""
    spoken = fold_evenly(f"{scene.text} {prompt} {reply}")
    solids = [(needed, form) for said, needed, form in _SOLIDS if said.search(spoken)]
    sizes = dict(_sizes(reply)) if len(solids) == 1 else {}
    if "diameter" in sizes and "radius" not in sizes:
        sizes["radius"] = f"{sizes['diameter']}/2"
    if len(solids) != 1 or any(name not in sizes for name in solids[0][0]):
        return None
    needed, form = solids[0]
    return form.format(**{name: sizes[name] for name in needed})


def _sizes(reply: str) -> Iterator[tuple[str, str]]:
    """The lengths of a reply with their names, where all are told in one unit, each once."""
    folded = fold_evenly(reply)
    told = [one for one in read_quantities(reply) if not one.is_year and not one.per]
    lengths = [one for one in told if one.unit in _LENGTHS]
    if len({one.unit for one in lengths}) != 1:
        return
    behind = [_labels(_NEXT_WORD.match(folded[one.end :])) for one in lengths]
    starts = [0, *(one.end for one in lengths)]
    before = [
        _labels(_REACH.search(folded[start : one.start]))
        for start, one in zip(starts, lengths, strict=False)
    ]
    found = behind if all(len(one) == 1 for one in behind) else before
    named = [(one[-1], size.text) for one, size in zip(found, lengths, strict=True) if one]
    if len({name for name, _ in named}) == len(named):
        yield from named


def _labels(near: re.Match[str] | None) -> list[str]:
    """The measures that the words beside a length name."""
    return [name for name, said in _LABELS if near is not None and said.search(near[0])]


def _measured(measure: str, description: str) -> str | None:
    """A measure of the figure that a description tells all sizes of."""
    figure = _FIGURE.search(fold_evenly(description))
    told = [one.value for one in read_amounts(description)]
    if figure is None or not told or any(one <= Fraction(0) for one in told):
        return None
    read = read_formula(f"{measure}: {description[figure.start() :]}")
    is_whole = read is not None and all(holds(read.expression, one) for one in told)
    return read.expression if read is not None and is_whole else None
