"""What all tickets bring where a reply told how many people or seats there are."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.quantities import Quantity, read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_TICKET = regex(r"\b(?:bilet|wejsciowk|wstep|karnet|miejscowk)\w*")
_ASKS = regex(
    r"\bil[eu]\b|\bjak\w+ (?:\w+ ){0,2}(?:wplyw|przychod|utarg|dochod|zysk|kwot|sum)\w*|"
    r"\b(?:policz|oblicz|podaj) (?:\w+ ){0,2}(?:wplyw|przychod|utarg|dochod)\w*"
)
_NOT_ALL = regex(
    r"\bpolow\w*|\bcwierc\w*|\bproc\w*|%|\btrzeci\w* czesc|\bpodziel\w*|\bna (?:osobe|glowe)"
)
_PAYING = ("osob", "widz", "miejsc", "kibic", "krzes", "fotel", "sluchacz", "gosc", "zwiedzaj",
           "turyst", "uczestni", "pasazer")  # fmt: skip
_LONGEST = 22  # words


def taken_in(scene: Scene) -> str | None:
    """Multiply the price of a ticket with the one number of people or seats of the last reply."""
    last = scene.state.last
    if last is None or scene.is_active(MATHEMATICS) or scene.size > _LONGEST:
        return None
    prices = read_amounts(scene.text)
    is_asked = _TICKET.search(scene.folded) and _ASKS.search(scene.folded)
    if not is_asked or _NOT_ALL.search(scene.folded) or [one.unit for one in prices] != ["zl"]:
        return None
    paying = [one for one in read_quantities(last.reply) if _pays(one)]
    return f"{paying[0].text}*{prices[0].text}" if len(paying) == 1 else None


def _pays(one: Quantity) -> bool:
    """Whether a number counts people who need a ticket, or seats."""
    return not one.per and not one.is_year and one.unit.startswith(_PAYING)
