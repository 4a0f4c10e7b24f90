"""The engine faults E1 to E14 through the gateway, with the true limits."""

import asyncio
import json
import socket
from collections.abc import Iterator, Sequence
from itertools import count

import pytest
from scripted.fault_matrix import (
    CALLS,
    FAULTS,
    FIRST_TOKEN_S,
    HEARTBEAT_S,
    IDLE_S,
    OK,
    TIMEOUT,
    Heard,
    hear,
    play,
    request,
)
from scripted.fault_report import Figure, Publish
from scripted.gateway_under_test import ENGINE, Gateway, gateway_against
from scripted.hostile import CHAT, chat
from scripted.http_client import Reply, ask, post, wait_for

pytestmark = pytest.mark.faults

ROUNDS = 5
GRACE_S = 1.0
STREAMS_GRACE_S = 2.5
"""Beyond the limit of silence, where 160 streams begin and end together on two cores."""
"""What a stream of many seconds may take beyond its limit."""
PATIENCE_S = 5.0
"""For how long altogether a busy engine is waited for."""
CUT_S = 0.1
MOST_CALLS, MOST_ROUNDS = 8, 4
CONNECT_S = 3.0
CASES = {
    "cut": "E5",
    "no_done": "E6",
    "malformed": "E7",
    "split": "E8",
    "endless": "E9",
    "big_event": "E9",
    "status:code=429": "E10",
    "status": "E11",
    "error_event": "E11",
    "usage": "E13",
}
"""The case of a fault by how it begins; what is in no row is E14."""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with gateway_against(tmp_path_factory.mktemp("matrix"), speed=1.0) as served:
        yield served


@pytest.fixture(scope="module")
def routing_gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with gateway_against(tmp_path_factory.mktemp("calls"), has_router=True, speed=1.0) as served:
        yield served


def case_of(fault: str) -> str:
    return next((case for start, case in CASES.items() if fault.startswith(start)), "E14")


def limit_of(fault: str) -> float | None:
    if FAULTS[fault] == OK:
        return None
    if fault.startswith("cut"):
        return CUT_S
    return PATIENCE_S + GRACE_S if "429" in fault else GRACE_S


def since_the_fault(gateway: Gateway, reply: Reply, seed: int) -> float:
    """Seconds from the engine's last act for this seed to the end of the client's reply."""
    ends = [x.ended_at for x in gateway.engine.exchanges if x.script.seed == seed and x.ended_at]
    before = [end for end in ends if end <= reply.ended_at]
    return reply.ended_at - max(before, default=reply.ended_at)


@pytest.mark.parametrize(
    "fault", [fault for fault, code in FAULTS.items() if code != TIMEOUT and fault != "none"]
)
async def test_a_fault_that_shows_at_once(gateway: Gateway, publish: Publish, fault: str) -> None:
    seeds, found, times = count(1 + 1_000 * list(FAULTS).index(fault)), list[Heard](), list[float]()
    for _ in range(ROUNDS):
        seed = next(seeds)
        for heard, reply in await play(gateway, fault, seed=seed):
            found.append(heard)
            is_cut = fault.startswith("cut")
            took = since_the_fault(gateway, reply, seed) if is_cut else reply.seconds
            times.append(took)
    publish(
        Figure(
            case=case_of(fault),
            what=f"`{fault}` → {FAULTS[fault][0]}",
            n=len(found),
            passed=sum(heard.code == FAULTS[fault][0] for heard in found),
            times=() if FAULTS[fault] == OK else tuple(times),
            limit_s=limit_of(fault),
        )
    )


async def test_e2_to_e4_silence(gateway: Gateway, publish: Publish) -> None:
    faults = [fault for fault, code in FAULTS.items() if code == TIMEOUT]
    runs = await asyncio.gather(
        *(play(gateway, fault, seed=seed) for fault in faults for seed in range(ROUNDS))
    )
    for place, fault in enumerate(faults):
        mine = [pair for run in runs[place * ROUNDS :][:ROUNDS] for pair in run]
        is_idle = "after=" in fault
        case = "E4" if is_idle else "E2" if fault == "silent" else "E3"
        publish_silence(publish, f"{case} `{fault}`", mine, IDLE_S if is_idle else FIRST_TOKEN_S)


def publish_silence(
    publish: Publish, name: str, runs: Sequence[tuple[Heard, Reply]], limit: float
) -> None:
    case, _, fault = name.partition(" ")
    is_told = [
        heard.code == "engine_timeout" and limit <= reply.seconds + 0.01 for heard, reply in runs
    ]
    beats = [
        b": \n\n" in reply.body
        for _, reply in runs
        if "event-stream" in reply.headers["content-type"] and limit > HEARTBEAT_S
    ]
    publish(
        Figure(
            case=case,
            what=f"{fault} → engine_timeout, with heartbeats",
            n=len(runs),
            passed=sum(is_told) if all(beats) else 0,
            times=tuple(reply.seconds for _, reply in runs),
            limit_s=limit + STREAMS_GRACE_S,
        )
    )


@pytest.mark.parametrize("is_black_hole", [False, True], ids=["refused", "black hole"])
async def test_e1_an_engine_that_cannot_be_reached(
    tmp_path_factory: pytest.TempPathFactory, publish: Publish, is_black_hole: bool
) -> None:
    with socket.socket() as closed, socket.socket() as filler:
        closed.bind(("127.0.0.1", 0))
        if is_black_hole:
            closed.listen(0)  # one connection fills the queue; the next is never answered
            filler.connect(closed.getsockname())
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        changes = {"url": url, "failures_allowed": 5, "connect_s": CONNECT_S}
        folder = tmp_path_factory.mktemp("dead")
        with gateway_against(folder, speed=1.0, engine_changes=changes) as served:
            runs = [
                await ask(served.port, request("none", model=ENGINE, stream=False))
                for _ in range(10)
            ]
    told = [hear(reply) for reply in runs]
    publish(
        Figure(
            case="E1",
            what=f"{'connect never answered' if is_black_hole else 'connect refused'} → "
            "engine_unavailable, breaker opens after 5",
            n=len(runs),
            passed=sum(
                (heard.code, heard.status) == ("engine_unavailable", 503)
                and int(reply.headers["retry-after"]) >= 1
                and (place < 5 or reply.seconds < CONNECT_S)
                for place, (heard, reply) in enumerate(zip(told, runs, strict=True))
            ),
            times=tuple(reply.seconds for reply in runs),
            limit_s=CONNECT_S,
        )
    )


@pytest.mark.parametrize("kind", CALLS)
async def test_e12a_a_router_that_writes_what_is_no_call(
    routing_gateway: Gateway, publish: Publish, kind: str
) -> None:
    routing_gateway.router.default = f"fault=calls:kind={kind}"
    body = json.dumps({"messages": [{"role": "user", "content": "Ile to 2 + 2?"}]}).encode()
    routes = [await ask(routing_gateway.port, post("/api/route", body)) for _ in range(ROUNDS)]
    answers = [
        await ask(routing_gateway.port, post(CHAT, chat("Ile to 2 + 2?"))) for _ in range(ROUNDS)
    ]
    publish(
        Figure(
            case="E12a",
            what=f"`calls:kind={kind}` → {CALLS[kind][0]}",
            n=2 * ROUNDS,
            passed=sum(
                (route.json["reason"], route.json["tool"]) == CALLS[kind] for route in routes
            )
            + sum(hear(answer).code == "ok" for answer in answers),
        )
    )


async def test_e12b_two_hundred_calls_and_a_router_that_never_stops_calling(
    routing_gateway: Gateway, publish: Publish
) -> None:
    routing_gateway.router.default = "fault=calls:kind=many"
    before = len(routing_gateway.router.exchanges)
    bodies = [
        (await ask(routing_gateway.port, post(CHAT, chat("Ile to 2 + 2?")))).json
        for _ in range(ROUNDS)
    ]
    calls = [len(body["x_zwrotnica"]["tool_calls"]) for body in bodies]  # type: ignore[index]  # JSON
    rounds = (len(routing_gateway.router.exchanges) - before) / ROUNDS
    publish(
        Figure(
            case="E12b",
            what=f"200 parallel calls each time it is asked: {max(calls)} are run of 8 allowed, "
            f"in {rounds:g} rounds of 4",
            n=ROUNDS,
            passed=sum(count <= MOST_CALLS for count in calls) if rounds <= MOST_ROUNDS else 0,
        )
    )


async def test_i3_after_all_of_it_nothing_is_left(gateway: Gateway, publish: Publish) -> None:
    await play(gateway, "none")
    before = gateway.tasks()
    faults = [fault for fault, code in FAULTS.items() if code != TIMEOUT]
    await asyncio.gather(*(play(gateway, fault, seed=9) for fault in faults))
    took = await wait_for(lambda: gateway.tasks() <= before)
    publish(
        Figure(
            case="I3",
            what="tasks back to their number before all faults at once",
            n=1,
            passed=1,
            times=(took,),
            limit_s=2.0,
        )
    )
