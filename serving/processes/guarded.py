"""A program under a guardian: none of its processes outlives it, nor the process that runs it."""

import asyncio
import os
import signal
import socket
from asyncio import StreamReader
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
from anyio import CancelScope

from serving.processes.ending import end_process
from serving.processes.launcher import GUARD

_PID_BYTES: Final = 32
_GUARDIAN_S: Final = 5.0
"""For a guardian to kill what it guards, which takes milliseconds."""


class GuardedProcess:
    """The program's process, with all that it started; see `run_guarded`."""

    def __init__(self, *, guardian: Process, control: socket.socket, pid: int) -> None:
        """``control`` is the guardian's ear."""
        self._guardian = guardian
        self._control = control
        self.pid = pid

    @property
    def output(self) -> StreamReader:
        """What it writes to standard output and standard error, in the order written."""
        if self._guardian.stdout is None:
            raise RuntimeError("the guardian was started without a pipe")
        return self._guardian.stdout

    @property
    def returncode(self) -> int | None:
        """Its exit code, ``-N`` for the signal N; ``None`` while any process of it runs."""
        return self._guardian.returncode

    async def wait(self) -> int:
        """Wait until every process of it has ended; its exit code, ``-N`` for the signal N.

        One task at a time may wait.
        """
        if self.returncode is None:
            await anyio.wait_readable(self._control)  # the guardian says no more: this is its end
            _kill_group(self.pid)  # it may have been killed before it could
        return await self._guardian.wait()

    def terminate(self) -> None:
        """Ask its process group to end (SIGTERM)."""
        self._tell(b"t")

    def kill(self) -> None:
        """Kill its process group."""
        self._tell(b"k")

    def _tell(self, byte: bytes) -> None:
        with suppress(OSError):  # it has ended
            self._control.send(byte)


@asynccontextmanager
async def run_guarded(
    program: Sequence[str], *, environment: Mapping[str, str]
) -> AsyncIterator[GuardedProcess]:
    """Run ``program`` in a session of its own; leaving the context kills what still runs.

    Somebody has to read `GuardedProcess.output`, or the program waits when the pipe is full. A
    program that cannot be run ends with code 1 and tells why in its output.

    Raises:
        OSError: no process can be started.
    """
    ours, theirs = socket.socketpair()
    ours.settimeout(0)
    with ours:
        with theirs, CancelScope(shield=True):  # asyncio leaves one behind that is half started
            guardian = await asyncio.create_subprocess_exec(
                *(*GUARD, *program),
                stdin=theirs.fileno(),
                stdout=PIPE,
                stderr=STDOUT,
                env=environment,
                start_new_session=True,
            )
        pid = None
        try:
            pid = await _read_pid(ours)
            yield GuardedProcess(guardian=guardian, control=ours, pid=pid)
        finally:
            ours.close()  # which kills them
            if pid is not None and guardian.returncode is not None:
                _kill_group(pid)
            await end_process(guardian, within_s=_GUARDIAN_S)


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


async def _read_pid(control: socket.socket) -> int:
    line = b""
    while not line.endswith(b"\n"):
        piece = await asyncio.get_running_loop().sock_recv(control, _PID_BYTES)
        if not piece:
            raise OSError("the guardian ended before it had started the program")
        line += piece
    return int(line)
