"""A request handed on to another process and its reply, with the page as that process."""

import asyncio
import json
from collections.abc import Iterator
from typing import cast

import pytest
from scripted.http_client import RawClient, ask
from scripted.page import PageGateway, ready_page_gateway, request
from scripted.page_process import LARGE
from scripted.patience import PATIENCE_S

from serving.settings import LimitsSettings

BOUNDS = LimitsSettings(body_bytes=1000, body_s=0.3, write_s=0.3, drain_s=0.2)


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageGateway]:
    with ready_page_gateway(tmp_path_factory.mktemp("page"), limits=BOUNDS) as gateway:
        yield gateway


async def departures(gateway: PageGateway) -> int:
    return cast("int", (await gateway.seen())["departures"])


async def push(gateway: PageGateway, text: bytes) -> None:
    """Let an open stream of the page say something."""
    await ask(gateway.port, request("/push", text, method="POST", content_length=str(len(text))))


async def wait_departures(gateway: PageGateway, count: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await departures(gateway) < count:  # noqa: ASYNC110 (another process's state)
            await asyncio.sleep(0.02)


async def read_after(gateway: PageGateway, pause_s: float) -> int:
    """How much of a large reply comes to a client that waits before it reads on."""
    async with RawClient(gateway.port) as client:
        await client.send(request("/large"))
        await client.read_until(b"\r\n\r\n")
        await asyncio.sleep(pause_s)
        return len(await client.read_some(LARGE))


@pytest.mark.parametrize("host", ["x/public?", "a#b", "a@b", "a\\b", "", "a b"])
async def test_a_host_that_is_none_is_refused(gateway: PageGateway, host: str) -> None:
    assert (await gateway.get("/", host=host)).status == 400


async def test_two_hosts_are_refused(gateway: PageGateway) -> None:
    raw = b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n"

    assert (await ask(gateway.port, raw)).status == 400


async def test_the_page_sees_the_clients_address_of_it(gateway: PageGateway) -> None:
    await gateway.get("/address", host="czat:8443", x_forwarded_proto="https")
    headers = dict(cast("list[tuple[str, str]]", (await gateway.last_seen("/address"))["headers"]))

    assert headers["host"] == "czat:8443"
    assert (headers["x-forwarded-proto"], headers["x-forwarded-for"]) == ("https", "127.0.0.1")


async def test_what_a_client_says_of_other_hosts_and_of_the_connection_stays_here(
    gateway: PageGateway,
) -> None:
    await gateway.get(
        "/odd-headers",
        x_forwarded_host="evil.example",
        x_forwarded_prefix="/evil",
        forwarded="host=evil.example",
        x_gradio_server="http://evil.example",
        connection="close, x-mine",
        x_mine="1",
        te="trailers",
        upgrade="websocket",
        cookie="a=1",
    )
    headers = dict(
        cast("list[tuple[str, str]]", (await gateway.last_seen("/odd-headers"))["headers"])
    )

    assert "evil" not in json.dumps(headers)
    assert not {"x-mine", "te", "upgrade", "connection"} & set(headers)
    assert headers["cookie"] == "a=1"


async def test_a_request_has_one_id_on_both_sides(gateway: PageGateway) -> None:
    reply = await gateway.get("/id", x_request_id="my-own-request")
    headers = dict(cast("list[tuple[str, str]]", (await gateway.last_seen("/id"))["headers"]))

    assert reply.headers["x-request-id"] == headers["x-request-id"] == "my-own-request"


async def test_of_the_pages_reply_what_concerns_one_connection_stays_here(
    gateway: PageGateway,
) -> None:
    async with RawClient(gateway.port) as client:
        await client.send(request("/odd"))
        head = (await client.read_until(b"\r\n\r\n")).decode().lower()

    assert "location: /elsewhere" in head
    assert "content-encoding: br" in head
    assert "set-cookie: a=1" in head
    assert "set-cookie: b=2" in head
    assert not [name for name in ("x-odd", "keep-alive", "server: page") if name in head]


async def test_a_body_reaches_the_page_whole(gateway: PageGateway) -> None:
    body = "zażółć".encode() * 50
    raw = request("/body", body, method="POST", content_length=str(len(body)))
    await ask(gateway.port, raw)

    assert (await gateway.last_seen("/body"))["body"] == body.decode()


async def test_a_body_in_chunks_reaches_the_page_whole(gateway: PageGateway) -> None:
    body = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    raw = request("/chunks", body, method="POST", transfer_encoding="chunked")
    await ask(gateway.port, raw)

    assert (await gateway.last_seen("/chunks"))["body"] == "abcde"


async def test_a_body_beyond_its_bound_never_reaches_the_page(gateway: PageGateway) -> None:
    body = b"x" * 1001
    raw = request("/too-large", body, method="POST", content_length=str(len(body)))
    reply = await ask(gateway.port, raw)

    assert reply.status == 413
    assert "/too-large" not in json.dumps(await gateway.seen())


async def test_half_a_body_never_reaches_the_page(gateway: PageGateway) -> None:
    raw = request("/half", b"half", method="POST", content_length="8")
    reply = await ask(gateway.port, raw)

    assert reply.status == 408
    assert "/half" not in json.dumps(await gateway.seen())


async def test_each_event_passes_when_it_is_said(gateway: PageGateway) -> None:
    async with RawClient(gateway.port) as client, asyncio.timeout(PATIENCE_S):
        await client.send(request("/events"))
        await client.read_until(b"\r\n\r\n")
        for word in (b"pierwsze", b"drugie"):
            await push(gateway, word)
            assert b"data: " + word in await client.read_until(b"\n\n\r\n")


async def test_a_client_that_leaves_ends_the_pages_stream(gateway: PageGateway) -> None:
    before = await departures(gateway)
    async with RawClient(gateway.port) as client:
        await client.send(request("/events"))
        await client.read_until(b"\r\n\r\n")

    await wait_departures(gateway, before + 1)


async def test_a_client_that_stops_reading_is_left(gateway: PageGateway) -> None:
    pause_s = 2 * BOUNDS.write_s
    async with asyncio.timeout(PATIENCE_S):
        while await read_after(gateway, pause_s) == LARGE:
            pause_s *= 2  # the machine is busy


async def test_a_large_reply_passes_whole(gateway: PageGateway) -> None:
    assert len((await gateway.get("/large")).body) == LARGE


async def test_a_reply_that_breaks_off_is_cut(gateway: PageGateway) -> None:
    reply = await gateway.get("/cut")

    assert reply.body == b"half"
    assert not reply.is_whole
