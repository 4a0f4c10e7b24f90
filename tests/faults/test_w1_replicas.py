"""W1: one of three servers of an engine is killed under 64 streams."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import pytest
from anyio.from_thread import start_blocking_portal
from scripted.fault_report import Figure, Publish
from scripted.gateway_under_test import ENGINE, UVLOOP, gateway_settings, serve
from scripted.line import read_script
from scripted.replica_load import Stream, keep_streaming
from scripted.replica_process import ReplicaProcess, replica_process

from serving.settings import ReplicaSettings

pytestmark = pytest.mark.faults

STREAMS = 64
BEFORE_S, AFTER_S = 6.0, 6.0
FAULTS = [f"fault=none;tokens=20;pace=50;seed={seed}" for seed in range(3)]
TEXTS = [read_script(fault).text for fault in FAULTS]
"""What each server says: so a stream tells whose it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Engine:
    port: int
    servers: Sequence[ReplicaProcess]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with ExitStack() as stack:
        servers = [stack.enter_context(replica_process(fault)) for fault in FAULTS]
        changes = {
            "url": None,
            "urls": tuple(ReplicaSettings(url=server.url) for server in servers),
            "failures_allowed": 5,
        }
        settings = gateway_settings(tmp_path, engine="http://unused/v1", engine_changes=changes)
        portal = stack.enter_context(start_blocking_portal(backend_options=UVLOOP))
        port = stack.enter_context(portal.wrap_async_context_manager(serve(settings)))
        yield Engine(port=port, servers=servers)


def is_right(stream: Stream, killed: str) -> bool:
    """Whole; or begun on the server that was killed, and told to be cut off."""
    if stream.code == "ok":
        return stream.is_finished and stream.text in TEXTS
    has_begun_there = bool(stream.text) and killed.startswith(stream.text)
    return stream.code == "engine_lost" and has_begun_there and not stream.is_finished


def p95(streams: Sequence[Stream]) -> float:
    waits = [stream.first_at - stream.began_at for stream in streams if stream.first_at is not None]
    return quantiles(waits, n=20)[-1]


async def test_one_of_three_servers_is_killed_under_64_streams(
    engine: Engine, publish: Publish
) -> None:
    clock, is_over = asyncio.get_running_loop().time, asyncio.Event()
    load = asyncio.create_task(keep_streaming(engine.port, ENGINE, streams=STREAMS, until=is_over))
    await asyncio.sleep(BEFORE_S)
    killed_at = clock()
    engine.servers[0].kill()
    await asyncio.sleep(AFTER_S)
    is_over.set()
    streams = await load

    before = [one for one in streams if one.first_at is not None and one.first_at < killed_at]
    after = [one for one in streams if one.first_at is not None and one.first_at >= killed_at]
    begun = [one for one in after if one.began_at >= killed_at]
    lost = [one for one in streams if one.code != "ok"]
    assert 0 < len(lost) <= STREAMS
    assert {one.text for one in begun} <= {*TEXTS[1:]}
    publish(
        Figure(
            case="W1",
            what="one of three servers killed under 64 streams: only streams begun on it end, "
            "as engine_lost",
            n=len(streams),
            passed=sum(is_right(one, TEXTS[0]) for one in streams),
        )
    )
    publish(
        Figure(
            case="W1",
            what="the same: added first token of the others, p95, ÷ that before",
            n=len(after),
            passed=len(after),
            times=(p95(after) / p95(before[STREAMS:]),),
            limit_s=2.0,
            is_ratio=True,
        )
    )
