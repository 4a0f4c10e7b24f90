"""A bounded cache whose entries expire, safe from any thread."""

from collections import OrderedDict
from threading import Lock

from chatbot.ports import Clock


class TimedCache:
    """A `Cache`: the entry unused for longest leaves when ``max_entries`` is reached."""

    def __init__(self, *, clock: Clock, max_entries: int = 256) -> None:
        """Start empty; ``clock.monotonic`` decides what has expired."""
        self._clock = clock
        self._max_entries = max_entries
        self._entries: OrderedDict[str, tuple[float, object]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> object | None:
        """The value, or ``None`` where there is none or it has expired."""
        with self._lock:
            expires, value = self._entries.get(key, (0.0, None))
            if value is None:
                return None
            if expires <= self._clock.monotonic():
                del self._entries[key]
                return None
            self._entries.move_to_end(key)
            return value

    def put(self, key: str, value: object, *, ttl_s: float) -> None:
        """Keep ``value`` for ``ttl_s`` seconds."""
        with self._lock:
            self._entries[key] = (self._clock.monotonic() + ttl_s, value)
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)
