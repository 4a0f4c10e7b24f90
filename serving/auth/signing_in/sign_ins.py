"""Signs people in and out: a name and a password for a session, which ends or is ended."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from anyio import CancelScope
from sqlalchemy import Connection

from chatbot.errors import ErrorCode
from chatbot.ports import Clock
from serving.auth.changes import note, record
from serving.auth.records import AuditEntry
from serving.auth.signing_in.guesses import Counted, Guess, Guesses
from serving.auth.signing_in.passwords import Passwords
from serving.auth.signing_in.rows import (
    Entrance,
    entrance_of,
    find_entrance,
    keep_password,
    renew,
    spend,
)
from serving.auth.signing_in.tokens import Session
from serving.http.errors import Refusal
from serving.settings import AuthSettings
from serving.storage import Keyring
from serving.storage.database import Database
from serving.storage.tables import ACCOUNTS

ACTOR: Final = "sign-in page"
"""Who tried to sign in, as the log tells it, before that is known."""
NOBODY: Final = "unknown"
"""Whom a wrong name stands for in the log: it may be a password, typed into the wrong field."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedIn:
    """A session that has just begun, and the text that the browser keeps of it."""

    session: Session
    text: str


class SignIns:
    """Sessions of one database; every method raises `StorageUnavailable` without it."""

    def __init__(
        self,
        database: Database,
        *,
        keyring: Keyring,
        clock: Clock,
        settings: AuthSettings,
        passwords: Passwords,
    ) -> None:
        """``settings`` say how often one may guess, and how long a session lasts."""
        self._database = database
        self._keyring = keyring
        self._clock = clock
        self._settings = settings
        self._guesses = Guesses(keyring, settings)
        self._passwords = passwords

    async def sign_in(self, guess: Guess, password: str) -> SignedIn:
        """A session for whoever knows the password of the account that ``guess`` names.

        Raises:
            Refusal: name and password are not right together (``invalid_api_key``), in the same
                words and the same time for every reason; or it was tried too often
                (``rate_limit_exceeded``), or too many sign in at once (``queue_full``).
        """
        return await self.let_in(await self.check(guess, password), guess.address)

    async def let_in(self, entrance: Entrance, address: str) -> SignedIn:
        """A session for somebody whose identity was checked; ``address`` is for the log."""
        return await self._database.write(partial(self._let_in, entrance=entrance, address=address))

    async def check(self, guess: Guess, password: str) -> Entrance:
        """The account that ``guess`` names, where this is its password; see `sign_in`."""
        begin = partial(self._begin_guess, guess=guess)
        counted, entrance = await self._database.write(begin)
        with self._guesses.under_way(counted):
            try:
                is_right = await self._compare(entrance, password, counted)
            except BaseException:  # whatever it was, also that the browser left: nothing was told
                with CancelScope(shield=True):
                    await self._database.write(partial(self._guesses.take_back, counted=counted))
                raise
        if entrance is None or not is_right:
            subject = NOBODY if entrance is None else entrance.account.account_id
            await self._database.write(partial(self._fail, subject=subject, guess=guess))
            raise Refusal("the name or the password is wrong", code=ErrorCode.INVALID_API_KEY)
        return entrance

    async def sign_out(self, text: str, *, everywhere: bool = False) -> None:
        """End the session that ``text`` stands for, or all of its account; a dead one stays so."""
        session = Session.read(text, self._keyring)
        if session is not None:
            await self._database.write(
                partial(self._let_out, session=session, everywhere=everywhere)
            )

    async def end_all(self, account_id: str, *, actor: str) -> None:
        """End every session of the account."""

        def work(connection: Connection) -> None:
            entrance = entrance_of(connection, account_id)
            if entrance is not None:
                self._end_all(connection, entrance, actor=actor)

        await self._database.write(work)

    async def _compare(self, entrance: Entrance | None, password: str, counted: Counted) -> bool:
        """Whether it is the password, and then it was no wrong guess."""
        kept = None if entrance is None or not entrance.is_open else entrance.password
        if not await self._passwords.fits(password, kept) or entrance is None or kept is None:
            return False
        anew = await self._passwords.hash(password) if self._passwords.is_outdated(kept) else None
        await self._database.write(
            partial(self._end_guess, counted=counted, entrance=entrance, anew=anew)
        )
        return True

    def _begin_guess(self, connection: Connection, guess: Guess) -> tuple[Counted, Entrance | None]:
        counted = self._guesses.count(connection, guess, self._clock.now())
        return counted, find_entrance(connection, ACCOUNTS.c.name == guess.name)

    def _end_guess(
        self, connection: Connection, counted: Counted, entrance: Entrance, anew: str | None
    ) -> None:
        self._guesses.forgive(connection, counted)
        if anew is not None:
            keep_password(connection, entrance, anew)

    def _fail(self, connection: Connection, subject: str, guess: Guess) -> None:
        details = {"address": guess.address}
        note(connection, self._entry(ACTOR, "sign_in_failed", subject, **details))

    def _let_in(self, connection: Connection, entrance: Entrance, address: str) -> SignedIn:
        account = entrance.account.account_id
        session = Session.make(
            account_id=account,
            epoch=entrance.epoch,
            ends_at=self._clock.now() + timedelta(seconds=self._settings.session_s),
        )
        details = {"address": address, "session": session.session_id}
        note(connection, self._entry(account, "signed_in", account, **details))
        return SignedIn(session=session, text=session.write(self._keyring))

    def _let_out(self, connection: Connection, session: Session, *, everywhere: bool) -> None:
        entrance = entrance_of(connection, session.account_id)
        now = self._clock.now()
        if entrance is None or entrance.epoch != session.epoch or session.ends_at <= now:
            return
        account = session.account_id
        if everywhere:
            self._end_all(connection, entrance, actor=account)
        elif spend(
            connection,
            session.session_id,
            account_id=account,
            ends_at=session.ends_at,
            now=now,
        ):
            details = {"session": session.session_id}
            record(connection, self._entry(account, "signed_out", account, **details))

    def _end_all(self, connection: Connection, entrance: Entrance, *, actor: str) -> None:
        renew(connection, entrance, password=entrance.password, now=self._clock.now())
        entry = self._entry(actor, "signed_out_everywhere", entrance.account.account_id)
        record(connection, entry)

    def _entry(self, actor: str, action: str, subject: str, **details: str) -> AuditEntry:
        now = self._clock.now()
        return AuditEntry(at=now, actor=actor, action=action, subject=subject, details=details)
