"""Runs evaluations from the command line, with a bar that shows how far they are."""

import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
import click

T = TypeVar("T")


def run_with_bar(work: Callable[[Callable[[object], None]], Awaitable[T]], *, length: int) -> T:
    """Run ``work``, which tells of each of the ``length`` cases that it has done.

    The bar is drawn on standard error, where that is a terminal.
    """
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=length, file=sys.stderr, hidden=hidden) as bar:

        def count(_: object) -> None:
            bar.update(1)

        return anyio.run(work, count)
