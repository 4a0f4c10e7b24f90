"""Processes that are forked by a private server, which has imported what they need beforehand.

The standard ``forkserver`` start method does two things that a killable pool cannot use: its server
is one for the whole interpreter, so nobody may stop it, and every child imports the program's main
module again, which for a gateway takes a second. Here the server belongs to whoever made it, its
children import nothing, and `ForkServerProcesses.stop` ends it.
"""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import context, forkserver, get_context, popen_forkserver, reduction
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess, current_process
from multiprocessing.synchronize import RLock
from multiprocessing.util import Finalize


class _Launch(popen_forkserver.Popen):
    """Starts one child through ``server``, without the program's main module."""

    def __init__(self, process: "_Process", server: forkserver.ForkServer) -> None:
        self._server = server
        self._fds: list[int] = []
        super().__init__(process)

    def _launch(self, process: BaseProcess) -> None:
        """Send the process to the server and learn its pid.

        The names are those of ``multiprocessing.popen_forkserver.Popen``: ``sentinel`` tells of the
        end of the child, ``_fds`` collects what is inherited while the process is pickled.
        """
        letter = self._write_letter(process)
        self.sentinel, letterbox = self._server.connect_to_new_process(self._fds)
        kept_open = os.dup(letterbox)  # its end tells the child that this process has died
        self.finalizer = Finalize(self, _close, (kept_open, self.sentinel))
        with open(letterbox, "wb") as stream:  # noqa: PTH123 - a file descriptor, not a path
            stream.write(letter)
        self.pid = forkserver.read_signed(self.sentinel)

    def _write_letter(self, process: BaseProcess) -> bytes:
        """What `multiprocessing.spawn` reads in the child: how to prepare, and the process."""
        preparation = {
            "name": process.name,
            "authkey": current_process().authkey,
            "sys_path": sys.path,
            "dir": os.getcwd(),  # noqa: PTH109 - the child calls os.chdir with it
        }
        letter = io.BytesIO()
        context.set_spawning_popen(self)
        try:
            reduction.dump(preparation, letter)
            reduction.dump(process, letter)
        finally:
            context.set_spawning_popen(None)
        return letter.getvalue()


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


class _Process(context.ForkServerProcess):
    """A process that knows its server, and leaves it behind when it is sent there."""

    server: forkserver.ForkServer | None = None

    def _Popen(self, process_obj: "_Process") -> _Launch:  # type: ignore[override]  # noqa: N802
        # The base class has a static method of this name, called in the same way.
        if self.server is None:
            raise RuntimeError("a forked process cannot start itself again")
        return _Launch(process_obj, self.server)

    def __getstate__(self) -> Mapping[str, object]:
        return {name: value for name, value in vars(self).items() if name != "server"}


class ForkServerProcesses:
    """A multiprocessing context, as far as pebble needs one, with a fork server of its own.

    ``preload`` names the modules that the server imports before it forks for the first time; one
    that cannot be imported is left to the child.
    """

    def __init__(self, preload: Sequence[str] = ()) -> None:
        """Start nothing: the server starts with the first process."""
        self._server = forkserver.ForkServer()
        self._server.set_forkserver_preload(list(preload))
        self._context = get_context("forkserver")

    def Process(  # noqa: N802 - the name that every multiprocessing context has
        self, *, target: object, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> BaseProcess:
        """A process that has not started yet."""
        process = _Process(target=target, name=name, args=args, kwargs=kwargs)  # type: ignore[arg-type]  # pebble hands in a callable
        process.server = self._server
        return process

    def Pipe(self, duplex: bool = True) -> tuple[Connection, Connection]:  # noqa: N802, FBT002 - as above
        """A pair of connected ends."""
        return self._context.Pipe(duplex)

    def RLock(self) -> RLock:  # noqa: N802 - as above
        """A lock that can be sent to a process while it starts."""
        return self._context.RLock()

    def get_start_method(self) -> str:
        """What the standard library calls this way of starting."""
        return "forkserver"

    def stop(self) -> None:
        """End the server and wait for it; processes that it forked are not touched."""
        self._server._stop()  # type: ignore[attr-defined]  # noqa: SLF001 - there is no public way, and the server is ours alone
