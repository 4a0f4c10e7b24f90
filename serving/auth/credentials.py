"""Reads the one credential that a request carries, in whichever header."""

from collections.abc import Iterable
from typing import Final

from chatbot.errors import InvalidRequest

_BEARER: Final = b"bearer"


def read_credential(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The key in ``Authorization: Bearer …`` or ``x-api-key``; ``None`` where there is neither.

    ``headers`` are those of an ASGI scope, names in lower case. A scheme is read without regard to
    case (RFC 9110, 11.1); under another scheme than Bearer the whole value counts, as no key.

    Raises:
        InvalidRequest: there are several that differ; which one counts would be a guess.
    """
    found: bytes | None = None
    for name, value in headers:
        if name == b"authorization":
            scheme, _, rest = value.strip().partition(b" ")
            given = rest.strip() if scheme.lower() == _BEARER else value
        elif name == b"x-api-key":
            given = value.strip()
        else:
            continue
        if found is not None and given != found:
            raise InvalidRequest(
                "'Authorization' and 'x-api-key' carry different keys, or one is given twice: "
                "send one key"
            )
        found = given
    return None if found is None else found.decode("latin-1")
