"""The way of a model's words to people: the operator's rules, then the output guard."""

from typing import Final, Literal

from chatbot.bot.record import Record
from chatbot.errors import SensitiveContent
from chatbot.events import TextEvent
from chatbot.sanitizer import Guard
from chatbot.sanitizer.sensitive import Safety, Screen

CHANNELS: Final[tuple[Literal["answer"], Literal["reasoning"]]] = ("answer", "reasoning")


class Outlet:
    """One channel of an answer. Rules come first, so that what they put in is guarded, too."""

    def __init__(
        self,
        guard: Guard,
        safety: Safety,
        record: Record,
        *,
        channel: Literal["answer", "reasoning"],
    ) -> None:
        """Nothing has been said yet."""
        self._guard = guard
        self._safety = safety
        self._screen = Screen(safety.outgoing) if safety.outgoing else None
        self._record = record
        self._channel = channel

    def feed(self, text: str) -> TextEvent | None:
        """What may be shown by now, as an event, if it is anything."""
        if self._screen is not None:
            text = self._screen.feed(text)
        return self._tell(self._guard.feed(text)) if text else None

    def finish(self) -> TextEvent | None:
        """What was still held back, and what closes open code; call it once."""
        held = ""
        if self._screen is not None:
            held = self._screen.finish()
            self._safety.report(self._screen, direction="out")
        return self._tell(self._guard.feed(held) + self._guard.finish())

    @property
    def is_refused(self) -> bool:
        """Whether a rule has forbidden what was said."""
        return self._screen is not None and self._screen.refused is not None

    def check(self) -> None:
        """Raise where a rule has forbidden what was said.

        Raises:
            SensitiveContent: it has; what stood before that has been told.
        """
        if self._screen is not None and self._screen.refused is not None:
            raise SensitiveContent(self._screen.refused.name, in_answer=True)

    def _tell(self, text: str) -> TextEvent | None:
        if not text:
            return None
        return TextEvent(**self._record.stamp(), text=text, channel=self._channel)
