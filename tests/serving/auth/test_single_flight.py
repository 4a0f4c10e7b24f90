"""One look-up for all who ask for the same thing at the same time."""

import anyio
import pytest

from chatbot.errors import StorageUnavailable
from serving.auth.single_flight import SingleFlight

MANY = 47


class Shelf:
    """What is looked up: each look-up is noted, and waits until the shelf is open."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.error: Exception | None = None
        self.is_open = anyio.Event()

    async def look_up(self, key: str) -> int:
        self.asked.append(key)
        number = len(self.asked)
        await self.is_open.wait()
        if self.error is not None:
            raise self.error
        return number


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def flight(shelf: Shelf) -> SingleFlight[int]:
    return SingleFlight(shelf.look_up)


class Callers:
    """Tasks that ask, and what each of them was given."""

    def __init__(self, flight: SingleFlight[int]) -> None:
        self.given: list[int] = []
        self.errors: list[Exception] = []
        self._flight = flight

    async def ask(self, key: str) -> None:
        try:
            self.given.append(await self._flight.get(key))
        except StorageUnavailable as error:
            self.errors.append(error)


async def test_many_at_once_look_up_once(shelf: Shelf, flight: SingleFlight[int]) -> None:
    callers = Callers(flight)
    async with anyio.create_task_group() as group:
        for _ in range(MANY):
            group.start_soon(callers.ask, "a")
        await anyio.wait_all_tasks_blocked()
        shelf.is_open.set()
    assert callers.given == [1] * MANY


async def test_others_keys_are_looked_up_beside_it(shelf: Shelf, flight: SingleFlight[int]) -> None:
    async with anyio.create_task_group() as group:
        for key in "abab":
            group.start_soon(flight.get, key)
        await anyio.wait_all_tasks_blocked()
        shelf.is_open.set()
    assert shelf.asked == ["a", "b"]


async def test_who_comes_after_it_looks_up_anew(shelf: Shelf, flight: SingleFlight[int]) -> None:
    shelf.is_open.set()
    assert [await flight.get("a"), await flight.get("a")] == [1, 2]


async def test_an_error_reaches_all_who_wait_and_is_not_kept(
    shelf: Shelf, flight: SingleFlight[int]
) -> None:
    callers = Callers(flight)
    shelf.error = StorageUnavailable("the disk is gone")
    async with anyio.create_task_group() as group:
        for _ in range(MANY):
            group.start_soon(callers.ask, "a")
        await anyio.wait_all_tasks_blocked()
        shelf.is_open.set()
    assert callers.errors == [shelf.error] * MANY
    shelf.error = None
    assert await flight.get("a") == 2


async def test_who_leaves_takes_nobody_along(shelf: Shelf, flight: SingleFlight[int]) -> None:
    callers = Callers(flight)
    async with anyio.create_task_group() as group:
        first = anyio.CancelScope()

        async def leave() -> None:
            with first:
                await callers.ask("a")

        group.start_soon(leave)
        await anyio.wait_all_tasks_blocked()
        for _ in range(MANY):
            group.start_soon(callers.ask, "a")
        await anyio.wait_all_tasks_blocked()
        first.cancel()
        await anyio.wait_all_tasks_blocked()
        shelf.is_open.set()
    assert callers.given == [2] * MANY, "one of those who waited has looked up for all"


async def test_after_a_change_nobody_joins_what_began_before(
    shelf: Shelf, flight: SingleFlight[int]
) -> None:
    callers = Callers(flight)
    async with anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(callers.ask, "a")
        await anyio.wait_all_tasks_blocked()
        flight.part()
        for _ in range(2):
            group.start_soon(callers.ask, "a")
        await anyio.wait_all_tasks_blocked()
        shelf.is_open.set()
    assert sorted(callers.given) == [1, 1, 2, 2]
