"""The two steps of a sign-in by a provider: away to it, and back with a code."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final

from anyio import to_thread
from sqlalchemy import Connection

from chatbot.ports import Clock
from serving.auth.changes import note
from serving.auth.oidc.attempt import Attempt
from serving.auth.oidc.claims import Somebody
from serving.auth.oidc.errors import OidcRefused
from serving.auth.oidc.identities import Identities
from serving.auth.records import AuditEntry
from serving.auth.signing_in.rows import Entrance, spend
from serving.auth.signing_in.sign_ins import ACTOR, NOBODY, SignedIn, SignIns
from serving.settings.oidc import OidcSettings
from serving.storage import Keyring
from serving.storage.database import Database

if TYPE_CHECKING:
    from serving.auth.oidc.provider import Provider

_log = logging.getLogger(__name__)
_PROVIDER: Final = "serving.auth.oidc.provider:Provider"
_LONGEST: Final = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class Return:
    """What a browser brings back from the provider; ``kept`` is our own text in its cookie."""

    kept: str | None
    state: str | None
    code: str | None
    error: str | None
    issuer: str | None


class OidcSignIn:
    """Signs people in by the provider of the settings.

    What checks tokens takes a sixth of a second to load, so it is loaded at the first sign-in.
    """

    def __init__(
        self,
        settings: OidcSettings,
        database: Database,
        *,
        keyring: Keyring,
        clock: Clock,
        sign_ins: SignIns,
        new_id: Callable[[], str],
    ) -> None:
        """Nothing is asked before the first sign-in."""
        self._settings = settings
        self._database = database
        self._keyring = keyring
        self._clock = clock
        self._sign_ins = sign_ins
        self._new_id = new_id
        self._provider: Provider | None = None

    async def begin(self, *, onward: str, back: str) -> tuple[str, str]:
        """The provider's address for this attempt, and the text to keep in the browser.

        Raises:
            ProviderUnavailable: the provider cannot be asked.
        """
        attempt = Attempt.make(onward=onward, now=self._clock.now(), keyring=self._keyring)
        provider = await self._open()
        return await provider.address_of(attempt, back=back), attempt.write(self._keyring)

    async def finish(self, came: Return, *, back: str, address: str) -> tuple[SignedIn, str]:
        """A session for whom the provider knows, and the path to go on to.

        Raises:
            OidcRefused: anything is not right. Of an attempt that began here it stands in the
                audit log, of what anybody can send without one in the process's alone.
            StorageUnavailable: the database cannot be used.
        """
        try:
            attempt = await self._take(came)
        except OidcRefused as error:
            _log.warning("oidc_refused", extra={"reason": error.reason})
            raise
        try:
            entrance = await self._find(came, attempt, back=back)
        except OidcRefused as error:
            _log.warning("oidc_refused", extra={"reason": error.reason})
            told = partial(self._note, address=address, reason=error.reason)
            await self._database.write(told)
            raise
        return await self._sign_ins.let_in(entrance, address), attempt.onward

    async def _take(self, came: Return) -> Attempt:
        """The attempt of which this is the one end.

        Raises:
            OidcRefused: it is none of this browser's, has ended, or was ended before.
        """
        attempt = Attempt.read(came.kept or "", self._keyring)
        if attempt is None or came.state != attempt.state:
            raise OidcRefused("the state is not that of this browser's attempt")
        if attempt.ends_at <= self._clock.now():
            raise OidcRefused("the attempt has ended")
        if not await self._database.write(partial(self._spend, attempt=attempt)):
            raise OidcRefused("the state was used before")
        return attempt

    async def _find(self, came: Return, attempt: Attempt, *, back: str) -> Entrance:
        """The account of whom the provider knows.

        Raises:
            OidcRefused: the provider gave no code or no good token, or they may not come in.
        """
        if came.issuer not in {None, self._settings.issuer}:
            raise OidcRefused("the reply comes from another provider")  # RFC 9207
        if came.error is not None or not came.code or len(came.code) > _LONGEST:
            raise OidcRefused("the provider gave no code")
        provider = await self._open()
        claims = await provider.claims_of(came.code, attempt, back=back)
        somebody = Somebody.read(claims, self._settings)
        return await self._database.write(partial(self._settle, somebody=somebody))

    def _spend(self, connection: Connection, attempt: Attempt) -> bool:
        now, ends_at = self._clock.now(), attempt.ends_at
        return spend(connection, attempt.state, account_id=None, ends_at=ends_at, now=now)

    def _settle(self, connection: Connection, somebody: Somebody) -> Entrance:
        identities = Identities(
            connection=connection,
            settings=self._settings,
            new_id=self._new_id,
            now=self._clock.now(),
        )
        return identities.settle(somebody)

    def _note(self, connection: Connection, address: str, reason: str) -> None:
        entry = AuditEntry(
            at=self._clock.now(),
            actor=ACTOR,
            action="sign_in_failed",
            subject=NOBODY,
            details={"address": address, "reason": reason},
        )
        note(connection, entry)

    async def _open(self) -> "Provider":
        if self._provider is None:
            make = await to_thread.run_sync(resolve_name, _PROVIDER)
            self._provider = make(self._settings, keyring=self._keyring, clock=self._clock)
        return self._provider
