"""The output guard: text of a model or a tool never shows an image and is never active HTML.

In prose a space is put between ``!`` and ``[``, between ``<`` and whatever could begin a tag, and
before the ``=`` of an active attribute in ``{…}``.
Clean fenced code passes unchanged. Nothing is held back but, where links are judged, the stretch
from a link's opener to the end of its host.
"""

import re

from chatbot.sanitizer.attribute_lists import AttributeLists
from chatbot.sanitizer.fences import Fences
from chatbot.sanitizer.frame import map_frame_characters
from chatbot.sanitizer.hosts import LinkPolicy
from chatbot.sanitizer.links import Links

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
_MAPPED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff⟦⟧]")
_NOTABLE = re.compile(r"[!<{`~$\\\n\r\u2028\u2029]")
_NOTABLE_IN_LIST = re.compile(r"[=}!<{`~$\\\n\r\u2028\u2029]")


class Guard:
    """Guards one stream of text; the result is the same for every way of cutting it into pieces."""

    __slots__ = ("_before", "_fences", "_links", "_lists")

    def __init__(self, *, links: LinkPolicy | None = None) -> None:
        """``links`` says which links may stay; without it they are not judged (tools' text)."""
        self._fences = Fences()
        self._lists = AttributeLists()
        self._links = None if links is None else Links(links)
        self._before = ""

    def feed(self, text: str) -> str:
        """What may be shown by now."""
        if _MAPPED.search(text):
            text = map_frame_characters(text.translate(_UNWANTED))
        shown: list[str] = []
        position = 0
        while position < len(text):
            end = self._skip(text, position)
            is_code = self._fences.place == "code"
            if end > position:
                piece = text[position:end]
            else:
                piece, is_code = self._show(text[position])
                end = position + 1
            shown.append(self._pass_links(piece, is_code=is_code))
            position = end
        return "".join(shown)

    def finish(self) -> str:
        """What is still held back and what closes an open fence.

        Call it once, at the end of a whole or of a broken text.
        """
        held = "" if self._links is None else self._links.finish()
        return held + self._fences.closing

    def _skip(self, text: str, position: int) -> int:
        """Where the stretch that cannot matter ends."""
        if self._before or not self._fences.is_settled:
            return position
        is_in_list = self._lists.is_open
        notable = (_NOTABLE_IN_LIST if is_in_list else _NOTABLE).search(text, position)
        end = notable.start() if notable else len(text)
        if is_in_list:
            self._lists.pass_over(text[position:end])
        return end

    def _show(self, char: str) -> tuple[str, bool]:
        """``char`` as it is shown, and whether it stands in clean code."""
        was_code = self._fences.place == "code"
        self._fences.follow(char)
        if was_code and self._fences.place != "only prose":
            return char, True
        if _IGNORABLE.match(char):
            return char, False
        must_part = self._lists.must_part(char) or self._must_part(char)
        shown = f" {char}" if must_part else char
        self._before = char if char in "!<" else ""
        return shown, False

    def _must_part(self, char: str) -> bool:
        if self._before == "!":
            return char == "["
        return self._before == "<" and (char.isalpha() or char in "/!?")

    def _pass_links(self, piece: str, *, is_code: bool) -> str:
        if self._links is None:
            return piece
        return self._links.finish() + piece if is_code else self._links.feed(piece)


def guard_text(text: str, *, links: LinkPolicy | None = None) -> str:
    """A whole text, guarded and closed."""
    guard = Guard(links=links)
    return guard.feed(text) + guard.finish()
