"""The command line: one module per group of commands, loaded when its command is called."""

from pkgutil import resolve_name

__all__ = ["start"]


def start() -> None:
    """Run the command `zwrotnica`.

    Everything else is imported only here, because worker processes import the command's script.
    """
    resolve_name("serving.cli.main:main")()
