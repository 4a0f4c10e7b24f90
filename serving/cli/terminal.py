"""Makes text that a model or a service gave safe to print on a terminal."""

import json
import re
from typing import Final

_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """``text`` without what moves a cursor, calls the terminal, or turns its letters round.

    Line feeds and tabs stay; carriage returns, with which a line would overwrite itself, do not.
    """
    return _UNSAFE.sub("", text)


def printable_json(value: object) -> str:
    """``value`` as JSON for people and programs: the same characters, as escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], text)
