"""Tells the operator, in the log and not too often, that a service refuses the key."""

import logging
from threading import Lock

from chatbot.ports import Clock

_log = logging.getLogger(__name__)

EVERY_S = 3600.0


class Alarm:
    """One alarm for all calls, which come from many threads: at most one an hour."""

    def __init__(self, clock: Clock) -> None:
        """Silent so far."""
        self._clock = clock
        self._lock = Lock()
        self._next = 0.0
        self._is_silent = True

    def raise_once(self, service: str) -> None:
        """Log that ``service`` refuses the key, unless that was logged within the hour."""
        with self._lock:
            now = self._clock.monotonic()
            if not self._is_silent and now < self._next:
                return
            self._is_silent, self._next = False, now + EVERY_S
        fields = {"service": service, "setting": "tools.weather.api_key"}
        _log.error("weather_key_refused", extra=fields)
