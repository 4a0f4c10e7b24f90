"""The machine's own time, for whoever is handed a clock."""

import time
from datetime import UTC, datetime


class SystemClock:
    """Implements `chatbot.ports.Clock` with the machine's own time."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()
