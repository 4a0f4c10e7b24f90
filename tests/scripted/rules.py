"""Rules for sensitive content, and a gateway that has them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from scripted.gateway import Backstage

from chatbot.sanitizer.sensitive import Action, Direction, Rule, Safety, email, pesel, words
from serving.assembly import Assembly
from serving.settings import Settings

PESEL = "44051401359"
NOT_PESEL = "44051401358"


def rules(action: Action = "mask", direction: Direction = "both") -> Safety:
    """PESEL numbers and one word of the operator's."""
    return Safety([
        Rule(name="pesel", detector=pesel(), action=action, direction=direction, mask="[PESEL]"),
        Rule(
            name="tajne", detector=words(["tajn*"]), action=action, direction=direction, mask="[…]"
        ),
        Rule(name="poczta", detector=email(), action="mask", direction=direction, mask="[E-MAIL]"),
    ])


@dataclass(kw_only=True)
class Watched(Backstage):
    """A gateway whose chatbot has rules."""

    safety: Safety = field(default_factory=rules)

    @asynccontextmanager
    async def open(self, settings: Settings) -> AsyncIterator[Assembly]:
        async with super().open(settings) as assembly:
            yield replace(assembly, chatbot=replace(assembly.chatbot, safety=self.safety))
