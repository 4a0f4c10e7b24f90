"""A worker's side: hears its supervisor on standard input and speaks to it on standard output."""

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import anyio

from serving.workers.words import (
    DRAIN,
    END,
    PAGE,
    PAGE_HANGS,
    PEERS,
    READY,
    as_address,
    say,
)

_INPUT: Final = 0
_OUTPUT: Final = 1
_ERRORS: Final = 2
_PIECE_BYTES: Final = 4096


class Seat:
    """One worker's place: its number, where the others are, where the page is.

    A thread listens, because the supervisor's word must come through whatever the loop does; it
    only sets single attributes and calls ``on_drain`` (to end politely) and ``on_end`` (at once).
    """

    def __init__(self, *, number: int, count: int) -> None:
        """Take standard input and output; nobody is heard before `listen`.

        What is printed goes to standard error from now on, and children inherit neither pipe: one
        that outlived this process would keep the supervisor waiting for the end of both.
        """
        self._input, self._output = os.dup(_INPUT), os.dup(_OUTPUT)
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), _INPUT)
        os.dup2(_ERRORS, _OUTPUT)
        self.number = number
        self.peers: Sequence[str | None] = (None,) * count
        self.page: str | None = None

    def listen(self, *, on_drain: Callable[[], None], on_end: Callable[[], None]) -> None:
        """Hear the supervisor from now on; its own end is heard as its wish to drain."""
        orders = {DRAIN: on_drain, END: on_end}

        def run() -> None:
            rest = b""
            while piece := os.read(self._input, _PIECE_BYTES):
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    self._hear(line.decode("ascii").split(), orders)
            on_drain()

        threading.Thread(target=run, name="seat", daemon=True).start()

    def tell_ready(self, address: str) -> None:
        """Requests are taken; those of other workers at ``address``."""
        self._tell(say(READY, address))

    def doubt_page(self, address: str) -> None:
        """The page at ``address`` does not answer."""
        self._tell(say(PAGE_HANGS, address))

    def _tell(self, line: bytes) -> None:
        os.write(self._output, line)  # whole: a pipe takes so few bytes at once

    def _hear(self, words: list[str], orders: dict[str, Callable[[], None]]) -> None:
        match words:
            case [word, address] if word == PAGE:
                self.page = as_address(address)
            case [word, *addresses] if word == PEERS:
                self.peers = tuple(map(as_address, addresses))
            case [word] if word in orders:
                orders[word]()
            case _:
                pass


class SeatedPage:
    """The page's process as a worker knows it: run by the supervisor, who tells its address."""

    def __init__(self, seat: Seat) -> None:
        """``seat`` is told where the page is."""
        self._seat = seat

    @property
    def address(self) -> str | None:
        """Where it listens, while it is ready."""
        return self._seat.page

    async def run(self, gateway: str) -> None:  # noqa: ARG002 (it runs elsewhere)
        """Let the supervisor run it."""
        await anyio.sleep_forever()

    def end_it(self) -> None:
        """Have the supervisor start it again."""
        if self._seat.page is not None:
            self._seat.doubt_page(self._seat.page)
