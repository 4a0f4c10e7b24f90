"""An operator's rules for both ways: what models may read, and what people may be shown."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from chatbot.errors import SensitiveContent
from chatbot.sanitizer.sensitive.card import card
from chatbot.sanitizer.sensitive.detector import Detector
from chatbot.sanitizer.sensitive.email import email
from chatbot.sanitizer.sensitive.iban import iban
from chatbot.sanitizer.sensitive.pesel import pesel
from chatbot.sanitizer.sensitive.phone import phone
from chatbot.sanitizer.sensitive.rule import Action, Rule
from chatbot.sanitizer.sensitive.screen import Screen, screen_text
from chatbot.sanitizer.sensitive.values import screen_value
from chatbot.types import JsonObject

BUILT_IN: Final[Mapping[str, tuple[Callable[[], Detector], str]]] = MappingProxyType({
    "pesel": (pesel, "[PESEL]"),
    "card": (card, "[KARTA]"),
    "iban": (iban, "[KONTO]"),
    "email": (email, "[E-MAIL]"),
    "phone": (phone, "[TELEFON]"),
})
"""The detectors that need no word of the operator's, each with what masks its content."""

OnFind: TypeAlias = Callable[[str, Literal["in", "out"], Action, int], None]
"""Hears of finds: the rule's name, the direction, what was done about them, how many."""

log = logging.getLogger(__name__)


class Safety:
    """The rules of one process; without any, every text stays as it is and nothing is done."""

    def __init__(self, rules: Iterable[Rule] = (), *, on_find: OnFind | None = None) -> None:
        """Keep the rules in their order: of two that match at one place, the first counts."""
        self._on_find = on_find
        known = tuple(rules)
        self.incoming = tuple(rule for rule in known if rule.direction != "out")
        self.outgoing = tuple(rule for rule in known if rule.direction != "in")
        self._earlier = tuple(
            replace(rule, action="mask") if rule.action == "refuse" else rule
            for rule in self.incoming
        )

    def read(self, text: str, *, is_last: bool = True) -> str:
        """``text`` of a request as a model may read it.

        Only the last message of a conversation can be refused; in earlier ones the rule masks, so
        that a conversation goes on after a rule was added.

        Raises:
            SensitiveContent: a rule forbids the text.
        """
        return self.read_pieces((text,), is_last=is_last)[0]

    def read_pieces(self, pieces: Sequence[str], *, is_last: bool = True) -> Sequence[str]:
        """The pieces of one text, read as the whole that they are together.

        Where a rule changes anything, what may be a match stands in the last piece that it reaches.

        Raises:
            SensitiveContent: a rule forbids the text.
        """
        rules = self.incoming if is_last else self._earlier
        if not rules or not any(pieces):
            return pieces
        screen = Screen(rules)
        shown = [screen.feed(piece) for piece in pieces]
        shown[-1] += screen.finish()
        self.report(screen, direction="in")
        if screen.refused is not None:
            raise SensitiveContent(screen.refused.name, in_answer=False)
        return pieces if "".join(shown) == "".join(pieces) else shown

    def show(self, text: str) -> str:
        """A whole ``text`` of an answer as people may read it.

        Raises:
            SensitiveContent: a rule forbids the text.
        """
        if not self.outgoing or not text:
            return text
        shown, screen = screen_text(text, self.outgoing)
        self.report(screen, direction="out")
        if screen.refused is not None:
            raise SensitiveContent(screen.refused.name, in_answer=True)
        return shown

    def show_fields(self, fields: JsonObject) -> JsonObject:
        """JSON of an answer, every text and number in it as people may read it."""
        if not self.outgoing:
            return fields
        return {self.show(name): screen_value(value, self.show) for name, value in fields.items()}

    def report(self, screen: Screen, *, direction: Literal["in", "out"]) -> None:
        """Tell what was found: the rules' names and how often, never the text."""
        for rule in screen.rules:
            times = screen.found[rule.name]
            if not times:
                continue
            fields = {"rule": rule.name, "direction": direction, "times": times}
            log.info("sensitive content", extra=fields)
            if self._on_find is not None:
                self._on_find(rule.name, direction, rule.action, times)
