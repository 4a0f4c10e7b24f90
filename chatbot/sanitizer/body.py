"""The body of a message as a frame's signature covers it, and what may follow it in safety."""

import hashlib
import re
from typing import Final
from unicodedata import normalize

from chatbot.sanitizer.frame import leave_out_frames
from chatbot.sanitizer.images import leave_out_own_images

_LINE_END: Final = re.compile(r"\r\n?")
_BLANK_LINES: Final = re.compile(r"\n{3,}")
_FENCE: Final = re.compile(r"(?P<indent> {0,3})(?P<mark>`{3,}|~{3,})(?P<rest>[^\n]*)")
_LIST_ITEM: Final = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:\s|$)")
_MARKS: Final = re.compile(r"`[^`\n]*`|\$\$|\\.|<!--|-->|\n\n")
_CLOSED_BY: Final = {"$$": "$$", r"\[": r"\]", "<!--": "-->"}


def body_digest(text: str) -> str:
    """The SHA-256 of a message's text without its frames and our own image links.

    Line ends, trailing blanks, the number of blank lines and Unicode's normal form make no
    difference: clients change them without anybody's wish.
    """
    bare = normalize("NFC", leave_out_own_images(leave_out_frames(text)))
    lines = "\n".join(line.rstrip() for line in _lines(bare))
    return hashlib.sha256(
        _BLANK_LINES.sub("\n\n", lines).strip().encode(errors="replace")
    ).hexdigest()


def closing_of(text: str) -> str:
    """What closes the fence, comment or display formula that ``text`` leaves open."""
    fence, prose = "", []
    is_in_list = False
    for line in _lines(text):
        found = _FENCE.match(line)
        if fence:
            if found and found["mark"].startswith(fence) and not found["rest"].strip():
                fence = ""
        elif found and _opens(found, is_in_list=is_in_list):
            fence = found["mark"]
        else:
            is_in_list = bool(_LIST_ITEM.match(line)) or (is_in_list and not line[:1].strip())
            prose.append(line.rstrip())
    return f"\n{fence}" if fence else _closing_mark("\n".join(prose))


def _lines(text: str) -> list[str]:
    return _LINE_END.sub("\n", text).split("\n")


def _opens(found: re.Match[str], *, is_in_list: bool) -> bool:
    """Whether a fence line opens code that only a fence can close; a list ends by itself."""
    is_inline = found["mark"][0] == "`" and "`" in found["rest"]
    return not is_inline and not (found["indent"] and is_in_list)


def _closing_mark(prose: str) -> str:
    """What ends the comment or formula left open; a blank line ends a formula by itself."""
    closing = ""
    for found in _MARKS.finditer(prose):
        mark = found[0]
        if not closing:
            closing = _CLOSED_BY.get(mark, "")
        elif mark == closing or (mark == "\n\n" and closing != "-->"):
            closing = ""
    return f"\n{closing}" if closing else ""
