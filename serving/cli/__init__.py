"""The command line: one module per group of commands, loaded when its command is called."""

from serving.cli.main import main

__all__ = ["main"]
