"""Addresses of electronic mail."""

import re
from collections.abc import Iterator

from chatbot.sanitizer.sensitive.detector import Detector, PatternDetector, Span

_LOCAL = r"[\w.%+'-]"
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_TOP = r"[^\W\d_]{2,24}(?![^\W\d_])"
_DOMAIN = 4 * 64 + 24


class _Addresses(PatternDetector):
    """As `PatternDetector`; a text without an at sign costs nothing."""

    def matches(self, text: str, *, start: int, before: int) -> Iterator[Span]:
        """The addresses, in their order."""
        if (sign := text.find("@", start)) >= 0:
            yield from super().matches(text, start=max(start, sign - self.longest), before=before)


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
