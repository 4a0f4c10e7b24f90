"""A turn that finds no place is told when one is likely to be free."""

from contextlib import ExitStack

import pytest

from chatbot.testing import ManualClock
from serving.gateway.admission import Admission
from serving.http.errors import QueueFull, wire_error
from serving.telemetry import Metrics


@pytest.mark.parametrize(
    ("turn_s", "retry_after"), [(1.0, "4"), (1.1, "5"), (5.0, "20"), (0.01, "1")]
)
async def test_the_wait_is_measured_from_how_fast_turns_end(
    turn_s: float, retry_after: str
) -> None:
    clock = ManualClock()
    admission = Admission(max_turns=4, metrics=Metrics(), clock=clock)
    with ExitStack() as running:
        for _ in range(3):
            running.enter_context(admission.admit())
        for _ in range(20):
            with admission.admit():
                clock.advance(turn_s)
        running.enter_context(admission.admit())
        with pytest.raises(QueueFull) as caught, admission.admit():
            pass

    assert wire_error(caught.value, "r1").headers["retry-after"] == retry_after
