"""The output guard: text of a model or a tool never shows an image and is never active HTML.

In prose a space is put between ``!`` and ``[``, and between ``<`` and whatever could begin a tag.
Clean fenced code passes unchanged. Nothing is held back.
"""

import re
from dataclasses import dataclass, field

from chatbot.sanitizer.fences import Fences
from chatbot.sanitizer.frame import map_frame_characters

# C0 and C1 without tab, line feed and carriage return: some renderers drop them, which would join
# what they kept apart. A lone surrogate cannot be encoded on the way out.
_UNWANTED: dict[int, str | None] = {
    **dict.fromkeys((*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0))),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_NOTABLE = re.compile(r"[!<`~$\\\n\r\u2028\u2029]")


@dataclass(slots=True)
class Guard:
    """Guards one stream of text; the result is the same for every way of cutting it into pieces."""

    _fences: Fences = field(default_factory=Fences)
    _before: str = ""

    def feed(self, text: str) -> str:
        """What may be shown of ``text``, all of it."""
        text = map_frame_characters(text.translate(_UNWANTED))
        shown: list[str] = []
        position = 0
        while position < len(text):
            end = self._skip(text, position)
            shown.append(text[position:end] if end > position else self._show(text[position]))
            position = max(end, position + 1)
        return "".join(shown)

    def finish(self) -> str:
        """What closes an open fence; call it once, at the end of a whole or of a broken text."""
        return self._fences.closing

    def _skip(self, text: str, position: int) -> int:
        """Where the stretch that cannot matter ends."""
        if self._before or not self._fences.is_settled:
            return position
        notable = _NOTABLE.search(text, position)
        return notable.start() if notable else len(text)

    def _show(self, char: str) -> str:
        was_code = self._fences.place == "code"
        self._fences.follow(char)
        if was_code and self._fences.place != "only prose":
            return char
        if _IGNORABLE.match(char):
            return char
        shown = f" {char}" if self._must_part(char) else char
        self._before = char if char in "!<" else ""
        return shown

    def _must_part(self, char: str) -> bool:
        if self._before == "!":
            return char == "["
        return self._before == "<" and (char.isalpha() or char in "/!?")


def guard_text(text: str) -> str:
    """A whole text, guarded and closed."""
    guard = Guard()
    return guard.feed(text) + guard.finish()
