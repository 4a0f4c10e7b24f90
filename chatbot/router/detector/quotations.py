"""Passages of a prompt that are quoted or pasted, not said by the user."""

import re

from chatbot.language.patterns import regex

_QUOTED = regex(
    r"„[^”\"]{3,2000}[”\"]|\"[^\"]{3,2000}\"|«[^»]{3,2000}»|”[^”]{3,2000}”|```.{0,2000}?```|"
    r"<(\w{1,20})>.{0,2000}?</\1>",
    re.DOTALL,
)


def blank_quotations(prompt: str) -> str:
    """Put spaces for quotations, so that everything else stays where it is."""
    return _QUOTED.sub(lambda found: " " * len(found[0]), prompt)
