"""C2 to C6 with the true limits: what clients do to `zwrotnica serve`, a process of its own."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from faults.cases import Case, Scene, Try, in_time, settle
from faults.client_cases import client_cases, waiting_streams
from faults.gateways import KINDS, OURS, Engines, Limits, running
from faults.request_cases import request_cases
from scripted.fault_process import fault_process
from scripted.fault_report import Figure, Publish
from scripted.ports import free_port

pytestmark = pytest.mark.faults

LIMITS = Limits.at(1.0)
CASES = [one for one in (*client_cases(), *request_cases(LIMITS)) if one.name != "C1"]
ALONE = [
    *(one for one in CASES if one.memory_mib is not None),
    waiting_streams(2_000),
    waiting_streams(2_000, way="zwrotnica", called="routed streams"),
]
"""Whose memory is looked at."""
TOGETHER = [one for one in CASES if one.memory_mib is None]
"""Most of them wait for a limit."""


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with fault_process() as engine:
        engines = Engines(fault=engine.port, calm=engine.port, dead=free_port(), hole=free_port())
        with running(KINDS[OURS], tmp_path, engines, LIMITS) as gateway:
            yield Scene(gateway=gateway, engine=engine, limits=LIMITS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """A case and what became of it."""

    case: Case
    tries: tuple[Try, ...]
    grown_mib: float = 0.0

    def figure(self) -> Figure:
        """As the page shows it."""
        bound = self.case.memory_mib
        grown = "" if bound is None else f"; grew by {self.grown_mib:.0f} MB of {bound:.0f}"
        is_small = bound is None or self.grown_mib <= bound
        return Figure(
            case=self.case.name,
            what=f"{self.case.what}{grown}",
            n=len(self.tries),
            passed=sum(not one.why for one in self.tries) if is_small else 0,
            times=tuple(one.seconds for one in self.tries if one.seconds is not None),
        )


async def play(scene: Scene, case: Case) -> Played:
    before = scene.gateway.resident_mib()
    playing = asyncio.create_task(_tries(scene, case))
    grown = 0.0
    while not playing.done():
        await asyncio.wait([playing], timeout=0.05)
        grown = max(grown, scene.gateway.resident_mib() - before)
    return Played(case=case, tries=playing.result(), grown_mib=grown)


async def _tries(scene: Scene, case: Case) -> tuple[Try, ...]:
    return tuple(in_time(one, case.limit_s) for one in await case.play(scene))


async def test_c2_to_c6_what_clients_do(scene: Scene, publish: Publish) -> None:
    await scene.ask("none", limit_s=10.0)
    await settle(scene)
    played = [await play(scene, case) for case in ALONE]
    played += await asyncio.gather(*map(partial(play, scene), TOGETHER))
    failed = [(one.case.what, one.tries) for one in played if any(x.why for x in one.tries)]
    assert failed == []
    for one in played:
        publish(one.figure())
