"""What is read of the environment besides settings: for child processes, and keys named by hand."""

import os
from collections.abc import Iterable, Mapping
from typing import Final

_HARMLESS: Final = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    "PATH",
    "SYSTEMROOT",
    "TMPDIR",
    "TZ",
)


def plain_environment(
    environ: Mapping[str, str] | None = None, *, also: Iterable[str] = ()
) -> dict[str, str]:
    """The variables of ``environ`` (``None``: the process's own) that hold no secret or setting.

    Those that an operator named for a child process, ``also``, may hold one.
    """
    variables = os.environ if environ is None else environ
    return {name: variables[name] for name in (*_HARMLESS, *also) if name in variables}


def own_environment(more: Mapping[str, str]) -> dict[str, str]:
    """All variables of this process, for a child that is the same program, and ``more``."""
    return {**os.environ, **more}


def read_variable(name: str, environ: Mapping[str, str] | None = None) -> str | None:
    """The value of a variable that a person named on the command line, where it is set."""
    return (os.environ if environ is None else environ).get(name)


def multiply_on_one_thread() -> None:
    """Keep numpy from multiplying matrices on threads of its own, unless the operator wants that.

    Those of the detector are so small that threads cost more than they save, most of all where
    every core is busy. To be called before numpy is imported.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
