"""The quality of experience of streamed answers: how far a reader was kept waiting.

Source: Liu et al., Andes (arXiv 2404.16283): the area under the line of what the reader has read,
by the area if every token had come as expected. Tokens that come early wait to be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """What a reader expects: the first token after ``first_s``, then ``speed`` tokens a second."""

    first_s: float = 1.0
    speed: float = 5.0


def rate_experience(pieces_ms: Sequence[float], tokens: int, reader: Reader) -> float | None:
    """From 0 to 1, where 1 is as expected; ``None`` where nothing was streamed.

    Where a stream has fewer pieces than tokens, they are spread over the pieces evenly.
    """
    if not pieces_ms:
        return None
    count = max(tokens, len(pieces_ms))
    step = 1 / reader.speed
    expected = [reader.first_s + place * step for place in range(count)]
    read: list[float] = []
    for place, due in enumerate(expected):
        came = pieces_ms[place * len(pieces_ms) // count] / 1e3
        read.append(max(came, due, read[-1] + step if read else due))
    end = read[-1] + step / 2  # each token is read evenly over one step
    return sum(end - at for at in read) / sum(end - at for at in expected)
