"""The last calculation at another pace: "a gdybym zszedł do pięciu dziennie?"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import exchange
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_PACES: tuple[tuple[str, str], ...] = (
    ("day", r"dziennie|codziennie|na dzien|na dobe|kazdego dnia"),
    ("week", r"tygodniowo|na tydzien|w tygodniu|co tydzien"),
    ("month", r"miesiecznie|na miesiac|w miesiacu|co miesiac"),
    ("year", r"rocznie|na rok|co roku"),
)
_BESIDE = tuple(
    (
        pace,
        regex(rf"^(?:[ -][a-z]+){{0,2}} (?:{said})\b"),
        regex(rf"\b(?:{said})(?: (?:po|do|na))? $"),
    )
    for pace, said in _PACES
)
_BY = regex(r"\bo (?:kolejn\w+ |nastepn\w+ )?$")
_OTHERWISE = regex(
    r"\b(?:jeszcze|dodatkow\w+|wiecej|mniej|starcz\w*|wystarcz\w*|na ile|po ilu|w ile)\b"
)


def at_pace(scene: Scene) -> str | None:
    """Put the one number told for a day, a week … for the one told before for the same time."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or _OTHERWISE.search(scene.folded):
        return None
    own, told = read_amounts(scene.text), read_amounts(_said(scene))
    known = {one.value for one in told}
    paced = [(one, pace) for one in own if (pace := _pace(scene.folded, one))]
    if len(paced) != 1 or any(one.value not in known for one in own if one is not paced[0][0]):
        return None
    new, pace = paced[0]
    if _BY.search(scene.folded[: new.start]):
        return None
    old = _of_pace(told, fold_evenly(_said(scene)), pace)
    return exchange(expression, old.value, new.value) if old is not None else None


def _said(scene: Scene) -> str:
    """The prompt that the last calculation answered."""
    active = scene.state.active
    return active.prompt if active is not None else ""


def _of_pace(told: Sequence[Amount], folded: str, pace: str) -> Amount | None:
    found = [one for one in told if _pace(folded, one) == pace]
    return found[0] if len(found) == 1 else None


def _pace(folded: str, one: Amount) -> str:
    """The time for which a number is told; none where it is told for nothing."""
    before, after = folded[: one.start], folded[one.end :]
    return next(
        (pace for pace, behind, ahead in _BESIDE if behind.match(after) or ahead.search(before)),
        "",
    )
