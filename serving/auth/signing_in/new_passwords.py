"""Sets, changes and removes passwords, and makes the links by which people set their own."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.ports import Clock
from serving.auth.changes import record
from serving.auth.records import Account, AuditEntry
from serving.auth.signing_in.passwords import Passwords, check_password
from serving.auth.signing_in.rows import Entrance, entrance_of, renew
from serving.auth.signing_in.tokens import PasswordLink
from serving.http.errors import Refusal
from serving.settings import AuthSettings
from serving.storage import Keyring
from serving.storage.database import Database


class DeadLink(InvalidRequest):
    """A link that sets no password any more: it was used, has ended, or is none of ours."""

    code = ErrorCode.NOT_FOUND

    def __init__(self) -> None:
        """One answer for every reason."""
        super().__init__("this link has been used or has ended: ask for a new one")


class NewPasswords:
    """Passwords of one database; a new one ends all sessions and links of its account.

    Every method raises `StorageUnavailable` without the database, and `InvalidRequest` for a
    password that cannot be one. ``actor`` is who makes the change.
    """

    def __init__(
        self,
        database: Database,
        *,
        keyring: Keyring,
        clock: Clock,
        settings: AuthSettings,
        passwords: Passwords,
    ) -> None:
        """``settings`` say how long a password has to be."""
        self._database = database
        self._keyring = keyring
        self._clock = clock
        self._least = settings.password_chars
        self._passwords = passwords

    async def set(self, account: Account, password: str, *, actor: str) -> None:
        """Give ``account`` this password."""
        check_password(password, name=account.name, least=self._least)
        kept = await self._passwords.hash(password)
        await self._renew(account.account_id, kept, actor=actor, action="password_set")

    async def change(self, entrance: Entrance, password: str) -> None:
        """Give an account another password, by leave of the one that ``entrance`` was opened by.

        Raises:
            Refusal: that one counts no more: another was set meanwhile (``invalid_api_key``).
        """
        account = entrance.account
        check_password(password, name=account.name, least=self._least)
        kept = await self._passwords.hash(password)
        check = partial(_check_epoch, entrance=entrance)
        actor = account.account_id
        await self._renew(actor, kept, actor=actor, action="password_set", check=check)

    async def remove(self, account: Account, *, actor: str) -> None:
        """Let ``account`` sign in by no password any more."""
        await self._renew(account.account_id, None, actor=actor, action="password_removed")

    async def make_link(self, account: Account, *, lasts: timedelta, actor: str) -> str:
        """The text of a link that sets a password of ``account``, once; of several all count."""

        def work(connection: Connection) -> str:
            entrance = _find(connection, account.account_id)
            ends_at = self._clock.now() + lasts
            link = PasswordLink(
                account_id=account.account_id, epoch=entrance.epoch, ends_at=ends_at
            )
            record(connection, self._entry(actor, "password_link_made", account.account_id))
            return link.write(self._keyring)

        return await self._database.write(work)

    async def find_linked(self, text: str) -> Account:
        """Whose password a link sets.

        Raises:
            DeadLink: it is none of ours, was used or has ended (``not_found``).
        """
        link = self._read_link(text)
        entrance = await self._database.read(partial(_find_linked, link=link))
        return entrance.account

    async def set_by_link(self, text: str, password: str) -> Account:
        """Set a password by a link, which is thereby used up.

        Raises:
            DeadLink: it is none of ours, was used or has ended (``not_found``).
        """
        account = await self.find_linked(text)
        check_password(password, name=account.name, least=self._least)
        kept = await self._passwords.hash(password)
        check = partial(_find_linked, link=self._read_link(text))
        action = "password_set_by_link"
        await self._renew(
            account.account_id, kept, actor=account.account_id, action=action, check=check
        )
        return account

    def _read_link(self, text: str) -> PasswordLink:
        link = PasswordLink.read(text, self._keyring)
        if link is None or link.ends_at <= self._clock.now():
            raise DeadLink
        return link

    async def _renew(
        self,
        account_id: str,
        kept: str | None,
        *,
        actor: str,
        action: str,
        check: Callable[[Connection], object] | None = None,
    ) -> None:
        def work(connection: Connection) -> None:
            if check is not None:
                check(connection)
            renew(connection, _find(connection, account_id), password=kept, now=self._now())
            record(connection, self._entry(actor, action, account_id))

        await self._database.write(work)

    def _now(self) -> datetime:
        return self._clock.now()

    def _entry(self, actor: str, action: str, subject: str) -> AuditEntry:
        return AuditEntry(at=self._now(), actor=actor, action=action, subject=subject, details={})


def _find(connection: Connection, account_id: str) -> Entrance:
    entrance = entrance_of(connection, account_id)
    if entrance is None:
        raise InvalidRequest("there is no such user any more", code=ErrorCode.NOT_FOUND)
    return entrance


def _check_epoch(connection: Connection, entrance: Entrance) -> None:
    if _find(connection, entrance.account.account_id).epoch != entrance.epoch:
        raise Refusal("the name or the password is wrong", code=ErrorCode.INVALID_API_KEY)


def _find_linked(connection: Connection, link: PasswordLink) -> Entrance:
    entrance = entrance_of(connection, link.account_id)
    if entrance is None or not entrance.is_open or entrance.epoch != link.epoch:
        raise DeadLink
    return entrance
