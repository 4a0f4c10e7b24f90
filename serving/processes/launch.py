"""Becomes another program, which dies with the process that asked: `launch.py PARENT PROGRAM…`.

A process that is killed cannot stop its child, and a child that hangs cannot notice; the kernel can
do both. It is run by its path, so that it imports nothing else of this project.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""Of ``linux/prctl.h``; the setting outlives ``execv``."""


def launch(parent: int, program: list[str]) -> None:
    """Replace this process by ``program``, unless the process ``parent`` is dead already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == parent:
        os.execv(program[0], program)  # noqa: S606 (no shell: the supervisor's own program)


if __name__ == "__main__":
    launch(int(sys.argv[1]), sys.argv[2:])
