"""Short JSON from the provider: bounded in bytes and time, no redirect, no other kind of host."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import anyio
import requests
from anyio import CapacityLimiter, to_thread

from chatbot.ports import Clock
from chatbot.tools.session import Network
from chatbot.types import JsonObject
from serving.auth.oidc.errors import OidcRefused, ProviderUnavailable
from serving.settings.sections import is_loopback

LIMIT_S: Final = 10.0
MOST_BYTES: Final = 262_144
_AGENT: Final = "zwrotnica"
_OK: Final = 200
_REFUSED: Final = range(400, 500)


class Fetcher:
    """Asks in threads of its own number, so that a slow provider holds up nothing else."""

    def __init__(self, *, clock: Clock, threads: int = 8, limit_s: float = LIMIT_S) -> None:
        """At most so many requests at once, each for ``limit_s`` seconds from asking to end."""
        self._clock = clock
        self._lane = CapacityLimiter(threads)
        self._limit_s = limit_s

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

    async def _run(self, work: Callable[[requests.Session], JsonObject]) -> JsonObject:
        """In a thread, whose sockets are cut when the time is over or whoever waits has left."""
        network = Network(clock=self._clock, user_agent=_AGENT, max_bytes=MOST_BYTES)
        session = network.session(deadline_s=self._limit_s)
        session.trust_env = True  # its certificates and proxies are the machine's
        try:
            with anyio.fail_after(self._limit_s):
                return await to_thread.run_sync(
                    work, session, limiter=self._lane, abandon_on_cancel=True
                )
        except TimeoutError as error:
            raise ProviderUnavailable("the provider takes too long") from error
        finally:
            session.close()
            network.close()


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
    method: str,
    url: str,
    form: Mapping[str, str],
    basic: tuple[str, str] | None,
    session: requests.Session,
) -> JsonObject:
    try:
        reply = session.request(
            method,
            url,
            data=dict(form) or None,
            auth=basic,
            headers={"accept": "application/json"},
            allow_redirects=False,
        )
    except requests.RequestException as error:
        raise ProviderUnavailable(f"the provider: {type(error).__name__}") from error
    return _read(reply.status_code, reply.content)


def _read(status: int, body: bytes) -> JsonObject:
    if status in _REFUSED:
        raise OidcRefused(f"the provider answered with status {status}")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ProviderUnavailable("the provider's reply is no JSON") from error
    if status != _OK or not isinstance(found, dict):
        raise ProviderUnavailable(f"the provider answered with status {status}")
    return found
