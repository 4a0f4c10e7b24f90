"""How slow the machine is just now, against a quiet one: what true limits are stretched by."""

import time

QUIET_S = 0.03
"""What the work takes on two cores of the usual machine where nobody else computes."""
PIECES, PIECE = 10, 40_000


def measure_slowness() -> float:
    """How many times longer than there do naps and computing in turn take here; at least 1."""
    began = time.monotonic()
    for _ in range(PIECES):
        time.sleep(0.001)
        sum(number * number for number in range(PIECE))
    return max(1.0, (time.monotonic() - began) / QUIET_S)
