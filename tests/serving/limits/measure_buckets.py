"""What limits of a minute cost a request, in memory or shared: `python …/measure_buckets.py`."""

import time

import anyio
import click
from scripted.pacers import open_shared
from scripted.redis_process import serve_redis

from serving.clock import SystemClock
from serving.gateway.pacing import headers_of
from serving.limits import Buckets, Hold, Pacer, Rate, Want

REQUESTS = 20_000
OTHERS = 50_000
TOGETHER = 16
RATES = tuple(
    Rate(subject, kind, 10**9) for subject in ("ala", "studenci") for kind in ("requests", "tokens")
)


async def ask(pacer: Pacer) -> None:
    """One request: its own two limits and its group's, taken, told, corrected."""
    wants = [Want(rate, 1 if rate.kind == "requests" else 100) for rate in RATES]
    verdict = await pacer.take(wants)
    headers_of(verdict.standings)
    Hold(wants, verdict.correct).end(50)


async def add_others(pacer: Pacer) -> None:
    """Buckets of accounts that are not asked for meanwhile."""
    for number in range(OTHERS):
        await pacer.take([Want(Rate(f"other-{number}", "requests", 5), 1)])


async def measure(pacer: Pacer, *, requests: int) -> tuple[float, list[float]]:
    """Microseconds of this process's time a request, and how long each has waited, in ms."""
    waits: list[float] = []

    async def client() -> None:
        for _ in range(requests // TOGETHER):
            began = time.perf_counter()
            await ask(pacer)
            waits.append((time.perf_counter() - began) * 1e3)

    began = time.process_time()
    async with anyio.create_task_group() as group:
        for _ in range(TOGETHER):
            group.start_soon(client)
    return (time.process_time() - began) / len(waits) * 1e6, sorted(waits)


async def in_memory() -> None:
    """Of one process, with its own buckets."""
    buckets = Buckets(clock=SystemClock())
    await add_others(buckets)
    spent, _ = await measure(buckets, requests=REQUESTS)
    click.echo(f"memory: {spent:.1f} µs a request, with {OTHERS} other buckets")


async def shared() -> None:
    """Of one process whose buckets a Redis server on this machine keeps."""
    with serve_redis() as server:
        async with open_shared(server, SystemClock()) as pacer, anyio.create_task_group() as group:
            await add_others(pacer)
            group.start_soon(pacer.keep_up)
            before = server.processor_s()
            spent, waits = await measure(pacer, requests=REQUESTS)
            there = (server.processor_s() - before) / len(waits) * 1e6
            alone = []
            for _ in range(REQUESTS // TOGETHER):
                began = time.perf_counter()
                await ask(pacer)
                alone.append((time.perf_counter() - began) * 1e3)
            group.cancel_scope.cancel()
    click.echo(f"shared: {spent:.0f} µs a request here, {there:.0f} µs in the server")
    for name, times in ((f"{TOGETHER} at once", waits), ("one after another", sorted(alone))):
        middle, late = times[len(times) // 2], times[len(times) * 99 // 100]
        click.echo(f"        waits {middle:.2f} ms (p50), {late:.2f} ms (p99), {name}")


@click.command()
@click.option("--shared", "is_shared", is_flag=True, help="Also with a Redis server.")
def main(*, is_shared: bool) -> None:
    """Print what limits cost."""
    for one in (in_memory, shared) if is_shared else (in_memory,):
        anyio.run(one)


if __name__ == "__main__":
    main()
