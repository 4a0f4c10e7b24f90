"""What supervisor and worker say to each other: a line each, a word and what belongs to it."""

from typing import Final

PAGE: Final = "page"
"""To workers: where the web chat's process listens; `NOWHERE`: it does not."""
PEERS: Final = "peers"
"""To workers: where each of them takes requests of the others, in their order, or `NOWHERE`."""
DRAIN: Final = "drain"
"""To workers: end what runs, then yourself."""
END: Final = "end"
"""To workers: end at once."""
READY: Final = "ready"
"""Of workers: requests are taken; where it takes those of the others."""
PAGE_HANGS: Final = "page_hangs"
"""Of workers: the page at this address does not answer."""
NOWHERE: Final = "-"


def say(word: str, *more: str) -> bytes:
    """The line."""
    return " ".join((word, *more)).encode("ascii") + b"\n"


def as_address(word: str) -> str | None:
    """An address as it was said."""
    return None if word == NOWHERE else word
