"""Times the first words of an answer from the engine to the page's own protocol, chat by chat."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean, quantiles
from typing import Final, TypeAlias, cast

import aiohttp
import click

from evals.bench.gateway.product import Running, serve
from evals.bench.native import Pace, Programs, simulator
from evals.bench.processes import Processes, find_page

CHATS: Final = (1, 40, 100)
PACE: Final = Pace(first_ms=200.0, gap_ms=100.0, tokens=150)
"""Answers of a quarter of a minute, so that all chats of a round run at the same time."""
START_LIMIT_S = 120
CHAT_LIMIT_S = 120
API, PAGE = "Chat API", "page"
TEXT: Final = "Ułóż fraszkę o jesieni"
_CLOCK: Final = re.compile(rb"zegar (\d{6,})\D")
"""The simulator's first token: when it sent it, by the clock that all processes share."""
_SEEN: Final = 32
"""Bytes kept of what was read, so that a clock cut in two is found."""

Json: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    """One chat; times in milliseconds, moments by the shared clock in seconds.

    ``first_ms`` is how long the first words took from the engine to the client.
    """

    asked_at: float
    began_at: float
    first_ms: float
    ended_at: float
    received: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PageRow:
    """The chats of one way at one concurrency; ``at_once`` of them ran at the same time."""

    way: str
    chats: int
    answers: int
    failed: int
    at_once: int
    first_p50: float
    first_p95: float
    first_max: float
    begin_p95: float
    total_mean: float
    kilobytes: float
    gateway_cpu_ms: float
    page_cpu_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """Chats that were begun together (``None``: it failed), and what they cost, in CPU ms."""

    chats: Sequence[Chat | None]
    gateway_cpu_ms: float
    page_cpu_ms: float

    @property
    def whole(self) -> list[Chat]:
        """Those that came to their end."""
        return [chat for chat in self.chats if chat is not None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """How the page's button is pressed in Gradio's protocol."""

    fn_index: int
    trigger_id: int


def measure_page(programs: Programs, folder: Path, *, rounds: int) -> tuple[float, list[PageRow]]:
    """Seconds until the page is ready after the API, and rows for each way and concurrency."""
    with (
        simulator(programs.simulator, PACE) as engine,
        serve(folder, engine.url, has_page=True) as running,
    ):
        return asyncio.run(_measure(running, rounds))


async def _measure(running: Running, rounds: int) -> tuple[float, list[PageRow]]:
    taken: dict[tuple[str, int], list[Round]] = {}
    async with _client(f"http://127.0.0.1:{running.port}") as session:
        began = time.monotonic()
        form = await _open_page(session)
        ready_s = time.monotonic() - began
        await chat_on_page(session, form, 0)  # what only the first chat of all costs
        processes = find_page(running.pid)
        with click.progressbar(length=2 * rounds * len(CHATS), label="page") as bar:
            for turn in range(rounds):
                for chats, way in product(CHATS, (API, PAGE)):
                    pressed = form if way == PAGE else None
                    done = await _chat_at_once(session, pressed, processes, chats, turn + 1)
                    taken.setdefault((way, chats), []).append(done)
                    bar.update(1)
    return ready_s, [build_row(way, chats, sets) for (way, chats), sets in taken.items()]


@asynccontextmanager
async def _client(base: str) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(
        base,
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=CHAT_LIMIT_S),
    ) as session:
        yield session


async def _open_page(session: aiohttp.ClientSession) -> Form:
    """Wait until the page is ready; find its button for sending."""
    async with asyncio.timeout(START_LIMIT_S):
        while True:
            async with session.get("/config") as reply:
                if reply.ok:
                    return read_form(cast("Json", await reply.json()))
            await asyncio.sleep(0.1)


def read_form(config: Json) -> Form:
    """The event that the button for sending sets off, out of Gradio's description of the page.

    Raises:
        click.ClickException: the page has none.
    """
    components = cast("list[dict[str, object]]", config["components"])
    buttons = {one["id"] for one in components if _elem_id(one) == "send"}
    for event in cast("list[dict[str, object]]", config["dependencies"]):
        targets = cast("list[list[object]]", event["targets"])
        pressed = [target[0] for target in targets if target[1] == "click"]
        if event["queue"] is not False and buttons & set(pressed):
            return Form(fn_index=cast("int", event["id"]), trigger_id=cast("int", pressed[0]))
    raise click.ClickException("the page has no button for sending")


def _elem_id(component: Json) -> object:
    return cast("Json", component["props"]).get("elem_id")


async def _chat_at_once(
    session: aiohttp.ClientSession, form: Form | None, processes: Processes, chats: int, turn: int
) -> Round:
    gateway, page = processes.spent_ms()
    numbers = range(turn * 1000, turn * 1000 + chats)
    done = await asyncio.gather(*(_try(session, form, number=number) for number in numbers))
    gateway_after, page_after = processes.spent_ms()
    return Round(chats=done, gateway_cpu_ms=gateway_after - gateway, page_cpu_ms=page_after - page)


async def _try(session: aiohttp.ClientSession, form: Form | None, *, number: int) -> Chat | None:
    """One chat; ``None`` where it failed."""
    try:
        if form is None:
            return await _chat_on_api(session)
        return await chat_on_page(session, form, number)
    except (aiohttp.ClientError, TimeoutError, ValueError):
        return None


async def _chat_on_api(session: aiohttp.ClientSession) -> Chat:
    async with session.post("/api/conversations", json={}) as reply:
        reply.raise_for_status()
        conversation = cast("Json", await reply.json())
    asked_at = time.monotonic()
    path = f"/api/conversations/{conversation['id']}/messages"
    async with session.post(path, json={"text": TEXT}) as reply:
        reply.raise_for_status()
        return await _read(reply, asked_at=asked_at, began=b"event: route", ended=b"event: done")


async def chat_on_page(session: aiohttp.ClientSession, form: Form, number: int) -> Chat:
    """Press the button in a session of its own, as Gradio's own client does."""
    who = f"bench{number}"
    asked_at = time.monotonic()
    body = {
        "data": [TEXT, "", ""],
        "event_data": None,
        "fn_index": form.fn_index,
        "trigger_id": form.trigger_id,
        "session_hash": who,
    }
    async with session.post("/gradio_api/queue/join", json=body) as reply:
        reply.raise_for_status()
        await reply.read()
    async with session.get("/gradio_api/queue/data", params={"session_hash": who}) as reply:
        reply.raise_for_status()
        return await _read(
            reply, asked_at=asked_at, began=b'"process_starts"', ended=b'"process_completed"'
        )


async def _read(
    reply: aiohttp.ClientResponse, *, asked_at: float, began: bytes, ended: bytes
) -> Chat:
    """Read a stream to its end, noting when three things were there.

    Raises:
        ValueError: one of them never was.
    """
    seen, received = b"", 0
    began_at = first_ms = ended_at = None
    async for piece in reply.content.iter_any():
        at = time.monotonic()
        received += len(piece)
        seen = seen[-_SEEN:] + piece
        if began_at is None and began in seen:
            began_at = at
        if first_ms is None and (clock := _CLOCK.search(seen)):
            first_ms = at * 1e3 - int(clock[1]) / 1e3
        if ended in seen:
            ended_at = at
    if began_at is None or first_ms is None or ended_at is None:
        raise ValueError("the chat broke off")
    return Chat(
        asked_at=asked_at,
        began_at=began_at,
        first_ms=first_ms,
        ended_at=ended_at,
        received=received,
    )


def build_row(way: str, chats: int, rounds: Sequence[Round]) -> PageRow:
    """What the rounds of one way at one concurrency have in common."""
    done = [chat for one in rounds for chat in one.whole]
    asked = sum(len(one.chats) for one in rounds)
    first = _cuts([chat.first_ms for chat in done])
    begin = _cuts([(chat.began_at - chat.asked_at) * 1e3 for chat in done])
    return PageRow(
        way=way,
        chats=chats,
        answers=len(done),
        failed=asked - len(done),
        at_once=max(_count_at_once(one.whole) for one in rounds),
        first_p50=first[49],
        first_p95=first[94],
        first_max=max(chat.first_ms for chat in done),
        begin_p95=begin[94],
        total_mean=fmean(chat.ended_at - chat.asked_at for chat in done),
        kilobytes=fmean(chat.received for chat in done) / 1000,
        gateway_cpu_ms=sum(one.gateway_cpu_ms for one in rounds) / asked,
        page_cpu_ms=sum(one.page_cpu_ms for one in rounds) / asked,
    )


def _count_at_once(chats: Sequence[Chat]) -> int:
    """The most chats that ran at the same time: all of them, if none waited for a place."""
    return max(
        (sum(one.began_at <= chat.began_at < one.ended_at for one in chats) for chat in chats),
        default=0,
    )


def _cuts(values: Sequence[float]) -> list[float]:
    return quantiles([*values, *values], n=100, method="inclusive")
