"""Passwords as argon2id keeps them (RFC 9106), and what may be one."""

import secrets
import unicodedata
from base64 import b64encode
from functools import partial
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from chatbot.errors import ErrorCode, InvalidRequest
from serving.http.errors import Refusal

_Result = TypeVar("_Result")

LONGEST: Final = 256
THREADS: Final = 2
"""So many passwords are hashed at once in a process; for ``auth.password_mib`` each."""
MOST_WAITING: Final = 64
"""Further ones that may wait for that."""
_CROWD_S: Final = 5
"""Seconds after which so many are through that it is worth trying again."""


class Passwords:
    """Hashes passwords and compares them, off the event loop."""

    def __init__(self, hasher: PasswordHasher) -> None:
        """``hasher`` has the parameters; argon2-cffi's own are RFC 9106's second choice."""
        self._hasher = hasher
        self._lane = CapacityLimiter(THREADS)
        self._nobodys = _make_nobodys(self._hasher)

    async def hash(self, password: str) -> str:
        """The text to keep of ``password``, with a fresh salt."""
        return await self._run(partial(self._hasher.hash, _normalize(password)))

    async def fits(self, password: str, kept: str | None) -> bool:
        """Whether it is the password that ``kept`` was made of.

        Where there is none it takes as long, so that nobody learns which accounts have one.
        """
        fits = await self._run(partial(self._verify, kept or self._nobodys, _normalize(password)))
        return fits and kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether it should be hashed anew: it was made with other parameters."""
        return self._hasher.check_needs_rehash(kept)

    def _verify(self, kept: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: partial[_Result]) -> _Result:
        """In a thread, as soon as one is free.

        Raises:
            Refusal: too many wait already (``queue_full``).
        """
        if self._lane.statistics().tasks_waiting >= MOST_WAITING:
            raise refuse_crowd()
        return await to_thread.run_sync(work, limiter=self._lane)


def refuse_crowd() -> Refusal:
    """That more people sign in at once than the server has room for (``queue_full``)."""
    return Refusal(
        "too many people sign in at once: try again in a few seconds",
        code=ErrorCode.QUEUE_FULL,
        retry_after_s=_CROWD_S,
    )


def check_password(password: str, *, name: str, least: int) -> None:
    """Whether it may become the password of the account ``name`` (NIST SP 800-63B, 3.1.1.2).

    Raises:
        InvalidRequest: it is shorter than ``least`` characters, too long, or the name itself.
    """
    if not least <= len(password) <= LONGEST:
        raise InvalidRequest(
            f"a password has {least} to {LONGEST} characters, this one {len(password)}",
            param="password",
        )
    if password.casefold() == name.casefold():
        raise InvalidRequest("the password must not be the user's name", param="password")


def _normalize(password: str) -> bytes:
    """The same bytes for the same letters, whichever keyboard they come from."""
    return unicodedata.normalize("NFKC", password).encode(errors="surrogatepass")


def _make_nobodys(hasher: PasswordHasher) -> str:
    """A hash of nothing with the same parameters, which costs as much to compare."""
    salt, digest = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        for size in (hasher.salt_len, hasher.hash_len)
    )
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${cost}${salt}${digest}"
