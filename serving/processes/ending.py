"""Ends a process: asks first, then makes it."""

from contextlib import suppress
from typing import Protocol

import anyio
from anyio import CancelScope


class Endable(Protocol):
    """A process that can be ended, as `asyncio.subprocess.Process`."""

    @property
    def returncode(self) -> int | None:
        """``None`` while it runs."""
        ...

    async def wait(self) -> int:
        """Wait for its end."""
        ...

    def terminate(self) -> None:
        """Ask it to end."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...


async def end_process(process: Endable, *, within_s: float) -> None:
    """Ask ``process`` to end and kill it ``within_s`` seconds later; it is gone on return.

    A cancellation waits until then.
    """
    with CancelScope(shield=True), suppress(ProcessLookupError):
        if process.returncode is None:
            process.terminate()
            with anyio.move_on_after(within_s):
                await process.wait()
        if process.returncode is None:
            process.kill()
    with CancelScope(shield=True):
        await process.wait()
