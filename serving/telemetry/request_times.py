"""When a request came and for how long its engines were asked, wherever it is worked on."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from chatbot.types import Usage

_CURRENT: Final[ContextVar["RequestTimes | None"]] = ContextVar("request_times", default=None)
"""Of the request that this task works for; tasks and threads that it starts have it too."""


class RequestTimes:
    """The times of one request, in seconds of the monotonic clock.

    ``engine`` is the one that gave the first token, ``gateway_s`` what had passed by then without
    any engine being asked, ``usage`` the last engine's own; ``received`` is how many UTF-8 bytes of
    text and calls that one wrote.
    """

    def __init__(self) -> None:
        """The request comes now."""
        self.began = time.monotonic()
        self.engine: str | None = None
        self.first_token_s: float | None = None
        self.gateway_s: float | None = None
        self.usage: Usage | None = None
        self.received = 0
        self._asked = 0
        self._asked_since = 0.0
        self._waited_s = 0.0

    def ask(self) -> None:
        """An engine is asked from now on."""
        if self._asked == 0:
            self._asked_since = time.monotonic()
        self._asked += 1

    def hear(self, engine: str) -> None:
        """An engine gives its first token."""
        if self.first_token_s is None:
            self.engine = engine
            self.first_token_s = time.monotonic() - self.began
            self.gateway_s = self.own_s()

    def leave(self, usage: Usage | None, *, received: int = 0) -> None:
        """An engine is asked no longer."""
        self.usage = usage
        self.received = received
        self._asked -= 1
        if self._asked == 0:
            self._waited_s += time.monotonic() - self._asked_since

    def own_s(self) -> float:
        """Seconds since the request came in which no engine was asked."""
        now = time.monotonic()
        asked_s = now - self._asked_since if self._asked else 0.0
        return max(0.0, now - self.began - self._waited_s - asked_s)


@contextmanager
def timing() -> Iterator[RequestTimes]:
    """A request comes; who works for it finds its times by `current_times`."""
    times = RequestTimes()
    token = _CURRENT.set(times)
    try:
        yield times
    finally:
        _CURRENT.reset(token)


def current_times() -> RequestTimes | None:
    """The times of the request that is worked on, if it is any."""
    return _CURRENT.get()
