"""How often a password may be tried: counted for all processes, by account and by address."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from serving.settings import AuthSettings
from serving.storage import Keyring
from serving.storage.sign_in_tables import GUESSES

WIDE: Final = 10
"""How many times as often an account is tried from anywhere, or anything from one address."""
_NETWORK: Final = 64
"""Bits of an IPv6 address that one subscriber has."""
_PURPOSE: Final = "guesses"


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
    together. Unknown names count as known ones do.
    """

    def __init__(self, keyring: Keyring, settings: AuthSettings) -> None:
        """``settings`` has the limit and its time."""
        self._keyring = keyring
        self._most = settings.guesses
        self._window = timedelta(seconds=settings.guesses_s)

    def count(self, connection: Connection, guess: Guess, now: datetime) -> float | None:
        """Count it; seconds to wait where it is one too many, and then it does not count."""
        connection.execute(delete(GUESSES).where(GUESSES.c.since <= now - self._window))
        buckets = guess.buckets(self._keyring, self._most)
        found: dict[str, tuple[int, datetime]] = {
            row.bucket: (row.tries, row.since)
            for row in connection.execute(select(GUESSES).where(GUESSES.c.bucket.in_(buckets)))
        }
        full = [found[name][1] for name, most in buckets.items() if _tries(found, name) >= most]
        if full:
            ends: datetime = max(full) + self._window
            return max(1.0, (ends - now).total_seconds())
        for name in buckets:
            _count_one(connection, name, now, is_new=name not in found)
        return None

    def forgive(self, connection: Connection, guess: Guess) -> None:
        """It was right: what was wrong before it from the same place counts no more either."""
        both, *wide = guess.buckets(self._keyring, self._most)
        connection.execute(delete(GUESSES).where(GUESSES.c.bucket == both))
        _lower(connection, wide)


def _tries(found: Mapping[str, tuple[int, datetime]], name: str) -> int:
    return found[name][0] if name in found else 0


def _count_one(connection: Connection, name: str, now: datetime, *, is_new: bool) -> None:
    if is_new:
        connection.execute(insert(GUESSES).values(bucket=name, tries=1, since=now))
    else:
        own = update(GUESSES).where(GUESSES.c.bucket == name)
        connection.execute(own.values(tries=GUESSES.c.tries + 1))


def _lower(connection: Connection, names: Iterable[str]) -> None:
    own = update(GUESSES).where(GUESSES.c.bucket.in_(tuple(names)), GUESSES.c.tries > 0)
    connection.execute(own.values(tries=GUESSES.c.tries - 1))


def _network(address: str) -> str:
    """The address, of IPv6 the network that one subscriber has."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(ip_network((found, _NETWORK), strict=False))
    return str(found)
