"""Heads of requests that never come, come too slowly, or are too large."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import uvicorn
from scripted.patience import NEVER_S, PATIENCE_S
from starlette.types import ASGIApp, Receive, Scope, Send

from serving.http.heads import BoundedHead
from serving.http.reachability import watch_clients
from serving.http.server import DrainingServer, configure
from serving.settings import LimitsSettings

QUICK_S = 0.05
PATIENT = LimitsSettings(head_s=NEVER_S)
HASTY = LimitsSettings(head_s=QUICK_S)
REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
HELLO = b"cze\xc5\x9b\xc4\x87"


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers as soon as it is asked, before it has read any body."""
    length = str(len(HELLO)).encode()
    headers = [(b"content-length", length)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": HELLO})


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the names of the header fields and with the body, once it is whole."""
    body, message = b"", await receive()
    while message["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            break
        message = await receive()
    told = b" ".join(name for name, _ in scope["headers"]) + b"|" + body
    headers = [(b"content-length", str(len(told)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": told})


@asynccontextmanager
async def connected(
    limits: LimitsSettings, app: ASGIApp = greet
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection to a server with these limits."""
    protocol = partial(BoundedHead, limits=limits)
    config = uvicorn.Config(app, http=protocol, lifespan="off", log_config=None, port=0)  # type: ignore[arg-type]  # any protocol
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE_S):
        while not server.started:  # noqa: ASYNC110 (uvicorn tells nobody)
            await asyncio.sleep(0.005)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        yield reader, writer
        writer.close()
        server.should_exit = server.force_exit = True
        await serving


def status_of(raw: bytes) -> int:
    return int(raw.split(b" ")[1])


async def test_who_connects_and_says_nothing_is_closed_without_a_word() -> None:
    async with connected(HASTY) as (reader, _):
        assert await reader.read() == b""


@pytest.mark.parametrize("piece", [b"GET / HTTP/1.1\r\nHos", b"\r\n", b"G"])
async def test_a_head_that_is_not_whole_in_time_is_told_so(piece: bytes) -> None:
    async with connected(HASTY) as (reader, writer):
        writer.write(piece)
        raw = await reader.read()

    head, _, body = raw.partition(b"\r\n\r\n")
    error = json.loads(body)["error"]
    assert status_of(raw) == 408
    assert (error["type"], error["code"]) == ("invalid_request_error", "invalid_request")
    assert error["request_id"].encode() in head
    assert "0.05 s" in error["message"]


async def test_a_byte_now_and_then_wins_no_time() -> None:
    async with connected(LimitsSettings(head_s=0.3)) as (reader, writer):
        began = asyncio.get_running_loop().time()
        writer.write(b"GET / HTTP/1.1\r\nX: ")
        reading = asyncio.create_task(reader.read())
        while not reading.done():
            writer.write(b"x")
            await asyncio.sleep(0.02)
        seconds = asyncio.get_running_loop().time() - began

    assert status_of(reading.result()) == 408
    assert seconds < PATIENCE_S


async def test_a_kept_connection_has_as_long_for_its_next_head() -> None:
    async with connected(HASTY) as (reader, writer):
        writer.write(REQUEST)
        first = await reader.readuntil(HELLO)
        await asyncio.sleep(2 * QUICK_S)
        writer.write(REQUEST)
        second = await reader.readuntil(HELLO)
        writer.write(REQUEST[:10])
        third = await reader.read()

    assert [status_of(raw) for raw in (first, second, third)] == [200, 200, 408]


async def test_a_body_that_nobody_waits_for_is_not_read_for_ever() -> None:
    async with connected(HASTY) as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        await reader.readuntil(HELLO)
        writer.write(b"x")

        assert await reader.read() == b""


@pytest.mark.parametrize("ending", [b"", b"\r\n\r\n"], ids=["without end", "whole"])
@pytest.mark.parametrize("size", [70_000, 2_000_000])
async def test_a_head_that_is_too_large_is_refused(size: int, ending: bytes) -> None:
    async with connected(PATIENT) as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + size * b"a" + ending)
        raw = await reader.readuntil(b"}}")

    assert status_of(raw) == 431


async def test_many_small_fields_are_counted_together() -> None:
    fields = b"".join(b"X-%d: a\r\n" % number for number in range(10_000))
    async with connected(PATIENT) as (reader, writer):
        writer.write(REQUEST[:-2] + fields + b"\r\n")
        raw = await reader.readuntil(b"}}")

    assert status_of(raw) == 431


async def test_a_large_body_is_no_head() -> None:
    async with connected(PATIENT) as (reader, writer):
        request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" + 300_000 * b"a"
        writer.write(2 * request)
        raw = await reader.readuntil(HELLO) + await reader.readuntil(HELLO)

    assert raw.count(b"HTTP/1.1 200 OK") == 2


async def test_one_client_too_many_is_told_so_in_our_own_form() -> None:
    async with connected(LimitsSettings(connections=1)) as (first, first_writer):
        port = first_writer.get_extra_info("peername")[1]
        second, second_writer = await asyncio.open_connection("127.0.0.1", port)
        second_writer.write(REQUEST)
        head, _, body = (await second.read()).partition(b"\r\n\r\n")
        second_writer.close()
        first_writer.write(REQUEST)
        served = await first.readuntil(HELLO)

    error = json.loads(body)["error"]
    assert (status_of(head), error["code"]) == (503, "queue_full")
    assert f"x-request-id: {error['request_id']}".encode() in head
    assert b"retry-after: 1" in head
    assert status_of(served) == 200


async def told(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    (length,) = [line for line in head.split(b"\r\n") if line.startswith(b"content-length")]
    return await reader.readexactly(int(length.split(b" ")[1]))


@pytest.mark.parametrize("name", [b"Upgrade", b"UPGRADE"])
async def test_an_offer_of_another_protocol_costs_no_body(name: bytes) -> None:
    offer = b"Connection: Upgrade, HTTP2-Settings\r\n%b: h2c\r\nHTTP2-Settings: AAEA\r\n" % name
    head = b"POST / HTTP/1.1\r\nHost: x\r\n" + offer + b"Content-Length: 12\r\n\r\n"
    body = b"\r\nUpgrade: x"
    async with connected(PATIENT, echo) as (reader, writer):
        for at in range(len(head) + 2):
            writer.write((head + body)[:at])
            await asyncio.sleep(0.002)
            writer.write((head + body)[at:])
            assert (
                await told(reader)
                == b"host connection x-grade http2-settings content-length|" + body
            )


async def test_trailers_are_no_fields_of_the_request() -> None:
    async with connected(PATIENT, echo) as (reader, writer):
        writer.write(CHUNKED + b"3\r\nabc\r\n0\r\nX-Account: ala\r\n\r\n")
        assert await told(reader) == b"host transfer-encoding|abc"


@pytest.mark.parametrize("endless", [b"a:b\r\n", b""], ids=["trailers", "extension"])
async def test_what_follows_a_body_has_an_end(endless: bytes) -> None:
    async with connected(PATIENT, echo) as (reader, writer):
        writer.write(CHUNKED + b"3\r\nabc\r\n" + (b"0\r\n" if endless else b"3;"))
        for _ in range(40):
            writer.write((endless or b"x") * 2_000)
            await asyncio.sleep(0.001)
        raw = await reader.read()

    assert status_of(raw) == 431


async def test_what_is_no_http_is_told_in_our_own_form() -> None:
    async with connected(PATIENT) as (reader, writer):
        writer.write(b"HELO x\r\n\r\n")
        raw = await reader.read()

    assert status_of(raw) == 400
    assert json.loads(raw.partition(b"\r\n\r\n")[2])["error"]["code"] == "invalid_request"


async def test_garbage_behind_a_request_is_not_answered_within_its_answer() -> None:
    async with connected(PATIENT) as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n\0\0\0\r\n\r\n")
        raw = await reader.read()

    assert b" 400 " not in raw


@pytest.mark.parametrize(
    "asked",
    [
        REQUEST.replace(b"Host: x", b"Transfer-Encoding: identity"),
        CHUNKED + b"zz\r\nx\r\n",
        CHUNKED + b"2\r\nabc\r\n",
    ],
    ids=["encoding", "size", "end"],
)
async def test_a_body_that_cannot_be_read_is_told_so(asked: bytes) -> None:
    async with connected(PATIENT, echo) as (reader, writer):
        writer.write(asked)
        raw = await reader.read()

    assert status_of(raw) == 400
    assert raw.count(b"HTTP/1.1 ") == 1


class Nobody:
    """Has nothing to drain."""

    turns = 0

    async def drain(self, limit_s: float) -> None:
        """Be done."""


async def test_a_server_of_ours_has_its_limits_and_has_clients_watched() -> None:
    limits = LimitsSettings(head_s=QUICK_S, unreachable_s=20)
    settings = configure(greet, host="127.0.0.1", port=0, limits=limits)  # type: ignore[arg-type]  # any application
    settings.lifespan = "off"
    server = DrainingServer(settings, admission=Nobody(), limits=limits)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE_S):
        while not server.started:  # noqa: ASYNC110 (uvicorn tells nobody)
            await asyncio.sleep(0.005)
        listening = server.servers[0].sockets[0]
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        assert await reader.read() == b""
        assert listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
        writer.close()
        server.ask_to_end()
        await serving


def test_accepted_connections_inherit_how_they_are_watched() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        watch_clients(listening, within_s=50)
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            with accepted:
                found = [
                    accepted.getsockopt(socket.IPPROTO_TCP, option)
                    for option in (
                        socket.TCP_KEEPIDLE,
                        socket.TCP_KEEPINTVL,
                        socket.TCP_KEEPCNT,
                        socket.TCP_USER_TIMEOUT,
                    )
                ]
                assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1

    assert found == [20, 10, 3, 50_000]
