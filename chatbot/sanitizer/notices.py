"""Notices in the text of an answer: written for people, left out of what a model reads."""

import re

MARK = "ⓘ "
_LINE = re.compile(r"^ⓘ [^\n]{1,400}\n?", re.MULTILINE)


def write_notice(text: str) -> str:
    """``text`` as a line of its own that a later turn can recognise."""
    return MARK + " ".join(text.split())


def leave_out_notices(text: str) -> str:
    """An earlier answer without its notices, which a model would otherwise learn to imitate."""
    return _LINE.sub("", text)
