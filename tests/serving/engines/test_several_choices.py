"""What a reply of several choices amounts to: all of them are written, and paid."""

import json
from dataclasses import replace

from chatbot.testing import ManualClock
from serving.engines.address import Address
from serving.engines.connection import Connection
from serving.engines.reading import Reading, StreamLimits

LIMITS = StreamLimits(idle_s=60.0, max_event_bytes=4_000, largest_usage=100)


def event(index: int, text: str, finish: str | None = None) -> bytes:
    choice = {"index": index, "delta": {"content": text}, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def read(*pieces: bytes, choices: int = 4) -> tuple[Reading, list[str], list[str]]:
    """A reading of the pieces, what it gave of the first choice, and when the reply began."""
    begun: list[str] = []
    connection = Connection(engine="e", address=Address(url=""), clock=ManualClock())
    limits = replace(LIMITS, choices=choices)
    reading = Reading(connection, limits, on_begin=lambda: begun.append("begun"))
    given = [reading.take(piece)[1].text for piece in pieces]
    return reading, given, begun


def test_the_text_of_every_choice_counts() -> None:
    reading, given, _ = read(*(event(at % 4, "słowo ") for at in range(12)))
    assert "".join(given) == "słowo " * 3
    assert reading.received == 12 * len("słowo ".encode())


def test_a_reply_begins_with_whichever_choice_speaks_first() -> None:
    reading, given, begun = read(event(2, "tak"))
    assert (given, begun, reading.received) == ([""], ["begun"], 3)
    assert reading.is_alive


def test_a_reply_is_complete_when_every_choice_that_was_asked_for_has_ended() -> None:
    first = (event(0, "tak"), event(0, "", "stop"))
    reading, _, _ = read(*first, choices=2)
    assert not reading.is_complete
    assert reading.wait_s == LIMITS.idle_s  # the second may still be written
    reading.take(None)
    assert not reading.is_over
    assert reading.owed is not None
    reading, _, _ = read(*first, event(1, "nie", "stop"), choices=2)
    assert reading.is_complete
