"""What clients do, C1 and P1 to P5, through the gateway: leaving at every point, hostile bodies."""

import json
import time
from collections.abc import Iterator

import pytest
from scripted.disconnects import Leaving, leave_all, make_stages
from scripted.fault_report import Figure, Publish
from scripted.gateway_under_test import ENGINE, Gateway, gateway_against
from scripted.hostile import CHAT, CONTROL_TOKENS, P1, P2, P3, P4, Hostile
from scripted.http_client import ask, post, wait_for

pytestmark = pytest.mark.faults

LEAVINGS = 20
TOGETHER = 24
TRIES = 5
CPU_S = 0.05
GROUPS = {"P1": P1, "P2": P2, "P3": P3, "P4": P4}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with gateway_against(tmp_path_factory.mktemp("clients"), speed=1.0) as served:
        yield served


@pytest.mark.timeout(600)
async def test_c1_a_client_leaves_at_every_stage(gateway: Gateway, publish: Publish) -> None:
    stages = make_stages()
    before = gateway.tasks()
    left: list[Leaving] = []
    for number in range(LEAVINGS):
        for start in range(0, len(stages), TOGETHER):
            group = stages[start : start + TOGETHER]
            left += await leave_all(gateway, group, seed=1_000 * (number + 1) + start)
    took = await wait_for(lambda: gateway.tasks() <= before)
    asked = [leaving.noticed_s for leaving in left if leaving.noticed_s is not None]
    publish(
        Figure(
            case="C1",
            what=f"{len(stages)} points × {LEAVINGS}: the engine sees the client leave (I8)",
            n=len(asked),
            passed=len(asked),
            times=tuple(asked),
            limit_s=1.0,
        )
    )
    publish(
        Figure(
            case="C1",
            what="tasks back to their number before (I3)",
            n=1,
            passed=1,
            times=(took,),
            limit_s=2.0,
        )
    )


@pytest.mark.parametrize(
    ("case", "hostile"),
    [(case, hostile) for case, group in GROUPS.items() for hostile in group],
    ids=lambda value: value.name if isinstance(value, Hostile) else value,
)
async def test_p1_to_p4_a_hostile_body(
    gateway: Gateway, publish: Publish, case: str, hostile: Hostile
) -> None:
    asked, passed = len(gateway.engine.exchanges), 0
    times, statuses = list[float](), set[int]()
    for _ in range(TRIES):
        began = gateway.portal.call(time.thread_time)
        reply = await ask(gateway.port, hostile.request())
        times.append(gateway.portal.call(time.thread_time) - began)
        error = json.loads(reply.body)["error"]
        statuses.add(reply.status)
        passed += (
            reply.status in hostile.statuses
            and hostile.says in error["message"]
            and len(gateway.engine.exchanges) == asked
        )
    publish(
        Figure(
            case=case,
            what=f"{hostile.name} → {statuses.pop()}",
            n=TRIES,
            passed=passed,
            times=tuple(times),
            limit_s=CPU_S,
        )
    )


async def test_p5_control_tokens_in_text(gateway: Gateway, publish: Publish) -> None:
    clean = 0
    for model in ("zwrotnica", ENGINE):
        for token in CONTROL_TOKENS:
            messages = [
                {"role": role, "content": f"a {token} b{token}"}
                for role in ("system", "user", "assistant", "user")
            ]
            body = json.dumps({"model": model, "messages": messages}).encode()
            await ask(gateway.port, post(CHAT, body))
            sent = json.dumps(gateway.engine.last.json["messages"], ensure_ascii=False)
            clean += token.removesuffix("system") not in sent
    publish(
        Figure(
            case="P5",
            what=f"{len(CONTROL_TOKENS)} control tokens in four roles, routed and by name",
            n=2 * len(CONTROL_TOKENS),
            passed=clean,
        )
    )
