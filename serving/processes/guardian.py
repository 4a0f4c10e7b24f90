"""Runs a program and answers for every process that it leaves behind: `guardian.py PROGRAM…`.

The kernel ends a program with its parent, but not the program's own children, and those of a model
server outlive it. So this process stands between supervisor and server. Its standard input is a
socket: it tells the server's process id (a line) and obeys single bytes. ``t`` asks the server's
group to end, any other kills it; so does the end of the socket, which is that of the supervisor.
When the server has ended, whatever is left of it is killed, and the guardian ends as it did. It is
run by its path, so that it imports nothing else of this project.
"""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import FrameType

PR_SET_CHILD_SUBREAPER = 36
"""Of ``linux/prctl.h``: processes whose parent ended become children of this one."""
CONTROL = 0
"""The descriptor of the socket."""
ASK = b"t"


def guard(program: list[str]) -> int:
    """Run ``program`` to its end, and all that it started; its code, ``-N`` for the signal N."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stay)  # and no SIG_IGN, which the server would inherit
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    launch = (sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")))
    server = subprocess.Popen(  # noqa: S603 (no shell: the supervisor's own program)
        (*launch, str(os.getpid()), *program), stdin=subprocess.DEVNULL, start_new_session=True
    )
    os.write(CONTROL, b"%d\n" % server.pid)
    threading.Thread(target=obey, args=(server.pid,), daemon=True).start()
    wait_unreaped(server.pid)
    signal_group(server.pid, signal.SIGKILL)
    code = server.wait()
    kill_children()
    return code


def stay(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: a signal for everyone is for the server, and that one's end ends the guardian."""


def obey(group: int) -> None:
    """Do what the supervisor says, until it says that all shall end or is no more."""
    while byte := hear():
        signal_group(group, signal.SIGTERM if byte == ASK else signal.SIGKILL)
    signal_group(group, signal.SIGKILL)


def hear() -> bytes:
    """The next byte of the supervisor; empty when it is no more."""
    try:
        return os.read(CONTROL, 1)
    except ConnectionResetError:  # it was killed before it had read the server's id
        return b""


def signal_group(group: int, number: int) -> None:
    """Send a signal to the server and to its children, as far as they are left."""
    with suppress(ProcessLookupError):
        os.killpg(group, number)


def wait_unreaped(server: int) -> None:
    """Wait until ``server`` has ended; its number stays its own. Reap whoever was adopted."""
    while True:
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        if ended is None or ended.si_pid == server:
            return
        os.waitpid(ended.si_pid, 0)


def kill_children() -> None:
    """Kill those who left the server's group: with their parents gone, they are children here."""
    while children := find_children():
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def find_children() -> list[int]:
    """The children of this process; none where the kernel does not list them."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(child) for child in children.read_text().split()] if children.exists() else []


def end_as(code: int) -> None:
    """Leave with the server's code, or by its signal, without a core of our own."""
    if code >= 0:
        sys.exit(code)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):  # SIGKILL has no disposition to be set
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)


if __name__ == "__main__":
    end_as(guard(sys.argv[1:]))
