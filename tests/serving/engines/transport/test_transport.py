"""Our own HTTP to model servers, against the very bytes that a server may send."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import uvloop
from scripted.certificate import make_certificate
from scripted.patience import PATIENCE_S
from scripted.raw_server import raw_server

from chatbot.errors import EngineBusy, EngineUnavailable
from chatbot.testing import ManualClock
from serving.engines.address import Address
from serving.engines.connection import Connection
from serving.engines.reply import read_whole
from serving.engines.transport.errors import ClosedEarly, ConnectFailed, NoHttp, ReadTimedOut
from serving.engines.transport.origin import Origin
from serving.engines.transport.pool import Pool
from serving.engines.transport.reply import HELD_BYTES, MAX_HEAD_BYTES, Reply
from serving.settings import SettingsError

LoopFactory = Callable[[], asyncio.AbstractEventLoop]
OK = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
CHUNKED = OK + b"transfer-encoding: chunked\r\n\r\n"
SHORT = OK + b"content-length: 5\r\n\r\nhello"


@asynccontextmanager
async def pool_at(url: str, *, max_connections: int = 8) -> AsyncIterator[Pool]:
    origin = Origin.at(url, api_key="sk-1")
    pool = Pool(origin, connect_s=PATIENCE_S, max_connections=max_connections)
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield pool
    finally:
        pool.close()


async def post(pool: Pool, *, within_s: float = PATIENCE_S) -> Reply:
    deadline = asyncio.get_running_loop().time() + within_s
    return await pool.post(
        "/chat/completions", b"{}", accept="text/event-stream", deadline=deadline
    )


async def read(pool: Pool) -> bytes:
    reply = await post(pool)
    try:
        return await read_whole(reply, max_bytes=100)
    finally:
        await reply.aclose()


@asynccontextmanager
async def connection_to(url: str, *, max_connections: int = 8) -> AsyncIterator[Connection]:
    address = Address(url=url, connect_s=PATIENCE_S, max_connections=max_connections)
    async with Connection(engine="e", address=address, clock=ManualClock()) as connection:
        yield connection


async def ask(connection: Connection) -> bytes:
    deadline = asyncio.get_running_loop().time() + PATIENCE_S
    reply = await connection.open_stream("/chat/completions", b"{}", deadline=deadline)
    try:
        return await read_whole(reply, max_bytes=100)
    finally:
        await reply.aclose()


async def read_from(*pieces: bytes) -> bytes:
    async with raw_server([pieces]) as server, pool_at(server.url) as pool:
        return await read(pool)


@pytest.mark.parametrize("factory", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_server_that_speaks_first_costs_no_place(factory: LoopFactory) -> None:
    async def main() -> list[str]:
        said = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"

        async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(said)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

        server = await asyncio.start_server(speak, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, pool_at(f"http://127.0.0.1:{port}/v1", max_connections=2) as pool:
            return [await fail(pool) for _ in range(8)]

    with asyncio.Runner(loop_factory=factory) as runner:
        assert {"ClosedEarly", "answered"} >= set(runner.run(main()))


async def fail(pool: Pool) -> str:
    try:
        reply = await post(pool)
    except ConnectionError as error:
        return type(error).__name__
    await reply.aclose()
    return "answered"


async def test_waiting_for_our_own_connections_is_no_fault_of_the_server() -> None:
    loop = asyncio.get_running_loop()
    async with raw_server([[], []]) as server:  # it says nothing to its first request
        async with connection_to(server.url, max_connections=1) as used:
            slow = used.open_stream("/x", b"{}", deadline=loop.time() + PATIENCE_S)
            first = asyncio.create_task(slow)
            while not server.requests:  # noqa: ASYNC110 (it tells nobody)
                await asyncio.sleep(0.005)
            for _ in range(8):
                with pytest.raises(EngineBusy, match="all connections to engine 'e' are in use"):
                    await used.open_stream("/x", b"{}", deadline=loop.time() + 0.06)
            assert not used.breaker.is_open
            assert used.oddities == {}
            first.cancel()
            await asyncio.wait([first])
        await server.left.wait()


async def test_the_request_is_whole_and_names_host_key_and_length() -> None:
    async with raw_server([[SHORT]]) as server, pool_at(server.url) as pool:
        await read(pool)

    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    first, *fields = head.decode().split("\r\n")
    assert first == "POST /v1/chat/completions HTTP/1.1"
    assert dict(field.split(": ", 1) for field in fields) == {
        "Host": server.url.split("/")[2],
        "User-Agent": "zwrotnica",
        "Authorization": "Bearer sk-1",
        "Accept": "text/event-stream",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
        "Content-Length": "2",
    }
    assert body == b"{}"


@pytest.mark.parametrize(
    "pieces",
    [
        [SHORT],
        [SHORT[:20], SHORT[20:-2], SHORT[-2:]],
        [bytes([byte]) for byte in CHUNKED + b"5\r\nhello\r\n0\r\n\r\n"],
        [CHUNKED, b"5;name=value\r\nhello\r\n0\r\n\r\n"],
        [CHUNKED, b"2\r\nhe\r\n", b"3\r\nllo\r\n0\r\nx-trailer: 1\r\n\r\n"],
        [OK + b"\r\n", b"hel", b"lo"],
        [b"HTTP/1.1 100 Continue\r\n\r\n", SHORT],
        [b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + SHORT],
    ],
)
async def test_every_framing_gives_the_same_body(pieces: list[bytes]) -> None:
    assert await read_from(*pieces) == b"hello"


@pytest.mark.parametrize(
    "rest",
    [
        b"5\r\nhello\r\n",
        b"5\r\nhello\r\nzz\r\n",
        b"5\r\nhello\r\n-1\r\nx\r\n",
        b"5\r\nhello\r\nffffffffffffffffff\r\nx",
        b"5\r\nhelloXX",
        b"5\r\nhello\r\n0\r\nx-trailer: " + b"a" * 2 * MAX_HEAD_BYTES,
    ],
)
async def test_a_body_that_breaks_off_or_is_garbage_is_no_end(rest: bytes) -> None:
    async with raw_server([[CHUNKED + rest]]) as server, pool_at(server.url) as pool:
        reply = await post(pool)
        seen = await reply.read()
        with pytest.raises(EOFError):
            await reply.read()
        await reply.aclose()

    assert seen == b"hello"


@pytest.mark.parametrize(
    "head",
    [
        b"data: hello\n\n",
        b"\x16\x03\x01\x02\x00",
        OK + b"x-long: " + b"a" * 2 * MAX_HEAD_BYTES,
        OK + b"".join(b"x-%d: 1\r\n" % number for number in range(MAX_HEAD_BYTES // 4)),
        b"HTTP/1.1 103 Early Hints\r\n\r\n" * MAX_HEAD_BYTES,
        OK + b"content-length: 5\r\ncontent-length: 6\r\n\r\nhello",
        OK + b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ],
)
async def test_what_is_no_reply_or_has_a_head_without_bounds_is_refused(head: bytes) -> None:
    with pytest.raises(NoHttp):
        await read_from(head)


@pytest.mark.parametrize("beginning", [b"", b"HTTP/1.1 200 OK\r\ncontent-"])
async def test_a_connection_closed_before_the_reply_is_told_apart(beginning: bytes) -> None:
    with pytest.raises(ClosedEarly):
        await read_from(beginning)


async def test_a_refused_connection_is_told_apart() -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    async with pool_at(f"http://127.0.0.1:{port}/v1") as pool:
        with pytest.raises(ConnectFailed):
            await post(pool)


async def test_a_stale_connection_is_given_up_for_a_fresh_one() -> None:
    async with (
        raw_server([[SHORT], []], [[SHORT]]) as server,
        connection_to(server.url) as connection,
    ):
        bodies = [await ask(connection), await ask(connection)]

    assert (bodies, server.connections, len(server.requests)) == ([b"hello"] * 2, 2, 3)


async def test_a_connection_closed_before_the_reply_twice_is_unavailable() -> None:
    async with raw_server([[]]) as server, connection_to(server.url) as connection:
        with pytest.raises(EngineUnavailable):
            await ask(connection)

    assert len(server.requests) == 2


@pytest.mark.parametrize("reply", [SHORT, CHUNKED + b"5\r\nhello\r\n0\r\n\r\n"])
async def test_a_kept_connection_takes_the_next_request(reply: bytes) -> None:
    async with raw_server([[reply]] * 3 + [[]]) as server, pool_at(server.url) as pool:
        bodies = [await read(pool) for _ in range(3)]

    assert (bodies, server.connections) == ([b"hello"] * 3, 1)


@pytest.mark.parametrize(
    "reply",
    [
        SHORT.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n"),
        SHORT + SHORT,
        SHORT + b"garbage",
        SHORT.replace(b"HTTP/1.1", b"HTTP/1.0"),
    ],
)
async def test_a_connection_that_cannot_be_trusted_is_not_kept(reply: bytes) -> None:
    async with raw_server([[reply], [reply]]) as server, pool_at(server.url) as pool:
        bodies = [await read(pool), await read(pool)]

    assert (bodies, server.connections) == ([b"hello"] * 2, 2)


async def test_a_reply_that_is_left_loses_its_socket() -> None:
    flood = [CHUNKED] + [b"5\r\nhello\r\n"] * 100_000
    async with raw_server([flood]) as server, pool_at(server.url) as pool:
        reply = await post(pool)
        await reply.aclose()
        await server.left.wait()

    assert server.connections == 1


async def test_no_more_connections_than_allowed_and_each_waiter_gets_its_turn() -> None:
    async with (
        raw_server([[SHORT]] * 20) as server,
        pool_at(server.url, max_connections=2) as pool,
    ):
        bodies = await asyncio.gather(*(read(pool) for _ in range(10)))

    assert bodies == [b"hello"] * 10
    assert server.connections <= 2


async def test_a_waiter_that_gives_up_takes_no_turn() -> None:
    async with (
        raw_server([[SHORT]] * 20) as server,
        pool_at(server.url, max_connections=1) as pool,
    ):
        held = await post(pool)
        waiters = [asyncio.create_task(read(pool)) for _ in range(5)]
        await asyncio.sleep(0)
        for waiter in waiters[:4]:
            waiter.cancel()
        while await held.read() is not None:
            pass
        await held.aclose()

        assert await waiters[4] == b"hello"


async def test_what_nobody_reads_stays_in_the_socket() -> None:
    sent = 64 * HELD_BYTES
    body = OK + b"content-length: %d\r\n\r\n" % sent + b"a" * sent
    async with raw_server([[body]]) as server, pool_at(server.url) as pool:
        reply = await post(pool)
        await asyncio.sleep(0.1)
        sizes: list[int] = []
        while (piece := await reply.read()) is not None:
            sizes.append(len(piece))
        await reply.aclose()

    assert sum(sizes) == sent
    assert max(sizes) <= 2 * HELD_BYTES


async def test_a_bug_of_who_takes_the_body_is_raised_as_it_is() -> None:
    taken: list[bytes] = []

    def take(piece: bytes) -> bool:
        taken.append(piece)
        return len(taken) / (3 - len(taken)) < 0

    flood = [CHUNKED] + [b"5\r\nhello\r\n"] * 100_000
    async with raw_server([flood]) as server, pool_at(server.url) as pool:
        reply = await post(pool)
        with pytest.raises(ZeroDivisionError):
            await reply.pour(take)
        await reply.aclose()

    assert len(taken) == 3


async def test_a_silence_ends_at_the_limit_after_what_came_before() -> None:
    hanging = [[CHUNKED + b"5\r\nhello\r\n"], []]
    async with raw_server(hanging) as server, pool_at(server.url) as pool:
        reply = await post(pool)
        first = await reply.read()
        reply.limit(asyncio.get_running_loop().time())
        with pytest.raises(ReadTimedOut):
            await reply.read()
        await reply.aclose()

    assert first == b"hello"


async def test_a_server_is_reached_by_tls_where_its_certificate_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls, certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with raw_server([[SHORT]] * 2, tls=tls) as server, pool_at(server.url) as pool:
        bodies = [await read(pool), await read(pool)]

    assert (bodies, server.connections) == ([b"hello"] * 2, 1)


async def test_a_certificate_that_nobody_trusts_is_refused(tmp_path: Path) -> None:
    tls, _ = make_certificate(tmp_path)
    async with raw_server([[SHORT]], tls=tls) as server, pool_at(server.url) as pool:
        with pytest.raises(ConnectFailed):
            await post(pool)


@pytest.mark.parametrize("key", ["a\r\nx-injected: 1", "klucz-ą"])
def test_a_key_that_no_header_takes_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="printable"):
        Origin.at("http://127.0.0.1/v1", api_key=key)


async def test_settings_that_cannot_be_sent_are_refused_by_the_engines_name() -> None:
    address = Address(url="http://127.0.0.1/v1", api_key="klucz-ą")
    with pytest.raises(SettingsError, match="engine 'e': a key is made of"):
        await Connection(engine="e", address=address, clock=ManualClock()).__aenter__()


async def test_small_writes_go_out_at_once() -> None:
    async with raw_server([[CHUNKED]] * 2) as server, pool_at(server.url) as pool:
        reply = await post(pool)
        (channel,) = pool._busy
        assert channel._transport is not None
        sock = channel._transport.get_extra_info("socket")

        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await reply.aclose()
