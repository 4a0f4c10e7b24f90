"""A client that leaves, whenever, is noticed by the engine (C1; how soon: tests/faults)."""

import asyncio
from collections.abc import Iterator

import pytest
from scripted.disconnects import TOKENS, Stage, leave, leave_all, make_stages
from scripted.gateway_under_test import Gateway, gateway_against
from scripted.hostile import CHAT, chat
from scripted.http_client import RawClient, post, wait_for
from scripted.patience import PATIENCE_S


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with gateway_against(tmp_path_factory.mktemp("leaving"), speed=1.0) as served:
        yield served


async def test_c1_leaving_is_noticed_at_every_stage_and_leaves_nothing_behind(
    gateway: Gateway,
) -> None:
    before = gateway.tasks()
    left = await leave_all(gateway, make_stages()[::-3])
    await wait_for(lambda: gateway.tasks() <= before)

    assert max(leaving.noticed_s or 0.0 for leaving in left) < PATIENCE_S
    assert all(exchange.sent_tokens < TOKENS for exchange in gateway.engine.exchanges)


@pytest.mark.parametrize("sent", [0, 40, 200])
async def test_c1_half_a_request_never_reaches_the_engine(gateway: Gateway, sent: int) -> None:
    asked = len(gateway.engine.exchanges)
    await leave(gateway, Stage(name="half", sent=sent), seed=90_000 + sent)
    await asyncio.sleep(0.1)

    assert len(gateway.engine.exchanges) == asked


async def test_c1_leaving_is_heard_while_the_router_is_silent(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("router")
    with gateway_against(folder, has_router=True, speed=1.0) as served:
        served.router.default = "fault=silent"
        async with RawClient(served.port) as client:
            await client.send(post(CHAT, chat("Ułóż fraszkę o jesieni.")))
            await wait_for(lambda: len(served.router.exchanges) == 1)
        (asked,) = served.router.exchanges
        await wait_for(lambda: asked.ended_at is not None)

        assert asked.client_left_at is not None
        assert served.engine.exchanges == []
