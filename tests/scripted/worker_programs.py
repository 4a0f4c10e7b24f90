"""Programs with workers, for tests that end, kill or count what an interpreter has but one of.

``python -m scripted.worker_programs NAME [LIMIT FOLDER]`` runs one; it prints what a test expects.
"""

import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import anyio
from anyio import to_thread
from scripted.jobs import announce_and_compute, pid_after, power
from scripted.patience import PATIENCE_S

from chatbot.errors import WorkerLost
from chatbot.tools.workers import ProcessWorkers


async def replace_killed_server() -> None:
    """Kill the fork server while calls run and wait; pebble looks after it every 0.1 s."""
    async with ProcessWorkers() as workers:
        for wait_s in (0, 0.3):
            server = parent(workers.call(PATIENCE_S, os.getpid))
            with ThreadPoolExecutor(4) as threads:
                running = [
                    threads.submit(workers.call, PATIENCE_S, pid_after, 0.3) for _ in range(4)
                ]
                await anyio.sleep(0.1)
                os.kill(server, signal.SIGKILL)
                await anyio.sleep(wait_s)
                tell(
                    workers.call(PATIENCE_S, power, 2, 5), *(call.result() > 0 for call in running)
                )
            tell(parent(workers.call(PATIENCE_S, os.getpid)) != server)


async def count_descriptors() -> None:
    """What is open after the first, the second and the third pool."""
    for _ in range(3):
        async with ProcessWorkers() as workers:
            workers.call(PATIENCE_S, power, 2, 2)
        tell(len(os.listdir("/proc/self/fd")))  # noqa: PTH208 - names, not paths


async def warm() -> None:
    """Whether the fork server is started sooner than the first call, which waits for it, ends."""
    async with ProcessWorkers() as workers:
        began = time.monotonic()
        workers.warm()
        warmed = time.monotonic()
        workers.call(PATIENCE_S, power, 2, 2)
        tell(warmed - began < time.monotonic() - warmed)


async def leave_open() -> None:
    """Never close the workers."""
    workers = ProcessWorkers()
    tell(workers.call(PATIENCE_S, power, 2, 2))


async def serve() -> None:
    """Do as the gateway does: listen, compute in threads, end when told to."""
    told = anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM)
    with socket.create_server(("127.0.0.1", 0)) as listener, told as signals:
        listener.set_inheritable(True)  # Python's sockets are not, those of others may be
        async with anyio.create_task_group() as group, ProcessWorkers() as workers:
            workers.warm()
            worker = await to_thread.run_sync(workers.call, PATIENCE_S, os.getpid)
            tell(*sockets(os.getpid()) & sockets(worker))
            for _ in range(2):
                group.start_soon(_compute, workers)
            while len(os.listdir(sys.argv[3])) < 2:  # noqa: ASYNC110, PTH208 - workers tell none
                await anyio.sleep(0.01)
            tell("serving")
            async for _ in signals:
                break


async def _compute(workers: ProcessWorkers) -> None:
    try:
        _, _, limit_s, folder = sys.argv
        await to_thread.run_sync(workers.call, float(limit_s), announce_and_compute, folder)
    except WorkerLost:
        tell("lost")


def open_workers() -> None:
    """Start workers, in whatever process this is."""
    anyio.run(_open_workers)


async def _open_workers() -> None:
    async with ProcessWorkers():
        pass


def parent(pid: int) -> int:
    """The process that forked this one."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def sockets(pid: int) -> set[str]:
    """The sockets that a process has, as the kernel names them."""
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # the one that listed them
            found.add(str(descriptor.readlink()))
    return {name for name in found if name.startswith("socket:")}


def tell(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201 - a test reads it


PROGRAMS: dict[str, Callable[[], Awaitable[None]]] = {
    program.__name__: program
    for program in (replace_killed_server, count_descriptors, warm, leave_open, serve)
}

if __name__ == "__main__":
    anyio.run(PROGRAMS[sys.argv[1]], backend_options={"use_uvloop": True})
