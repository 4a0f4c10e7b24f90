"""The quality of experience of streamed answers: how far a reader was kept waiting.

Source: Liu et al., Andes (arXiv 2404.16283v2), section 3.1: QoE = 1 − S_delay / S_whole (equation
3). S_delay is the sum over all tokens of when each was read later than in the reader's own ideal
(equation 1), S_whole that of when each was read since the request was sent (equation 2). Tokens
that come early wait to be read, and one that comes late keeps all after it waiting. The paper's
first version divided areas under the two lines in place of these, so its figures differ.
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
    ideal = [reader.first_s + place * step for place in range(count)]
    read: list[float] = []
    for place, due in enumerate(ideal):
        came = pieces_ms[place * len(pieces_ms) // count] / 1e3
        read.append(max(came, due, read[-1] + step if read else due))
    return sum(ideal) / sum(read)  # 1 - S_delay / S_whole, as sent at 0 and never read early
