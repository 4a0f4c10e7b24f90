"""Requests that are no good HTTP, C5 and C6, by what a client and the engine see of them."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus

from faults.cases import GRACE_S, Case, Play, Scene, Try
from faults.gateways import CHAT, Limits
from scripted.black_box import Seen, listen
from scripted.http_client import RawClient

BODY_MB = 100
MOST_MIB = 32.0
PATIENT_S = 10.0
"""Where nothing is said of how long an answer may take."""
BYTES = 20
"""Of a request that drips, come within the limit: far fewer than it has."""
SPEAKS = "fault=none;tokens=20"
HOSTS = ("x/public?", "#", "@", "\\", "", "x\r\nHost: y", "a b", "[::1", "127.0.0.1:99999")
PATHS = (
    "/{chat}",
    "/v1/..;{chat}",
    "/v1/../{chat}",
    "{encoded}",
    "{chat}%00",
    "{chat}/",
    "/V1/CHAT/completions",
    "http://x{chat}",
    "HTTP://x{chat}",
    "{chat};a=b",
    "{chat}#x",
)
KEYS = (
    ("authorization: Bearer one", "x-api-key: two"),
    ("x-api-key: one", "authorization: bearer two"),
    ("authorization: Bearer one", "authorization: Bearer two"),
    ("x-api-key: one", "x-api-key: two"),
    ("authorization: Bearer o\0ne",),
    ("x-api-key: o\0ne",),
)
"""Headers of which none can be told to be the key that counts."""


async def drip(scene: Scene, *, sent: int, limit_s: float) -> Try:
    """Send ``sent`` bytes of a request, the rest byte by byte: cut off or refused in time."""
    raw = scene.gateway.request("fault", SPEAKS + "x" * 10_000)
    clock = asyncio.get_running_loop().time
    began = clock()
    reader, writer = await asyncio.open_connection("127.0.0.1", scene.gateway.port)
    reading = asyncio.create_task(reader.read(65_536))
    try:
        writer.write(raw[:sent])
        for place in range(sent, len(raw)):
            await asyncio.wait([reading], timeout=limit_s / BYTES)
            if reading.done() or clock() - began > limit_s + GRACE_S:
                break
            writer.write(raw[place : place + 1])
    finally:
        reading.cancel()
        writer.transport.abort()
    is_ended = reading.done() and not reading.cancelled()
    return Try(seconds=clock() - began) if is_ended else Try(why="waits on")


def drips(*, sent: int, limit_s: float) -> Play:
    """Four such clients."""

    async def play(scene: Scene) -> Sequence[Try]:
        return await asyncio.gather(*(drip(scene, sent=sent, limit_s=limit_s) for _ in range(4)))

    return play


def judge_refused(seen: Seen) -> str:
    """Refused as the client's mistake, or cut off before anything was answered."""
    if seen.is_hung:
        return "waits on"
    if 400 <= seen.status < 500 or (seen.status == 0 and not seen.size):
        return ""
    return f"answered with {seen.status}"


async def large_header(scene: Scene, *, size: int) -> Try:
    raw = scene.gateway.request("fault", SPEAKS)
    head, _, body = raw.partition(b"\r\n\r\n")
    long = head + b"\r\nx-long: " + size * b"a" + b"\r\n\r\n" + body
    seen = await listen(scene.gateway.port, long, limit_s=3.0)
    return Try(why=judge_refused(seen), seconds=seen.seconds)


async def large_headers(scene: Scene) -> Sequence[Try]:
    return await asyncio.gather(*(large_header(scene, size=kib * 1024) for kib in (64, 64, 1024)))


async def large_body(scene: Scene, *, is_chunked: bool) -> Try:
    """A body of 100 MB, announced, or in chunks without an end: refused, however much is read."""
    length = "transfer-encoding: chunked" if is_chunked else f"content-length: {BODY_MB << 20}"
    head = (
        f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{length}\r\n\r\n"
    ).encode()
    piece = 65_536 * b"a"
    framed = b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece
    reader, writer = await asyncio.open_connection("127.0.0.1", scene.gateway.port)
    clock = asyncio.get_running_loop().time
    began = clock()
    reading = asyncio.create_task(reader.read(65_536))
    try:
        async with asyncio.timeout(scene.limits.body_s + 2 * GRACE_S):
            writer.write(head)
            for _ in range(BODY_MB * 16):
                if reading.done():
                    break
                writer.write(framed)
                await writer.drain()
            raw = await reading
    except TimeoutError:
        return Try(why="waits on")
    except OSError:
        raw = b""
    finally:
        reading.cancel()
        writer.transport.abort()
    is_refused = not raw or raw[9:10] == b"4"
    why = "" if is_refused else f"answered with {raw[9:12].decode('latin-1')}"
    return Try(why=why, seconds=clock() - began)


def large_bodies(*, is_chunked: bool) -> Play:
    async def play(scene: Scene) -> Sequence[Try]:
        return [await large_body(scene, is_chunked=is_chunked)]

    return play


async def expect_continue(scene: Scene) -> Sequence[Try]:
    """The answer to a body that waits to be asked for."""
    raw = scene.gateway.request("fault", SPEAKS)
    head, _, body = raw.partition(b"\r\n\r\n")
    async with RawClient(scene.gateway.port) as client:
        await client.send(head + b"\r\nexpect: 100-continue\r\n\r\n")
        try:
            async with asyncio.timeout(PATIENT_S):
                first = await client.read_until(b"\r\n\r\n")
                if b" 100 " not in first:
                    return [Try(why=f"{first[9:12].decode()} in place of 100")]
                await client.send(body)
                rest = await client.read_until(b"[DONE]")
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            return [Try(why="no answer")]
    return [Try(why="" if b" 200 " in rest[:20] else "not answered with 200")]


async def pipeline(scene: Scene) -> Sequence[Try]:
    """Two requests sent at once are answered one after the other."""
    seeds = [next(scene.seeds), next(scene.seeds)]
    asked = [scene.gateway.request("fault", f"{SPEAKS};seed={seed}") for seed in seeds]
    first = asked[0].replace(b"connection: close", b"connection: keep-alive")
    async with RawClient(scene.gateway.port) as client:
        await client.send(first + asked[1])
        try:
            async with asyncio.timeout(PATIENT_S):
                await client.read_until(b"[DONE]")
                await client.read_until(b"[DONE]")
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            return [Try(why="not both answered")]
    return [Try()]


async def two_lengths(scene: Scene) -> Sequence[Try]:
    """Content-Length and Transfer-Encoding at odds: refused, or answered once and closed."""
    raw = scene.gateway.request("fault", SPEAKS)
    head, _, body = raw.partition(b"\r\n\r\n")
    smuggled = b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n"
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    asked = head.replace(b"connection: close", b"connection: keep-alive")
    before = len(await scene.logs())
    request = asked + b"\r\ntransfer-encoding: chunked\r\n\r\n" + chunked + smuggled
    seen = await listen(scene.gateway.port, request, limit_s=2.0)
    reached = (await scene.logs())[before:]
    if any(one.path.endswith("/models") for one in reached):
        return [Try(why="a second request is read from the first")]
    return [Try(why="waits on" if seen.is_hung else "")]


async def strange_targets(scene: Scene) -> Sequence[Try]:
    """Every host and path: a client's error, or the same as the plain request; nothing between."""
    raw = scene.gateway.request("fault", SPEAKS)
    encoded = CHAT.replace("/", "%2f")
    plain = b"POST " + CHAT.encode()
    asked = [
        *(raw.replace(b"host: 127.0.0.1", b"host: " + host.encode()) for host in HOSTS),
        *(
            raw.replace(plain, b"POST " + path.format(chat=CHAT, encoded=encoded).encode())
            for path in PATHS
        ),
    ]
    before = len(await scene.logs())
    heard = await asyncio.gather(
        *(listen(scene.gateway.port, one, limit_s=PATIENT_S) for one in asked)
    )
    reached = (await scene.logs())[before:]
    asked_as = [one.path for one in reached if one.fields]  # a look at its health has none
    astray = [Try(why=f"reaches the engine as {path}") for path in asked_as if path != CHAT]
    return [*astray, *(Try(why=_judge_target(seen)) for seen in heard[len(astray) :])]


async def keys_at_odds(scene: Scene) -> Sequence[Try]:
    """Keys that contradict each other, or hold a NUL: 400, and no engine hears of it."""
    seed = next(scene.seeds)
    head, _, body = scene.gateway.request("fault", f"{SPEAKS};seed={seed}").partition(b"\r\n\r\n")
    asked = [b"\r\n".join((head, *(one.encode() for one in pair))) for pair in KEYS]
    heard = await asyncio.gather(
        *(listen(scene.gateway.port, one + b"\r\n\r\n" + body, limit_s=PATIENT_S) for one in asked)
    )
    astray = [Try(why="reaches the engine") for one in await scene.logs() if one.seed == seed]
    answered = [
        Try(why="" if seen.status == HTTPStatus.BAD_REQUEST else f"answered with {seen.status}")
        for seen in heard
    ]
    return [*astray, *answered[len(astray) :]]


def _judge_target(seen: Seen) -> str:
    if seen.is_hung:
        return "waits on"
    is_right = seen.status == 0 or 200 <= seen.status < 300 or 400 <= seen.status < 500
    return "" if is_right else f"answered with {seen.status}"


def request_cases(limits: Limits) -> list[Case]:
    """C5 and C6."""
    head_s, body_s = limits.head_s, limits.body_s
    return [
        Case(
            name="C5",
            what="header byte by byte: cut or 408",
            play=drips(sent=20, limit_s=head_s),
            least=4,
            limit_s=head_s + GRACE_S,
        ),
        Case(
            name="C5",
            what="body byte by byte: cut or 408",
            play=drips(sent=400, limit_s=body_s),
            least=4,
            limit_s=body_s + GRACE_S,
        ),
        Case(
            name="C5",
            what="header of 64 kB, 1 MB: 4xx",
            play=large_headers,
            least=9,
            limit_s=1.0,
            memory_mib=MOST_MIB,
        ),
        Case(
            name="C5",
            what=f"body of {BODY_MB} MB: 4xx, bounded",
            play=large_bodies(is_chunked=False),
            least=2,
            memory_mib=MOST_MIB,
        ),
        Case(
            name="C5",
            what=f"{BODY_MB} MB in chunks without an end: 4xx, bounded",
            play=large_bodies(is_chunked=True),
            least=2,
            memory_mib=MOST_MIB,
        ),
        Case(name="C5", what="Expect: 100-continue", play=expect_continue),
        Case(name="C5", what="two requests at once: both answered", play=pipeline),
        Case(name="C5", what="Content-Length and chunks: nothing smuggled", play=two_lengths),
        Case(
            name="C6",
            what=f"{len(HOSTS)} hosts, {len(PATHS)} paths: as the plain request, or 4xx",
            play=strange_targets,
            least=len(HOSTS) + len(PATHS),
        ),
        Case(
            name="C6",
            what="two keys at odds, a key with NUL: 400",
            play=keys_at_odds,
            least=len(KEYS),
        ),
    ]
