"""Measures what the way through the gateway adds to the page: ``python …/measure_proxy.py``.

A scripted page in a process of its own; requests and events through the gateway and directly to it
alternate. Run it from the repository with ``PYTHONPATH=.:tests``.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import aiohttp
from scripted.page import ready_page_gateway

ROUNDS: Final = 1000


async def time_load(session: aiohttp.ClientSession, url: str) -> float:
    began = time.perf_counter()
    async with session.get(f"{url}/") as reply:
        await reply.read()
    return (time.perf_counter() - began) * 1e6


async def time_event(
    session: aiohttp.ClientSession, page: str, stream: aiohttp.ClientResponse
) -> float:
    """From telling the page an event to its arrival."""
    began = time.perf_counter()
    arrival = asyncio.ensure_future(stream.content.readuntil(b"\n\n"))
    async with session.post(f"{page}/push", data=b"event") as reply:
        await reply.read()
    await arrival
    return (time.perf_counter() - began) * 1e6


async def count_departures(session: aiohttp.ClientSession, page: str) -> int:
    """How many readers of events the page has seen leave; one that it has not takes the next."""
    async with session.get(f"{page}/seen") as reply:
        seen: dict[str, int] = await reply.json(content_type=None)
        return seen["departures"]


async def measure(gateway: str, page: str) -> None:
    async with aiohttp.ClientSession() as session:
        loads: dict[str, list[float]] = {gateway: [], page: []}
        events: dict[str, list[float]] = {gateway: [], page: []}
        for _ in range(ROUNDS):
            for url, taken in loads.items():
                taken.append(await time_load(session, url))
        for _ in range(10):
            for url, taken in events.items():
                gone = await count_departures(session, page)
                async with session.get(f"{url}/events") as stream:
                    taken += [await time_event(session, page, stream) for _ in range(ROUNDS // 10)]
                while await count_departures(session, page) == gone:  # noqa: ASYNC110 (far away)
                    await asyncio.sleep(0.01)
    for name, both in (("page load", loads), ("event", events)):
        direct, through = both[page], both[gateway]
        added = median(through) - median(direct)
        print(  # noqa: T201 (a program for people)
            f"{name}: direct {median(direct):.0f} µs, through {median(through):.0f} µs, "
            f"added {added:.0f} µs (p95 {quantiles(through, n=20)[18]:.0f} µs through)"
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, ready_page_gateway(Path(folder)) as running:
        address = running.page.process.address or ""
        asyncio.run(measure(f"http://127.0.0.1:{running.port}", address))
