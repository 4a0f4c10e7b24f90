"""What clients do, C1 to C6, by what the engine behind any gateway and other clients see of it."""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Final

from faults.cases import CLOSING_S, GRACE_S, Case, Play, Scene, Try, judge_told
from scripted.deaf import deaf
from scripted.http_client import RawClient

SMALL_BUFFER = 8_192
IDLE, KEPT, WAITING = 1_000, 400, 300
EACH_MIB = 40 / 1024
"""What a connection that waits for an answer may cost (C3)."""
STUCK_MIB = 16.0
"""What four clients that read nothing of 64 MB each may cost together."""
SPEAKS = "none"
OPENING_S = 0.01
"""For each of many streams that are opened at once, on a machine that has other things to do."""


async def leave(scene: Scene, *, part: float = 1.0, fault: str = SPEAKS, wait_s: float) -> Try:
    """Send part of a request, leave, and see when the engine notices (I8)."""
    clock = asyncio.get_running_loop().time
    seed = next(scene.seeds)
    text = f"Ułóż fraszkę. fault={fault};tokens=1000;pace=40;seed={seed}"
    raw = scene.gateway.request("fault", text)
    async with RawClient(scene.gateway.port) as client:
        await client.send(raw[: round(part * len(raw))])
        await asyncio.sleep(wait_s)
    left_at = clock()
    await asyncio.sleep(0.05)
    asked = await scene.log(seed)
    if not asked:
        return Try()
    noticed = [one.client_left_at for one in asked if one.client_left_at is not None]
    if len(noticed) < len(asked):
        return Try(why="the engine goes on")
    return Try(seconds=max(0.0, max(noticed) - left_at))


def leaves(*, fault: str = SPEAKS, waits: Sequence[float]) -> Play:
    """One client for each of ``waits``, all together."""

    async def play(scene: Scene) -> Sequence[Try]:
        return await asyncio.gather(*(leave(scene, fault=fault, wait_s=wait_s) for wait_s in waits))

    return play


async def stop_reading(scene: Scene, *, reads_slowly: bool) -> Try:
    """Ask for 64 MB and read nothing, or a byte now and then, until the engine is left."""
    clock = asyncio.get_running_loop().time
    seed = next(scene.seeds)
    raw = scene.gateway.request("fault", f"fault=flood:kib=65536;seed={seed}")
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
    sock.settimeout(0)
    with sock:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(sock, ("127.0.0.1", scene.gateway.port))
        began, limit_s = clock(), scene.limits.write_s + GRACE_S
        await loop.sock_sendall(sock, raw)
        while clock() - began < limit_s:
            await asyncio.sleep(0.1)
            if reads_slowly:
                with suppress(OSError):
                    sock.recv(1)
            told = [one for one in await scene.logs() if one.seed == seed]
            if told and all(one.ended_at is not None for one in told):
                return Try(seconds=max(one.ended_at or 0.0 for one in told) - began)
    return Try(why="the engine is kept waiting")


def stops_reading(*, reads_slowly: bool) -> Play:
    """Two such readers."""

    async def play(scene: Scene) -> Sequence[Try]:
        one = partial(stop_reading, scene, reads_slowly=reads_slowly)
        return await asyncio.gather(one(), one())

    return play


async def connect_only(scene: Scene) -> Sequence[Try]:
    """A thousand connections that say nothing: each is closed."""
    return await _wait_for_closing(scene, IDLE, b"", within_s=scene.limits.head_s + GRACE_S)


async def keep_alive(scene: Scene) -> Sequence[Try]:
    """Connections that had one answer and stay: each is closed."""
    request = b"GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n"
    return await _wait_for_closing(
        scene, KEPT, request, within_s=scene.limits.keep_alive_s + GRACE_S
    )


async def _wait_for_closing(
    scene: Scene, count: int, request: bytes, *, within_s: float
) -> Sequence[Try]:
    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Try:
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with asyncio.timeout(within_s):
                writer.write(request)
                while await reader.read(65_536):
                    pass
        except TimeoutError:
            return Try(why="kept open")
        except OSError:
            pass
        finally:
            writer.transport.abort()
        return Try(seconds=clock() - began)

    port = scene.gateway.port
    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    return await asyncio.gather(*(one(*both) for both in opened))


def waiting_streams(count: int, *, way: str = "fault", called: str = "streams") -> Case:
    """So many streams that wait for an engine which says nothing: each is told, none costs much."""

    async def play(scene: Scene) -> Sequence[Try]:
        limit_s = scene.limits.first_token_s + 2 * GRACE_S + count * OPENING_S

        async def one() -> Try:
            _, seen = await scene.ask("headers", limit_s=limit_s, way=way)
            return Try(why=judge_told(seen), seconds=seen.seconds)

        return await asyncio.gather(*(one() for _ in range(count)))

    return Case(
        name="C3",
        what=f"{count:,} {called} wait for a token: told, ≤ 40 kB each",
        play=play,
        least=count,
        memory_mib=count * EACH_MIB,
    )


LATE: Final = 1.2
"""Of the limit for silent clients: the kernel looks at it when it sends again, ever more seldom."""


async def vanish(scene: Scene) -> Try:
    """Read some tokens, then answer to nothing any more, not even a segment of TCP."""
    clock = asyncio.get_running_loop().time
    seed = next(scene.seeds)
    text = f"Ułóż fraszkę. fault=none;tokens=5000;pace=20;seed={seed}"
    async with AsyncExitStack() as stack:
        reader, writer = await asyncio.open_connection("127.0.0.1", scene.gateway.port)
        stack.callback(writer.transport.abort)
        writer.write(scene.gateway.request("fault", text))
        await reader.readuntil(b'"content"')
        stack.enter_context(deaf(writer.get_extra_info("socket")))
        began, limit_s = clock(), LATE * scene.limits.unreachable_s
        while clock() - began < limit_s:
            await asyncio.sleep(0.1)
            told = [x for x in await scene.logs() if x.seed == seed]
            if all(x.client_left_at is not None for x in told):
                return Try(seconds=clock() - began)
    return Try(why="the engine goes on")


async def vanish_together(scene: Scene) -> Sequence[Try]:
    """Four clients that vanish."""
    return await asyncio.gather(*(vanish(scene) for _ in range(4)))


def client_cases() -> list[Case]:
    """C1 to C4."""
    parts = (0.0, 0.1, 0.3, 0.6, 0.9)
    return [
        *(
            Case(name="C1", what=what, play=play, least=least, limit_s=CLOSING_S)
            for what, play, least in (
                ("leaves in the request: engine closed", leaves_in_request(parts), 20),
                (
                    "leaves before the first token",
                    leaves(fault="silent", waits=[0.0, 0.05, 0.1, 0.2]),
                    20,
                ),
                ("leaves in the answer", leaves(waits=[0.05, 0.1, 0.2, 0.4, 0.8]), 20),
            )
        ),
        Case(
            name="C2",
            what="reads nothing of 64 MB: cut, engine closed",
            play=stops_reading(reads_slowly=False),
            least=4,
            memory_mib=STUCK_MIB,
        ),
        Case(
            name="C2",
            what="reads 10 B/s of 64 MB",
            play=stops_reading(reads_slowly=True),
            least=4,
            memory_mib=STUCK_MIB,
        ),
        Case(
            name="C3",
            what=f"{IDLE:,} connections without a request: closed",
            play=connect_only,
            least=IDLE,
        ),
        Case(name="C3", what=f"{KEPT} idle after an answer: closed", play=keep_alive, least=KEPT),
        waiting_streams(WAITING),
        Case(
            name="C4",
            what="vanishes without a segment: engine closed",
            play=vanish_together,
            least=4,
            absent=lambda _: "" if hasattr(socket, "TCP_USER_TIMEOUT") else "needs Linux",
        ),
    ]


def leaves_in_request(parts: Sequence[float]) -> Play:
    """A client that leaves after each of these parts of its request."""

    async def play(scene: Scene) -> Sequence[Try]:
        return await asyncio.gather(*(leave(scene, part=part, wait_s=0.05) for part in parts))

    return play
