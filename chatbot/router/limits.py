"""The bounds within which the router works."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RouterLimits:
    """Times in seconds, sizes in characters.

    ``verdict_s`` is the time to the verdict, ``call_s`` that to the end of the calls.
    ``undecided_chars`` bounds what may stay undecided, ``reasoning_chars`` what is skipped as
    reasoning, ``call_chars`` the text of all calls, ``depth`` the nesting of arguments. The prompt
    is cut to ``prompt_chars``; one above ``long_text_chars`` is not asked about unless its first or
    last ``end_chars`` speak of a tool. ``usage_s`` is how long an ended stream is still read for
    its usage. ``priority`` goes with the request: below 0 it is served before answers, so that no
    turn waits for its verdict behind another's long answer.
    """

    verdict_s: float = 3.0
    call_s: float = 10.0
    max_tokens: int = 256
    max_calls: int = 8
    undecided_chars: int = 64
    reasoning_chars: int = 8_000
    call_chars: int = 16_000
    depth: int = 16
    prompt_chars: int = 2_000
    long_text_chars: int = 8_000
    end_chars: int = 300
    state_lines: int = 6
    usage_s: float = 0.5
    priority: int = -1
