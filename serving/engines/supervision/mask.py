"""Hides secrets in a stream of bytes, wherever the stream was cut into pieces."""

import re
from collections.abc import Iterable
from typing import Final

HIDDEN: Final = b"***"


class Mask:
    """Passes bytes on with every secret hidden; holds back what may be the beginning of one."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Empty secrets are none."""
        found = sorted({secret.encode() for secret in secrets if secret}, key=len, reverse=True)
        self._secrets = found
        self._pattern = re.compile(b"|".join(map(re.escape, found))) if found else None
        self._held = b""

    def feed(self, piece: bytes) -> bytes:
        """What may be shown of ``piece`` and of what was held back."""
        if self._pattern is None:
            return piece
        text = self._held + piece
        cut = self._safe(text, 0)
        for found in self._pattern.finditer(text):
            if found.start() < cut < found.end():
                cut = self._safe(text, found.end())
        self._held = text[cut:]
        return self._pattern.sub(HIDDEN, text[:cut])

    def end(self) -> bytes:
        """What was held back: nothing follows, so it is no secret."""
        held, self._held = self._held, b""
        return held if self._pattern is None else self._pattern.sub(HIDDEN, held)

    def _safe(self, text: bytes, start: int) -> int:
        """Where what may be the beginning of a secret stands at the end of ``text[start:]``."""
        longest = len(self._secrets[0])
        for place in range(max(start, len(text) - longest + 1), len(text)):
            rest = text[place:]
            if any(len(rest) < len(one) and one.startswith(rest) for one in self._secrets):
                return place
        return len(text)
