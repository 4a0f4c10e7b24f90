"""Runs the page in a process of its own: starts it, starts it again when it dies, stops it."""

import asyncio
import logging
import os
import re
import sys
import time
from asyncio import StreamReader
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

import anyio
from anyio import CancelScope

from serving.page.complaints import Complaints, Lines
from serving.processes import LAUNCH, Pauses, end_process
from serving.settings import PageSettings, plain_environment

_log = logging.getLogger(__name__)

UI: Final = (sys.executable, "-P", "-m", "ui")
"""The page's program; its options follow."""
_READY: Final = re.compile(rb"ready (http://127\.0\.0\.1:\d{1,5})\s*")
_FAREWELL_S: Final = 0.5
_PIECE_BYTES: Final = 8192


class PageProcess:
    """The page as a supervised child; `address` is where it listens while it is ready.

    ``on_address`` is told whenever that changes.
    """

    def __init__(
        self, settings: PageSettings, *, folder: Path, program: Sequence[str] = UI
    ) -> None:
        """``folder`` takes what the page may write; nothing starts before `run`."""
        self._settings = settings
        self._folder = folder
        self._program = tuple(program)
        self._process: Process | None = None
        self.address: str | None = None
        self.on_address: Callable[[str | None], None] = _tell_nobody
        self.starts = 0

    @property
    def pid(self) -> int | None:
        """The process's id, once it was started."""
        return None if self._process is None else self._process.pid

    async def run(self, gateway: str) -> None:
        """Keep a page running that asks the gateway at ``gateway``, until cancelled."""
        pauses = Pauses(first_s=self._settings.rest_s)
        while True:
            began = time.monotonic()
            await self._live(gateway)
            pause_s = pauses.after(time.monotonic() - began)
            _log.warning("page_rests", extra={"seconds": pause_s})
            await anyio.sleep(pause_s)

    def end_it(self) -> None:
        """Kill a page that does not answer; `run` starts another."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def _live(self, gateway: str) -> None:
        """One life of the page, from its start to its end."""
        self.starts += 1
        began = time.monotonic()
        try:
            process = self._process = await self._start(gateway)
        except OSError as error:
            _log.error("page_not_started", extra={"error": error.strerror})
            return
        complaints = Complaints(is_ready=lambda: self.address is not None)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_read, process.stderr, Lines(complaints.take))
                if await self._is_ready_in_time(process, began):
                    group.start_soon(_read, process.stdout, Lines(complaints.take))
                    await process.wait()
                else:
                    with anyio.move_on_after(_FAREWELL_S):
                        await process.wait()
                    await end_process(process, within_s=_FAREWELL_S)
                self._move(None)
                group.cancel_scope.deadline = anyio.current_time() + _FAREWELL_S
        finally:
            self._move(None)
            await end_process(process, within_s=_FAREWELL_S)
        fields = {"code": process.returncode, "lines": complaints.lines}
        _log.warning("page_ended", extra=fields)

    async def _start(self, gateway: str) -> Process:  # type: ignore[return]  # the scope swallows nothing
        """Start the program in a session of its own, so that Ctrl+C is for the gateway alone.

        Its standard input stays open for as long as the gateway lives.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        options = ("--gateway", gateway, "--port", "0", "--chats", str(self._settings.chats))
        notices = (("--notice", name) for name in self._settings.notices)
        with CancelScope(shield=True):  # asyncio leaves a process behind that is half started
            return await asyncio.create_subprocess_exec(
                *(*LAUNCH, str(os.getpid()), *self._program, *options, *chain(*notices)),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                cwd=self._folder,
                env=_environment(self._folder),
                start_new_session=True,
            )

    def _move(self, address: str | None) -> None:
        if address != self.address:
            self.address = address
            self.on_address(address)

    async def _is_ready_in_time(self, process: Process, began: float) -> bool:
        """Wait for the address that it prints and keep it."""
        with anyio.move_on_after(self._settings.start_s):
            self._move(await _read_address(process.stdout))
        seconds = round(time.monotonic() - began, 2)
        if self.address is None:
            _log.error("page_not_ready", extra={"seconds": seconds})
        else:
            _log.info("page_ready", extra={"address": self.address, "seconds": seconds})
        return self.address is not None


def _tell_nobody(_address: str | None) -> None:
    """Nobody else needs to know."""


async def _read_address(stream: StreamReader | None) -> str | None:
    """The address in the line that says that the page is ready; ``None`` if it ends before."""
    with suppress(ValueError):  # a line beyond asyncio's limit
        async for line in _piped(stream):
            if found := _READY.fullmatch(line):
                return found[1].decode()
    return None


async def _read(stream: StreamReader | None, lines: Lines) -> None:
    """Read to the end, so that the pipe never fills."""
    while piece := await _piped(stream).read(_PIECE_BYTES):
        lines.feed(piece)
    lines.end()


def _piped(stream: StreamReader | None) -> StreamReader:
    if stream is None:
        raise RuntimeError("the page was started without pipes")
    return stream


def _environment(folder: Path) -> dict[str, str]:
    """Where things are, nothing secret, nothing of the gateway's settings; no word to outside."""
    return {
        **plain_environment(),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "GRADIO_TEMP_DIR": str(folder / "gradio"),
        "HF_HOME": str(folder / "hub"),
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_OFFLINE": "1",
        "MPLCONFIGDIR": str(folder / "matplotlib"),
        "PYTHONUNBUFFERED": "1",
        "XDG_CACHE_HOME": str(folder),
    }
