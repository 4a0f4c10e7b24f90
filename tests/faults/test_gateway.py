"""Every engine fault as a client of the gateway meets it, with short limits where silence is."""

import asyncio
import json
import re
from collections.abc import Iterator

import pytest
from scripted.engine_under_test import SPEED
from scripted.fault_matrix import FAULTS, FIRST_TOKEN_S, HEARTBEAT_S, IDLE_S, TIMEOUT, play
from scripted.gateway_under_test import Gateway, gateway_against
from scripted.http_client import ask, wait_for
from scripted.line import read_script
from scripted.patience import PATIENCE_S

pytestmark = pytest.mark.faults

IMPATIENT = {"busy_wait_s": 0.5}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with gateway_against(tmp_path_factory.mktemp("faults"), engine_changes=IMPATIENT) as served:
        yield served


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with gateway_against(tmp_path_factory.mktemp("silence"), speed=SPEED) as served:
        yield served


def plain(text: str) -> str:
    """The text without the spaces that the guard may put in."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if FAULTS[fault] != TIMEOUT])
async def test_a_fault_is_told_with_its_code_and_status(gateway: Gateway, fault: str) -> None:
    code, status = FAULTS[fault]
    whole = read_script("fault=none;tokens=20").text if code == "ok" else ""
    heard = await play(gateway, fault)

    assert [found.code for found, _ in heard] == [code] * 4
    assert {found.status for found, _ in heard[1::2]} == {status}
    assert {found.status for found, _ in heard[::2]} <= {status, 200}
    assert code != "ok" or [plain(found.text) for found, _ in heard] == [plain(whole)] * 4


async def test_e2_to_e4_silence_is_told_at_its_limit_after_heartbeats(hasty: Gateway) -> None:
    faults = [fault for fault in FAULTS if FAULTS[fault] == TIMEOUT]
    for fault, heard in zip(
        faults, await asyncio.gather(*(play(hasty, fault) for fault in faults)), strict=True
    ):
        is_idle = "after=" in fault
        limit = (IDLE_S if is_idle else FIRST_TOKEN_S) / SPEED
        assert [found.code for found, _ in heard] == ["engine_timeout"] * 4
        assert [found.status for found, _ in heard] == [200, 504, 200, 504]
        assert all(limit <= reply.seconds < limit + PATIENCE_S for _, reply in heard)
        if not is_idle:
            assert all(b": \n\n" in reply.body for _, reply in heard[::2])
            assert HEARTBEAT_S / SPEED <= heard[0][1].first_byte_s < heard[0][1].seconds


@pytest.mark.parametrize("after", ["1", "3600", "x", "-5"])
async def test_e10_a_busy_engine_gives_the_client_a_retry_after_of_ours(
    gateway: Gateway, after: str
) -> None:
    named = after if after.isdigit() else "1"
    heard = await play(gateway, f"status:code=429:after={after}")

    assert [reply.headers["retry-after"] for _, reply in heard] == [named] * 4


@pytest.mark.parametrize("kind", ["missing", "negative", "huge"])
async def test_e13_an_unusable_usage_is_never_shown(gateway: Gateway, kind: str) -> None:
    heard = await play(gateway, f"usage:kind={kind}")

    assert not any("1000000000000" in reply.body.decode() for _, reply in heard)
    assert not any("-20" in json.dumps(found.usage) for found, _ in heard)


@pytest.mark.parametrize(
    ("fault", "oddity"),
    [
        ("no_done", "no_done"),
        ("malformed", "malformed_event"),
        ("usage:kind=huge", "absurd_usage"),
        ("status:code=401", "credentials_rejected"),
    ],
)
async def test_what_is_strange_about_an_engine_is_a_metric(
    gateway: Gateway, fault: str, oddity: str
) -> None:
    await play(gateway, fault)
    scrape = b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    metrics = await ask(gateway.port, scrape)

    assert f'zwrotnica_engine_oddities_total{{engine="bielik",oddity="{oddity}"}}'.encode() in (
        metrics.body
    )


async def test_i3_i8_nothing_is_left_behind(gateway: Gateway) -> None:
    await play(gateway, "none")
    gateway.portal.call(asyncio.sleep, 0.1)
    before = gateway.tasks()
    await asyncio.gather(*(play(gateway, fault) for fault in FAULTS if FAULTS[fault] != TIMEOUT))
    await wait_for(lambda: gateway.tasks() <= before)

    await wait_for(lambda: all(exchange.ended_at for exchange in gateway.engine.exchanges))
