"""The name of an exported file, from the conversation's title."""

import re
from datetime import datetime
from typing import Final
from urllib.parse import quote

from serving.gateway.exports.words import Words, to_local

_LONGEST: Final = 80
_UNSAFE: Final = re.compile(
    r"""[\x00-\x1f\x7f-\x9f<>:"/\\|?*%\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+"""
)


def name_file(title: str | None, words: Words, moment: datetime, suffix: str) -> str:
    """A name that every file system takes: the title, else all conversations of a day."""
    plain = " ".join(_UNSAFE.sub(" ", title or "").split())[:_LONGEST].strip(" .")
    if title is None:
        plain = f"{words.all_conversations} {to_local(moment):%Y-%m-%d}"
    return f"{plain or words.conversation}.{suffix}"


def disposition(name: str) -> str:
    """The header that makes a browser save the file; Polish letters as RFC 5987 writes them."""
    suffix = name.rpartition(".")[2]
    return f"attachment; filename=\"zwrotnica.{suffix}\"; filename*=UTF-8''{quote(name, safe='')}"
