"""The provider over HTTP: what it tells of itself, its keys, codes turned into claims."""

import logging
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from chatbot.ports import Clock
from chatbot.types import JsonObject
from serving.auth.oidc.attempt import Attempt
from serving.auth.oidc.errors import ProviderUnavailable
from serving.auth.oidc.fetching import Fetcher, check_address
from serving.auth.oidc.id_token import Expected, Keys, UnknownKey, read_claims, read_keys
from serving.settings.oidc import OidcSettings
from serving.storage import Keyring

_log = logging.getLogger(__name__)
FRESH_S: Final = 3600.0
"""For how long discovery and keys count."""
AGAIN_S: Final = 60.0
"""How often at most keys are asked for because a token has an unknown one."""
_DISCOVERY: Final = "/.well-known/openid-configuration"


class Provider:
    """The provider of the settings; what it says is kept for an hour."""

    def __init__(self, settings: OidcSettings, *, keyring: Keyring, clock: Clock) -> None:
        """Nothing is asked before the first sign-in."""
        self._settings = settings
        self._keyring = keyring
        self._clock = clock
        self._fetcher = Fetcher(clock=clock)
        self._document: JsonObject = {}
        self._keys: Keys = ()
        self._unreadable: Sequence[str] = ()
        self._looked_at = self._keyed_at = self._renewed_at = float("-inf")

    async def address_of(self, attempt: Attempt, *, back: str) -> str:
        """Where the browser goes to sign in; it comes back to ``back``.

        Raises:
            ProviderUnavailable: the provider cannot be asked.
        """
        document = await self._discover()
        address = check_address(document.get("authorization_endpoint"), what="sign-in page")
        asked = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": back,
            "scope": " ".join(self._settings.scopes),
            "state": attempt.state,
            "nonce": attempt.nonce(self._keyring),
            "code_challenge": attempt.challenge(self._keyring),
            "code_challenge_method": "S256",
        }
        return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"

    async def claims_of(self, code: str, attempt: Attempt, *, back: str) -> Mapping[str, object]:
        """What the provider says of whoever came back with ``code``.

        Raises:
            OidcRefused: the code, or the token for it, is not right.
            ProviderUnavailable: the provider cannot be asked.
        """
        document = await self._discover()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "code_verifier": attempt.verifier(self._keyring),
        }
        basic = self._authenticate(document, form)
        address = check_address(document.get("token_endpoint"), what="token address")
        reply = await self._fetcher.post(address, form, basic)
        expected = Expected(
            issuer=str(self._settings.issuer),
            client_id=self._settings.client_id,
            nonce=attempt.nonce(self._keyring),
            now=int(self._clock.now().timestamp()),
        )
        try:
            return read_claims(reply.get("id_token"), await self._find_keys(), expected)
        except UnknownKey:
            keys = await self._renew_keys()
            return read_claims(reply.get("id_token"), keys, expected)

    def _authenticate(self, document: JsonObject, form: dict[str, str]) -> tuple[str, str] | None:
        """Name and password for the request, or both in the ``form``, as the provider wants it."""
        secret = self._settings.client_secret
        ways = document.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if secret is not None and isinstance(ways, list) and "client_secret_basic" in ways:
            name = urlencode({"": self._settings.client_id})[1:]
            return name, urlencode({"": secret.get_secret_value()})[1:]  # RFC 6749, 2.3.1
        form["client_id"] = self._settings.client_id
        if secret is not None:
            form["client_secret"] = secret.get_secret_value()
        return None

    async def _discover(self) -> JsonObject:
        if self._clock.monotonic() > self._looked_at + FRESH_S:
            issuer = check_address(self._settings.issuer, what="issuer")
            document = await self._fetcher.get(issuer.rstrip("/") + _DISCOVERY)
            if document.get("issuer") != issuer:
                raise ProviderUnavailable("the provider calls itself by another name than 'issuer'")
            self._document, self._looked_at = document, self._clock.monotonic()
        return self._document

    async def _renew_keys(self) -> Keys:
        """The keys as they are now, unless it was for this that they were asked for just before."""
        if self._clock.monotonic() > self._renewed_at + AGAIN_S:
            self._renewed_at, self._keyed_at = self._clock.monotonic(), float("-inf")
        return await self._find_keys()

    async def _find_keys(self) -> Keys:
        now = self._clock.monotonic()
        if not self._keys or now > self._keyed_at + FRESH_S:
            address = check_address((await self._discover()).get("jwks_uri"), what="keys")
            self._keys, unreadable = read_keys(await self._fetcher.get(address))
            self._keyed_at = now
            if unreadable != self._unreadable:
                self._unreadable = unreadable
                _log.warning("oidc_keys_unreadable", extra={"keys": unreadable})
        return self._keys
