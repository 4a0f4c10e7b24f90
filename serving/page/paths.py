"""Which paths are the page's: all that nobody else owns, in one unambiguous form."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

_SAFE: Final = "/:@!$&'()*+,;=~-._"
"""What RFC 3986 lets stand in a path as it is."""

_PERSONAL: Final = frozenset({"keys", "admin"})
"""Pages by which one could make keys, or change others' accounts."""


def is_personal(path: str) -> bool:
    """Whether a page is only for who comes with a key or session, and not with the shared key."""
    return not _PERSONAL.isdisjoint(_segments(path))


class PagePaths:
    """Tells the page's paths from those below a first segment that routes of ours own.

    So `/v1/nothing` is nobody's, and not the page's: an API client gets an API's answer.
    """

    def __init__(self, owned: Iterable[str]) -> None:
        """``owned`` are the paths of the gateway's own routes."""
        self._owned = frozenset(_segments(path)[0] for path in owned) - {""}

    def target(self, path: str, query: bytes) -> str | None:
        """What to ask the page for, encoded anew, or ``None`` where ``path`` is not the page's.

        ``path`` is decoded. No segment may be empty or climb, so that the page cannot read it in
        another way than we do.
        """
        first, *rest = _segments(path)
        is_odd = "\\" in path or not path.isprintable()
        if is_odd or first.casefold() in self._owned or any(map(_climbs, (first, *rest))):
            return None
        if "" in (first, *rest[:-1]) and path != "/":
            return None
        encoded = quote(path, safe=_SAFE)
        return f"{encoded}?{query.decode('latin-1')}" if query else encoded


def _segments(path: str) -> list[str]:
    """The parts between the slashes; a leading slash begins none."""
    return path.removeprefix("/").split("/")


def _climbs(segment: str) -> bool:
    """Whether a segment, also one with parameters as Java's servers read them, is `.` or `..`."""
    return segment.partition(";")[0] in {".", ".."}
