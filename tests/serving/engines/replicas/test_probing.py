"""A gateway looks at its servers: those that are gone or drained get no requests."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from scripted.patience import PATIENCE_S
from scripted.replica_set import NAME, ReplicaSet, replicas_with

from serving.engines.replicas.drains import read_drained, write_drained
from serving.engines.replicas.probing import probe_engines
from serving.engines.states import engines_folder

GOOD = "fault=none;tokens=3"
OFTEN = {"probe_s": 0.02}


@asynccontextmanager
async def probed(around: ReplicaSet, folder: Path) -> AsyncIterator[None]:
    async with anyio.create_task_group() as group:
        group.start_soon(probe_engines, (around.engine,), folder)
        yield
        group.cancel_scope.cancel()


async def until(is_so: Callable[[], bool]) -> None:
    with anyio.fail_after(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - probes have no event to wait for
            await anyio.sleep(0.01)


def available(around: ReplicaSet) -> list[bool]:
    return [replica.standing.is_available for replica in around.engine.replicas]


async def test_a_server_that_is_gone_is_found_without_a_request(tmp_path: Path) -> None:
    async with (
        replicas_with("dead", GOOD, balance=OFTEN) as around,
        probed(around, tmp_path),
    ):
        await until(lambda: available(around) == [False, True])

        assert around.engine.oddities["replica_silent"] == 1


async def test_a_server_that_is_not_ready_is_passed_over_until_it_is(tmp_path: Path) -> None:
    async with (
        replicas_with("fault=status:code=503", GOOD, balance=OFTEN) as around,
        probed(around, tmp_path),
    ):
        await until(lambda: available(around) == [False, True])
        around.servers[0].default = GOOD
        await until(lambda: available(around) == [True, True])

        assert around.engine.replicas[0].standing.share < 1.0


async def test_a_server_without_such_a_path_is_alive(tmp_path: Path) -> None:
    async with (
        replicas_with("fault=status:code=404", GOOD, balance=OFTEN) as around,
        probed(around, tmp_path),
    ):
        await around.servers[0].wait_exchanges(5)

        assert available(around) == [True, True]


async def test_a_drained_server_gets_nothing_until_the_drain_is_undone(tmp_path: Path) -> None:
    folder = engines_folder(tmp_path)
    async with (
        replicas_with(GOOD, GOOD, balance=OFTEN) as around,
        probed(around, tmp_path),
    ):
        write_drained(folder, NAME, frozenset({around.engine.replicas[0].replica.url}))
        await until(lambda: available(around) == [False, True])
        write_drained(folder, NAME, frozenset())
        await until(lambda: available(around) == [True, True])


def test_what_is_no_list_of_addresses_drains_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.drained").write_bytes(b"\xff\x00 \n")
    assert "http://a/v1" not in read_drained(tmp_path, "a")
    assert read_drained(tmp_path, "b") == frozenset()
