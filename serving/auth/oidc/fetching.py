"""Short JSON from the provider: bounded in bytes and time, no redirect, no other kind of host."""

import json
import time
from collections.abc import Mapping
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import requests
from anyio import CapacityLimiter, to_thread

from chatbot.types import JsonObject
from serving.auth.oidc.errors import OidcRefused, ProviderUnavailable
from serving.settings.sections import is_loopback

LIMIT_S: Final = 10.0
MOST_BYTES: Final = 262_144
_PIECE: Final = 16_384
_OK: Final = 200
_REFUSED: Final = range(400, 500)


class Fetcher:
    """Asks in threads of its own number, so that a slow provider holds up nothing else."""

    def __init__(self, *, threads: int = 8) -> None:
        """At most so many requests at once."""
        self._lane = CapacityLimiter(threads)

    async def get(self, url: str) -> JsonObject:
        """The JSON object there.

        Raises:
            ProviderUnavailable: there is none.
        """
        return await self._run(partial(_ask, "GET", url, {}, None))

    async def post(
        self, url: str, form: Mapping[str, str], basic: tuple[str, str] | None
    ) -> JsonObject:
        """The JSON object in reply to a form, sent with these name and password, if any.

        Raises:
            OidcRefused: the provider refuses it.
            ProviderUnavailable: it says nothing of use.
        """
        return await self._run(partial(_ask, "POST", url, form, basic))

    async def _run(self, work: "partial[JsonObject]") -> JsonObject:
        return await to_thread.run_sync(work, limiter=self._lane)


def check_address(url: object, *, what: str) -> str:
    """``url`` where it may be asked: https, or this machine.

    Raises:
        ProviderUnavailable: it may not.
    """
    parts = urlsplit(url if isinstance(url, str) else "")
    is_safe = parts.scheme == "https" or (
        parts.scheme == "http" and is_loopback(parts.hostname or "")
    )
    if not is_safe or not parts.hostname or not isinstance(url, str):
        raise ProviderUnavailable(f"the provider's {what} is no https address")
    return url


def _ask(
    method: str, url: str, form: Mapping[str, str], basic: tuple[str, str] | None
) -> JsonObject:
    ends = time.monotonic() + LIMIT_S
    try:
        with requests.request(
            method,
            url,
            data=dict(form) or None,
            auth=basic,
            headers={"accept": "application/json"},
            timeout=LIMIT_S,
            allow_redirects=False,
            stream=True,
        ) as reply:
            body = bytearray()
            for piece in reply.iter_content(_PIECE):
                body += piece
                if len(body) > MOST_BYTES or time.monotonic() > ends:
                    raise ProviderUnavailable("the provider's reply is too long or too slow")
            return _read(reply.status_code, bytes(body))
    except requests.RequestException as error:
        raise ProviderUnavailable(f"the provider: {type(error).__name__}") from error


def _read(status: int, body: bytes) -> JsonObject:
    if status in _REFUSED:
        raise OidcRefused(f"the provider answered with status {status}")
    try:
        found = json.loads(body)
    except ValueError as error:
        raise ProviderUnavailable("the provider's reply is no JSON") from error
    if status != _OK or not isinstance(found, dict):
        raise ProviderUnavailable(f"the provider answered with status {status}")
    return found
