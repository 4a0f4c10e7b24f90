"""Which clauses of a prompt ask for a tool, each judged on its own."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from chatbot.language.patterns import regex
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
_BETWEEN = regex(
    r"(?:(?<=[.?!;:,)–-])\s+|\s+(?=(?:i|a|oraz|plus|potem|no|przy|\+)\s))"
    r"(?:(?:i|a|oraz|plus|no|\+|jeszcze|potem|też|tez|to|przy okazji|poza tym|do tego|ponadto)"
    r"[\s,:]+)*",
    re.IGNORECASE,
)
"""Where a wish may end, with the words that only join the next one."""

_MOST_CUTS = 14
_LEAST_WORDS = 2
_TRACE = 0.0005
"""A text whose second tool is less likely than this holds no wish for it."""

_PARTED = 0.95
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

    def may_differ(self, text: str) -> bool:
        """Whether a second tool is likely enough that there may be wishes for two."""
        likely = sorted(share for label, share in self._shares(text).items() if label != _NONE)
        return likely[-2] >= _TRACE

    def parted(self, text: str) -> tuple[str, ...]:
        """Cut a text between wishes for different tools, whatever stands between them.

        A cut is right where both sides are surely for a tool, each for another.
        """
        if not self.may_differ(text):
            return (text,)
        halves = max(self._halves(text), key=self._surely_differ, default=None)
        if halves is None or self._surely_differ(halves) < _PARTED:
            return (text,)
        return tuple(each for half in halves for each in self.parted(half))

    def _halves(self, text: str) -> Iterator[tuple[str, str]]:
        for found in islice(_BETWEEN.finditer(text), _MOST_CUTS):
            halves = text[: found.start()].strip(" ,"), text[found.end() :].strip(" ,")
            if all(len(half.split()) >= _LEAST_WORDS for half in halves):
                yield halves

    def _surely_differ(self, halves: tuple[str, str]) -> float:
        """How sure it is that two texts are for two different tools."""
        shares = [self._shares(half) for half in halves]
        labels = [max(each, key=lambda label: each[label]) for each in shares]
        if labels[0] == labels[1] or _NONE in labels:
            return 0.0
        return min(each[label] for each, label in zip(shares, labels, strict=True))

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
