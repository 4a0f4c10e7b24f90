"""Which hosts a model may link to: those that people or tools named, and those trusted always."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self
from unicodedata import normalize

from chatbot.types import Message, ToolResult

HOST_CHARS = 255
_WORD = re.compile(r"[\w-]++(?:\.[\w-]++)*+")
_AFTER_SLASHES = re.compile(r"//([\w-]++(?:\.[\w-]++)*+)")
_LOCALHOST = "localhost"
_PLAIN = re.compile(r"(\w[\w.-]{0,253})(?::[0-9]{1,5})?")


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkPolicy:
    """Hosts whose links stay links; every other one is shown as plain text.

    ``named`` are exact hosts, ``trusted`` count with their subdomains. A leading ``www.`` makes no
    difference. Both hold what `host_key` gives.
    """

    named: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()

    @classmethod
    def of_turn(
        cls,
        messages: Iterable[Message],
        *,
        results: Iterable[ToolResult] = (),
        trusted: Sequence[str] = (),
    ) -> Self:
        """Hosts in all that the user wrote and in what this turn's tools gave."""
        written = (message.text for message in messages if message.role == "user")
        given = (text for result in results for text in _texts(result))
        return cls(
            named=named_hosts((*written, *given)),
            trusted=frozenset(host_key(host) for host in trusted),
        )

    def allows(self, authority: str) -> bool:
        """Whether ``authority``, as it stands after ``//``, is nothing but an allowed host.

        Whatever a browser could read as another host (user information, escapes, odd characters)
        is not allowed.
        """
        plain = _PLAIN.fullmatch(authority)
        if plain is None:
            return False
        host = host_key(plain[1])
        return host in self.named or any(
            host == one or host.endswith(f".{one}") for one in self.trusted
        )


def host_key(host: str) -> str:
    """``host`` as it is compared."""
    return normalize("NFC", host.strip(".").casefold()).removeprefix("www.")


def named_hosts(texts: Iterable[str]) -> frozenset[str]:
    """Everything in ``texts`` that can be a host: names with a dot, and any name after ``//``."""
    found: set[str] = set()
    for text in texts:
        if "." in text:
            found.update(word for word in _WORD.findall(text) if "." in word)
        if "//" in text:
            found.update(_AFTER_SLASHES.findall(text))
        if _LOCALHOST in text:
            found.add(_LOCALHOST)
    return frozenset(map(host_key, found))


def _texts(result: ToolResult) -> Iterable[str]:
    yield result.content
    yield result.plain or ""
    for source in result.attribution:
        yield source.url or ""
