"""Where an engine is and what is asked of it."""

from dataclasses import dataclass
from typing import TypeAlias

Media: TypeAlias = tuple[str, ...]
"""Media types that a reply may have."""
EVENT_STREAM: Media = ("text/event-stream",)
JSON: Media = ("application/json",)


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """Where a server is and how it is reached; times in seconds.

    ``has_others``: whoever asks has other servers, and takes refusals there instead of waiting.
    """

    url: str
    api_key: str | None = None
    connect_s: float = 3.0
    busy_wait_s: float = 5.0
    max_connections: int = 256
    failures_allowed: int = 5
    rest_s: float = 5.0
    is_external: bool = False
    has_others: bool = False
