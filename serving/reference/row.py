"""One client's row of a batch, as the server's loop sees it: its text, tokens and end."""

import time
from dataclasses import dataclass

import anyio

from serving.reference.row_text import Finish, Order, Piece


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """What has come since the last look; ``finish`` is set once nothing more will."""

    text: str
    finish: Finish | None


class Row:
    """An order that waits or is generated; ``has_left`` is read by the model's thread."""

    def __init__(self, order: Order) -> None:
        """Nothing is generated yet."""
        self.order = order
        self.ordered = time.monotonic()
        self.tokens = 0
        self.finish: Finish | None = None
        self.has_left = False
        self._texts: list[str] = []
        self._failure: BaseException | None = None
        self._has_changed = anyio.Event()

    def deliver(self, piece: Piece) -> None:
        """Take what one token has brought."""
        self.tokens += 1
        self.finish = piece.finish
        self._texts.append(piece.text)
        self._has_changed.set()

    def fail(self, error: BaseException) -> None:
        """End the row: it is not generated any further."""
        self._failure = error
        self.has_left = True
        self._has_changed.set()

    async def read(self) -> Read:
        """Wait for the next text, or for the end; several tokens come as one.

        Raises:
            ZwrotnicaError: the row has failed; whatever the model raised.
        """
        while True:
            if self._failure is not None:
                raise self._failure
            text = "".join(self._texts)
            self._texts.clear()
            if text or self.finish is not None:
                return Read(text=text, finish=self.finish)
            self._has_changed = anyio.Event()
            await self._has_changed.wait()
