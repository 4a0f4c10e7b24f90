"""How often a password may be tried: counted for all processes, by account and by address."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias

from sqlalchemy import Connection, delete, insert, select, update

from chatbot.errors import ErrorCode
from serving.auth.signing_in.passwords import refuse_crowd
from serving.http.errors import Refusal
from serving.settings import AuthSettings
from serving.storage import Keyring
from serving.storage.sign_in_tables import GUESSES

WIDE: Final = 10
"""How many times as often an account is tried from anywhere, or anything from one address."""
_NETWORK: Final = 64
"""Bits of an IPv6 address that one subscriber has."""
_PURPOSE: Final = "guesses"

Counted: TypeAlias = Mapping[str, datetime]
"""Where a try stands: its buckets, each with the time since when that one counts.

A bucket that was emptied meanwhile counts since later, so nobody else's try is taken off it.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guess:
    """One try: at which account, by the name that was given, and from where."""

    name: str
    address: str

    def buckets(self, keyring: Keyring, most: int) -> Mapping[str, int]:
        """What it is counted under, and how many tries each allows; no name can be read there."""
        place = _network(self.address)
        wide = most * WIDE
        limits = {f"both {place} {self.name}": most, f"name {self.name}": wide}
        limits |= {f"from {place}": wide}
        return {keyring.sign(_PURPOSE, text): limit for text, limit in limits.items()}


class Guesses:
    """Counts tries within a transaction, before anything is compared.

    Each counts as wrong until it turns out right: tries at the same time cannot pass a limit
    together. Unknown names count as known ones do. Of those that are compared now this process
    knows its own: a bucket that is full with some of them may have room again in a moment.
    """

    def __init__(self, keyring: Keyring, settings: AuthSettings) -> None:
        """``settings`` has the limit and its time."""
        self._keyring = keyring
        self._most = settings.guesses
        self._window = timedelta(seconds=settings.guesses_s)
        self._under_way: Counter[str] = Counter()

    def count(self, connection: Connection, guess: Guess, now: datetime) -> Counted:
        """Count it.

        Raises:
            Refusal: it is one too many, and does not count: there were too many wrong ones
                (``rate_limit_exceeded``), or there may have been when those under way are through
                (``queue_full``).
        """
        connection.execute(delete(GUESSES).where(GUESSES.c.since <= now - self._window))
        buckets = guess.buckets(self._keyring, self._most)
        found: dict[str, tuple[int, datetime]] = {
            row.bucket: (row.tries, row.since)
            for row in connection.execute(select(GUESSES).where(GUESSES.c.bucket.in_(buckets)))
        }
        full = {
            name: found[name][1] for name, most in buckets.items() if _tries(found, name) >= most
        }
        if full:
            raise self._refuse(full, now)
        for name in buckets:
            _count_one(connection, name, now, is_new=name not in found)
        return {name: found[name][1] if name in found else now for name in buckets}

    @contextmanager
    def under_way(self, counted: Counted) -> Iterator[None]:
        """While it is not known whether this try is right."""
        own = Counter(tuple(counted))
        self._under_way += own
        try:
            yield
        finally:
            self._under_way -= own

    def forgive(self, connection: Connection, counted: Counted) -> None:
        """It was right: what was wrong before it from the same place counts no more either."""
        both, *wide = counted
        connection.execute(delete(GUESSES).where(GUESSES.c.bucket == both))
        self.take_back(connection, {name: counted[name] for name in wide})

    def take_back(self, connection: Connection, counted: Counted) -> None:
        """It was never compared, so it is no guess; those before it stay counted."""
        for name, since in counted.items():
            own = update(GUESSES).where(GUESSES.c.bucket == name, GUESSES.c.since == since)
            connection.execute(own.values(tries=GUESSES.c.tries - 1))

    def _refuse(self, full: Counted, now: datetime) -> Refusal:
        closed = [since for name, since in full.items() if not self._under_way[name]]
        if not closed:
            return refuse_crowd()
        wait_s = max(1.0, (max(closed) + self._window - now).total_seconds())
        return Refusal(
            f"too many wrong passwords: try again in {round(wait_s)} s",
            code=ErrorCode.RATE_LIMIT_EXCEEDED,
            retry_after_s=wait_s,
        )


def _tries(found: Mapping[str, tuple[int, datetime]], name: str) -> int:
    return found[name][0] if name in found else 0


def _count_one(connection: Connection, name: str, now: datetime, *, is_new: bool) -> None:
    if is_new:
        connection.execute(insert(GUESSES).values(bucket=name, tries=1, since=now))
    else:
        own = update(GUESSES).where(GUESSES.c.bucket == name)
        connection.execute(own.values(tries=GUESSES.c.tries + 1))


def _network(address: str) -> str:
    """The address, of IPv6 the network that one subscriber has."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(ip_network((found, _NETWORK), strict=False))
    return str(found)
