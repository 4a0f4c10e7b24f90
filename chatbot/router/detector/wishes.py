"""Which clauses of a prompt ask for a tool, each judged on its own."""

from collections.abc import Callable, Mapping, Sequence

from chatbot.router.detector.calls import is_pointing
from chatbot.router.detector.clauses import is_headed, is_refused, is_request, is_total
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.picture import read_descriptions
from chatbot.router.detector.picture.asking import without_asking
from chatbot.router.detector.spans import split_words

Shares = Mapping[str, float]
"""How likely each class is."""

_NONE = "none"
_SURE = 0.65
_AS_A_HEADING = 0.95
_MOSTLY_FORMULA = 0.7


class Wishes:
    """Reads clauses with a classifier; immutable."""

    def __init__(
        self, shares: Callable[[str], Shares], label: Callable[[str, Shares], str]
    ) -> None:
        """Take what judges a text: its classes, and the one that is chosen from them."""
        self._shares = shares
        self._label = label

    def among(self, clauses: Sequence[str]) -> list[tuple[str, str]]:
        """Return the clauses that ask for a tool, each with its class, in their order.

        What stands before one, and asks nothing, joins it.
        """
        asked: list[tuple[str, str]] = []
        before = ""
        for clause in clauses:
            wholes = (f"{before}, {clause}", clause) if before else (clause,)
            tried = wholes[:1] if is_refused(before) else self._in_order(wholes)
            labelled = ((each, self._sure_label(each)) for each in tried if self._may_ask(each))
            found = next((pair for pair in labelled if _is_wish(*pair)), None)
            before = wholes[0] if found is None else ""
            if found is not None:
                asked.append(found)
        return asked

    def _may_ask(self, clause: str) -> bool:
        """Whether a clause asks, by a word or in short: "temp w Łodzi jutro", "4/7 z 98"."""
        if is_refused(clause):
            return False
        return is_request(clause) or _is_formula(clause) or self._is_plain(clause)

    def _is_plain(self, clause: str) -> bool:
        """Whether a clause is as plain as a heading: "Pogoda: Bergen, czwartek."."""
        shares = self._shares(clause)
        label = max(shares, key=lambda each: shares[each])
        return shares[label] >= _AS_A_HEADING and is_headed(clause, label)

    def _in_order(self, wholes: tuple[str, ...]) -> tuple[str, ...]:
        """Read a topic or a picture from its own clause, all else with what leads to it.

        An order that names nothing belongs to what a colon tells: "na pociechę: panda, wygeneruj".
        """
        own = wholes[-1]
        is_part = is_pointing(own) or is_total(own, wholes[0])
        label = _NONE if is_part else self._sure_label(own)
        is_told = ":" in wholes[0] and label == "image" and not any(read_descriptions(own))
        return wholes[::-1] if label in {"wikipedia", "image"} and not is_told else wholes

    def _sure_label(self, clause: str) -> str:
        shares = self._shares(clause)
        label = self._label(clause, shares)
        is_formula = label == "mathematics" and read_formula(clause) is not None
        return label if is_formula or shares[label] >= _SURE else _NONE


def _is_wish(clause: str, label: str) -> bool:
    """Whether a clause asks for its tool: beside another wish a picture is ordered, or named."""
    if label != "image":
        return label != _NONE
    is_named = any("picture" in groups_of(word.folded) for word in split_words(clause))
    return is_named or is_headed(clause, label) or without_asking(clause).is_asking


def _is_formula(clause: str) -> bool:
    """Whether a clause is a calculation and hardly anything else, which asks for its result."""
    formula = read_formula(clause)
    return formula is not None and formula.share >= _MOSTLY_FORMULA
