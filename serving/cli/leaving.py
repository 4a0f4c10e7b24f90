"""Ends a server's process at once, when everything that it had open is closed."""

import atexit
import logging
import os
import sys
from typing import NoReturn


def leave() -> NoReturn:
    """Exit with 0, without taking the interpreter apart.

    That takes half a second of processor time for what a gateway has imported, and several
    workers end together: whoever waits for the drain would wait for it.
    """
    atexit._run_exitfuncs()  # noqa: SLF001 (what others have asked to be done at the end)
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
