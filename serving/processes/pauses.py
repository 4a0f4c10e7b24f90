"""The pauses between one life of a process and the next."""

from typing import Final

STEADY_S: Final = 60.0
"""After a life that was longer, the next pause is the shortest again."""
LONGEST_S: Final = 60.0
_DOUBLINGS: Final = 32


class Pauses:
    """Each pause is twice the one before, from ``first_s`` to a minute."""

    def __init__(self, *, first_s: float) -> None:
        """``first_s`` is the pause after the first failure, in seconds."""
        self._first_s = first_s
        self._failures = 0

    def after(self, lived_s: float) -> float:
        """Seconds to wait after a life of ``lived_s`` seconds."""
        self._failures = 1 if lived_s > STEADY_S else min(self._failures + 1, _DOUBLINGS)
        return float(min(self._first_s * 2 ** (self._failures - 1), LONGEST_S))
