"""A clock for tests with real deadlines: the date stands still, the seconds run."""

import time

from chatbot.testing import ManualClock


class TickingClock(ManualClock):
    """`now` is set by hand, `monotonic` is the machine's."""

    def monotonic(self) -> float:
        return time.monotonic()
