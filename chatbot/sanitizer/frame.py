"""The attribution frame: its two characters and the grammar of its line, built and found again.

``⟦źródło: Wikipedia, „Mikołaj Kopernik”, CC BY-SA 4.0, https://… · z1.<kid>.<message id>.<mac>⟧``
stands on a line of its own, at most 400 characters. No user, model or tool can write ``⟦`` or
``⟧``: in their text both are mapped. Nothing here signs or verifies.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from chatbot.types import Attribution

FRAME_CHARACTERS = {ord("⟦"): "[[", ord("⟧"): "]]"}
FRAME_CHARS: Final = 400
_LABEL: Final = "źródło: "
_SIGNATURE: Final = (
    r"z1\.(?P<kid>[a-z2-7]{1,16})\.(?P<message_id>[A-Za-z0-9_-]{1,64})\.(?P<mac>[a-z2-7]{26})"
)
_FRAME: Final = re.compile(rf"⟦{_LABEL}(?P<visible>[^⟦⟧\r\n]+) · {_SIGNATURE}⟧")
_CUT_SIGNATURE: Final = re.compile(
    r"(?: ?· ?)?(?<![\w.])z1\.[a-z2-7]{1,16}\.[A-Za-z0-9_-]{8,64}(?:\.[a-z2-7]{0,26})?"
)
_CUT_MAC: Final = re.compile(r"[a-z2-7]{20,26}(?=⟧)")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BLANK: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_URL: Final = re.compile(r"https?://\S+")
_ESCAPED_IN_URL: Final = {ord(char): f"%{ord(char):02X}" for char in '[]<>"\\^`{|}'}


def map_frame_characters(text: str) -> str:
    """``text`` with each frame character replaced by two ordinary brackets.

    The replacement holds no frame character, so removing anything from the text later cannot
    assemble one.
    """
    return text.translate(FRAME_CHARACTERS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """One frame: what people read of the source, and the signature with what it names."""

    visible: str
    kid: str
    message_id: str
    mac: str

    @property
    def line(self) -> str:
        """The frame as it stands in a message."""
        return f"⟦{_LABEL}{self.visible} · z1.{self.kid}.{self.message_id}.{self.mac}⟧"


def parse_frame(line: str) -> Frame | None:
    """The frame that ``line`` is, blanks around it aside; ``None`` if it is anything else.

    What was put into another normal form of Unicode on the way is composed again (NFC).
    """
    if "⟦" not in line[: len(line) - len(line.lstrip()) + 1]:
        return None
    line = line.strip()
    if len(line) > 2 * FRAME_CHARS:  # decomposed text is longer, but never twice as long
        return None
    line = normalize("NFC", line)
    found = _FRAME.fullmatch(line)
    if found is None or len(line) > FRAME_CHARS:
        return None
    return Frame(
        visible=found["visible"],
        kid=found["kid"],
        message_id=found["message_id"],
        mac=found["mac"],
    )


def find_frames(text: str) -> Iterator[Frame]:
    """The frames of ``text``, in order, as they are read; takes linear time."""
    for line in _lines(text) if "⟦" in text else ():
        if (frame := parse_frame(line)) is not None:
            yield frame


def leave_out_frames(text: str) -> str:
    """``text`` without the lines that are frames, whether they verify or not."""
    if "⟦" not in text:
        return text
    return "".join(line for line in _lines(text) if parse_frame(line) is None)


def leave_out_signatures(text: str) -> str:
    """``text`` without what looks like a frame's signature, or a part of it, outside any frame."""
    text = _CUT_SIGNATURE.sub("", text) if "z1." in text else text
    return _CUT_MAC.sub("", text) if "⟧" in text else text


def describe_source(source: Attribution, *, longest: int) -> str:
    """What a frame shows of ``source``: safe for the grammar, at most ``longest`` characters.

    The title is cut first; an address that does not fit whole is left out.
    """
    name, licence = _plain(source.source), _plain(source.licence)
    url = plain_url(source.url)
    fixed = [part for part in (licence, url) if part]
    if url and _length(name, *fixed) + 2 > longest:
        fixed.remove(url)
    title = _plain(source.title)
    room = longest - _length(name, *fixed) - len(", „”")
    parts = [name, f"„{_cut(title, room)}”" if title and room > 1 else "", *fixed]
    return _cut(", ".join(filter(None, parts)), longest)


def room_for_source(kid: str, message_id: str) -> int:
    """How many characters a frame with this signature has for its source.

    Raises:
        ValueError: the grammar cannot hold ``kid`` or ``message_id``.
    """
    bare = Frame(visible="x", kid=kid, message_id=message_id, mac="a" * 26)
    if parse_frame(bare.line) is None:
        raise ValueError(f"a frame cannot name the key {kid!r} and the message {message_id!r}")
    return FRAME_CHARS - len(bare.line) + 1


def _lines(text: str) -> Iterator[str]:
    """The lines of ``text`` with their ends, which are those of Markdown alone."""
    return (found[0] for found in _LINE.finditer(text) if found[0])


def _plain(text: str | None) -> str:
    """One line of ``text`` without frame characters, in the form in which it is signed (NFC)."""
    return normalize("NFC", _BLANK.sub(" ", map_frame_characters(text or ""))).strip()


def plain_url(url: str | None) -> str:
    """An address that no renderer can take for more than an address; else nothing."""
    plain = _plain(url)
    return plain.translate(_ESCAPED_IN_URL) if _URL.fullmatch(plain) else ""


def _length(*parts: str) -> int:
    return len(", ".join(filter(None, parts)))


def _cut(text: str, longest: int) -> str:
    """At most ``longest`` characters, cut between words where one is near."""
    if len(text) <= longest:
        return text
    kept = text[: longest - 1]
    at_word = kept.rpartition(" ")[0]
    return (at_word if len(at_word) > longest // 2 else kept).rstrip(" ,;:") + "…"
