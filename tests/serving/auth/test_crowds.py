"""Many who sign in at once: none of them is locked out, and nobody guesses more by it."""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import anyio
import pytest
from argon2 import PasswordHasher
from scripted.keyed import ACTOR, Keyed
from scripted.patience import PATIENCE_S
from scripted.stored import new_id
from sqlalchemy import Connection, func, select

from chatbot.errors import ErrorCode
from chatbot.testing import ManualClock
from serving.auth.signing_in.guesses import WIDE, Guess
from serving.auth.signing_in.opening import open_sign_ins
from serving.auth.signing_in.passwords import THREADS
from serving.auth.signing_in.sign_ins import SignIns
from serving.http.errors import Refusal
from serving.settings import AuthSettings
from serving.storage.sign_in_tables import GUESSES

PASSWORD = "poprawny koń bateria zszywka"
GUESSES_ALLOWED = 3
HOME, SCHOOL = "192.0.2.1", "198.51.100.1"


class HeldHasher(PasswordHasher):
    """Compares nothing as long as it is held; ``compared`` counts what it did compare."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.compared = 0
        self._may_go = threading.Event()
        self._may_go.set()

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 (argon2's)
        self._may_go.wait(PATIENCE_S)
        self.compared += 1
        return super().verify(hash, password)

    @contextmanager
    def held(self) -> Iterator[None]:
        self._may_go.clear()
        try:
            yield
        finally:
            self._may_go.set()


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The way in, where Ala has a password; ``told`` is what everybody was answered."""

    keyed: Keyed
    sign_ins: SignIns
    hasher: HeldHasher
    told: list[str] = field(default_factory=list)
    waits: list[float | None] = field(default_factory=list)

    async def enter(self, password: str = PASSWORD, *, name: str = "ala", at: str = HOME) -> str:
        try:
            await self.sign_ins.sign_in(Guess(name=name, address=at), password)
        except Refusal as error:
            self.waits.append(error.retry_after_s)
            self.told.append(error.code)
        else:
            self.told.append("in")
        return self.told[-1]

    async def tries(self) -> int:
        """What all buckets count together."""

        def read(connection: Connection) -> int:
            return connection.execute(select(func.sum(GUESSES.c.tries))).scalar() or 0

        return await self.keyed.database.read(read)

    async def until_counted(self, tries: int) -> None:
        with anyio.fail_after(PATIENCE_S):
            while await self.tries() < tries:  # noqa: ASYNC110 - a table has no event
                await anyio.sleep(0.01)

    @asynccontextmanager
    async def crowd(self) -> AsyncIterator[None]:
        """As many wait for their passwords to be compared as may, each from elsewhere."""
        async with anyio.create_task_group() as group:
            with self.hasher.held(), anyio.fail_after(PATIENCE_S):
                for number in range(100):
                    at = f"203.0.113.{number}"
                    group.start_soon(partial(self.enter, name=at, at=at))
                while ErrorCode.QUEUE_FULL not in self.told:  # noqa: ASYNC110 - any of many
                    await anyio.sleep(0.01)
                yield
        self.told.clear()


@pytest.fixture
async def entry(keyed: Keyed, clock: ManualClock) -> Entry:
    hasher = HeldHasher()
    made = open_sign_ins(
        AuthSettings(guesses=GUESSES_ALLOWED),
        keyed.database,
        keyed.keyring,
        clock,
        new_id=new_id,
        hasher=hasher,
    )
    ala = await keyed.accounts.add("ala", actor=ACTOR)
    await made.new_passwords.set(ala, PASSWORD, actor=ACTOR)
    return Entry(keyed=keyed, sign_ins=made.sign_ins, hasher=hasher)


async def test_a_password_that_was_never_compared_is_no_wrong_guess(entry: Entry) -> None:
    async with entry.crowd():
        for _ in range(2 * GUESSES_ALLOWED):
            assert await entry.enter() == ErrorCode.QUEUE_FULL
    assert await entry.enter() == "in"


async def test_wrong_guesses_from_before_a_crowd_stay_counted(entry: Entry) -> None:
    for _ in range(GUESSES_ALLOWED - 1):
        await entry.enter("źle")
    async with entry.crowd():
        for _ in range(2 * GUESSES_ALLOWED):
            assert await entry.enter() == ErrorCode.QUEUE_FULL
    assert await entry.enter("źle") == ErrorCode.INVALID_API_KEY
    assert await entry.enter() == ErrorCode.RATE_LIMIT_EXCEEDED


async def test_who_leaves_before_the_password_is_compared_has_not_guessed(entry: Entry) -> None:
    async with anyio.create_task_group() as others:
        with entry.hasher.held():
            for number in range(THREADS):
                at = f"203.0.113.{number}"
                others.start_soon(partial(entry.enter, name=at, at=at))
            await entry.until_counted(3 * THREADS)
            for _ in range(2 * GUESSES_ALLOWED):
                async with anyio.create_task_group() as leaving:
                    leaving.start_soon(entry.enter)
                    await entry.until_counted(3 * THREADS + 3)
                    leaving.cancel_scope.cancel()
            assert await entry.tries() == 3 * THREADS
    assert await entry.enter() == "in"


async def test_a_class_behind_one_address_is_asked_to_come_back_soon(entry: Entry) -> None:
    async with anyio.create_task_group() as group:
        with entry.hasher.held():
            for number in range(GUESSES_ALLOWED * WIDE):
                group.start_soon(partial(entry.enter, name=f"u{number}", at=SCHOOL))
            await entry.until_counted(3 * GUESSES_ALLOWED * WIDE)
            assert await entry.enter(at=SCHOOL) == ErrorCode.QUEUE_FULL
            assert entry.waits[-1] == 5
    assert await entry.enter(at=SCHOOL) == ErrorCode.RATE_LIMIT_EXCEEDED


async def test_right_passwords_at_the_same_time_close_nothing(entry: Entry) -> None:
    async with anyio.create_task_group() as group:
        with entry.hasher.held():
            for _ in range(GUESSES_ALLOWED):
                group.start_soon(entry.enter)
            await entry.until_counted(3 * GUESSES_ALLOWED)
            assert await entry.enter() == ErrorCode.QUEUE_FULL
    assert await entry.enter() == "in"


async def test_guesses_at_the_same_time_pass_no_limit(entry: Entry) -> None:
    async with anyio.create_task_group() as group:
        for _ in range(5 * GUESSES_ALLOWED):
            group.start_soon(entry.enter, "źle")
    assert entry.hasher.compared == GUESSES_ALLOWED
    assert entry.told.count(ErrorCode.INVALID_API_KEY) == GUESSES_ALLOWED
    assert await entry.enter() == ErrorCode.RATE_LIMIT_EXCEEDED
