"""Addresses of electronic mail."""

import re

from chatbot.sanitizer.sensitive.detector import Detector, Matches
from chatbot.sanitizer.sensitive.found import NO_MATCHES
from chatbot.sanitizer.sensitive.pattern import PatternDetector

_LOCAL = r"[\w.%+'-]"
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_TOP = r"[^\W\d_]{2,24}(?![^\W\d_])"
_DOMAIN = 4 * 64 + 24


class _Addresses(PatternDetector):
    """As `PatternDetector`; a text without an at sign costs nothing."""

    def matches(self, text: str, *, start: int, before: int) -> Matches:
        """The addresses, in their order."""
        if text.find("@", start) < 0:
            return NO_MATCHES
        return super().matches(text, start=start, before=before)


def email() -> Detector:
    """A local part of at most 64 characters, ``@``, and a domain of two to five labels.

    Source: RFC 5321, section 4.5.3.1 (lengths). Quoted local parts and numeric addresses, which
    nobody uses, are not found.
    """
    pattern = rf"(?<!{_LOCAL}){_LOCAL}{{1,64}}@(?:{_LABEL}\.){{1,4}}{_TOP}"
    return _Addresses(
        pattern=re.compile(pattern),
        beginning=rf"(?<!{_LOCAL}){_LOCAL}{{1,64}}(?:@[\w.-]{{0,{_DOMAIN}}})?",
        trigger=rf"@|{_LOCAL}\Z",
        longest=64 + 1 + _DOMAIN,
    )
