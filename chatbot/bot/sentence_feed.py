"""Cuts what a model streams into whole sentences and lines, as soon as each is known to end."""

from chatbot.language.sentences import sentence_ends

LONGEST = 1_000


class SentenceFeed:
    """Joined again, the pieces are what was fed; each keeps the blanks before it."""

    def __init__(self) -> None:
        """Nothing is held yet."""
        self._held = ""

    def feed(self, text: str) -> tuple[str, ...]:
        """The sentences that ``text`` completes; the next one must have begun."""
        self._held += text
        sentences: list[str] = []
        while (end := self._end()) is not None:
            sentences.append(self._held[:end])
            self._held = self._held[end:]
        return tuple(sentences)

    def finish(self) -> str:
        """What is left when the model has ended: its last sentence."""
        rest, self._held = self._held, ""
        return rest

    def _end(self) -> int | None:
        blanks = len(self._held) - len(self._held.lstrip())
        line = self._held.find("\n", blanks)
        limit = len(self._held) if line < 0 else line
        for end in sentence_ends(self._held[:limit]):
            if end > blanks and self._held[end:].strip():
                return end
        if line >= 0:
            return line
        return LONGEST if len(self._held) > LONGEST else None
