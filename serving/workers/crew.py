"""The supervisor of several workers on one port: starts, replaces and drains them."""

import asyncio
import logging
import os
import signal
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import anyio
from anyio import CancelScope
from anyio.abc import TaskGroup
from prometheus_client.multiprocess import mark_process_dead

from chatbot.errors import ZwrotnicaError
from serving.page.process import PageProcess
from serving.processes import LAUNCH, Pauses, end_process
from serving.workers.words import DRAIN, END, NOWHERE, PAGE, PAGE_HANGS, PEERS, READY, say

_log = logging.getLogger(__name__)

_FIRST_PAUSE_S: Final = 0.2
_LAST_WORDS_S: Final = 3.0
"""What a worker takes beyond its drain: the page's last words, closing, the interpreter's end."""
_LINE_BYTES: Final = 4096


class CrewFailed(ZwrotnicaError):
    """A worker could not start at all; its own words stand before this on standard error."""


class _Worker:
    """One place of the crew, and the process that holds it now."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: Process | None = None
        self.address: str | None = None
        self.code: int | None = None

    def tell(self, line: bytes) -> None:
        process = self.process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(line)


class Crew:
    """Keeps ``count`` workers at ``program``, and one page for all of them.

    A worker that ends is started again; one that never gets ready, when none ever was, ends all.
    """

    def __init__(
        self,
        program: Sequence[str],
        *,
        count: int,
        environment: Mapping[str, str],
        figures: Path,
        drain_s: float,
        page: PageProcess | None,
    ) -> None:
        """``--number N`` is added to ``program``; ``figures`` is where workers keep metrics."""
        self._program = tuple(program)
        self._environment = environment
        self._figures = figures
        self._drain_s = drain_s
        self._page = page
        self._workers = [_Worker(number) for number in range(count)]
        self._are_ready = anyio.Event()
        self._is_asked = False
        self._failure: CrewFailed | None = None

    async def run(self, url: str, announce: Callable[[str], None]) -> None:
        """Serve until a signal; then drain, and return when every worker has ended.

        ``announce`` is told ``url`` once every worker takes requests.

        Raises:
            CrewFailed: a worker cannot start.
        """
        async with anyio.create_task_group() as everything:
            everything.start_soon(self._heed_signals)
            everything.start_soon(self._open_doors, everything, url, announce)
            async with anyio.create_task_group() as workers:
                for worker in self._workers:
                    workers.start_soon(self._keep, worker)
            everything.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure

    async def _open_doors(
        self, group: TaskGroup, url: str, announce: Callable[[str], None]
    ) -> None:
        await self._are_ready.wait()
        announce(url)
        if self._page is not None:
            self._page.on_address = self._tell_page
            group.start_soon(self._page.run, url)

    async def _heed_signals(self) -> None:
        """The first asks the workers to drain, the second to end."""
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                if self._is_asked:
                    self._tell_all(say(END))
                else:
                    self._ask()

    def _ask(self) -> None:
        self._is_asked = True
        _log.info("draining", extra={"workers": len(self._workers), "seconds": self._drain_s})
        self._tell_all(say(DRAIN))

    async def _keep(self, worker: _Worker) -> None:
        """Keep one place of the crew filled until all shall end."""
        pauses = Pauses(first_s=_FIRST_PAUSE_S)
        while not self._is_asked:
            began = time.monotonic()
            await self._live(worker)
            if self._is_asked:
                return
            fields = {"worker": worker.number, "exit": worker.code}
            _log.error("worker_ended", extra=fields)
            if not self._are_ready.is_set():
                self._failure = CrewFailed(f"worker {worker.number} ended before it was ready")
                self._ask()
                return
            await anyio.sleep(pauses.after(time.monotonic() - began))

    async def _live(self, worker: _Worker) -> None:
        """One life of one worker."""
        process = worker.process = await self._start(worker)
        try:
            worker.tell(say(PAGE, (self._page and self._page.address) or NOWHERE))
            if self._is_asked:
                worker.tell(say(DRAIN))
            async with anyio.create_task_group() as group:
                group.start_soon(self._hear, worker, process)
                group.start_soon(self._end_in_time, process)
                worker.code = await process.wait()
                group.cancel_scope.cancel()
        finally:
            worker.address = worker.process = None
            await end_process(process, within_s=0.0)
            mark_process_dead(process.pid, str(self._figures))  # type: ignore[no-untyped-call]  # the library's
            self._tell_peers()

    async def _start(self, worker: _Worker) -> Process:  # type: ignore[return]  # the scope swallows nothing
        """Start it in a session of its own: signals of a terminal are for the supervisor."""
        program = (*self._program, "--number", str(worker.number))
        with CancelScope(shield=True):  # asyncio leaves a process behind that is half started
            return await asyncio.create_subprocess_exec(
                *(*LAUNCH, str(os.getpid()), *program),
                stdin=PIPE,
                stdout=PIPE,
                env=self._environment,
                start_new_session=True,
                limit=_LINE_BYTES,
            )

    async def _hear(self, worker: _Worker, process: Process) -> None:
        if process.stdout is None:
            raise RuntimeError("the worker was started without pipes")
        async for line in process.stdout:
            match line.decode("ascii", "replace").split():
                case [word, address] if word == READY:
                    worker.address = address
                    fields = {"worker": worker.number, "pid": process.pid}
                    _log.info("worker_ready", extra=fields)
                    self._tell_peers()
                case [word, address] if word == PAGE_HANGS and self._page is not None:
                    if self._page.address == address:
                        self._page.end_it()
                case _:
                    pass

    async def _end_in_time(self, process: Process) -> None:
        """Kill a worker that does not end although it was asked."""
        while not self._is_asked:  # noqa: ASYNC110 (a worker's life, not worth an event)
            await anyio.sleep(0.1)
        await anyio.sleep(self._drain_s + _LAST_WORDS_S)
        _log.error("worker_killed", extra={"pid": process.pid})
        process.kill()

    def _tell_peers(self) -> None:
        self._tell_all(say(PEERS, *(worker.address or NOWHERE for worker in self._workers)))
        if all(worker.address for worker in self._workers):
            self._are_ready.set()

    def _tell_page(self, address: str | None) -> None:
        self._tell_all(say(PAGE, address or NOWHERE))

    def _tell_all(self, line: bytes) -> None:
        for worker in self._workers:
            worker.tell(line)
