"""The access log: who asked for what, when, with what outcome; a line of JSON each request."""

import ipaddress
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias, assert_never

import anyio
from anyio import CancelScope, to_thread
from anyio.abc import TaskGroup

from serving.settings import LogSettings

AddressForm: TypeAlias = Literal["none", "network", "full"]

MOST_WAITING: Final = 50_000
"""Lines that wait for the disk; further ones are dropped and counted."""
_PAUSE_S: Final = 1.0
_DAY: Final = "%Y-%m-%d"
_FILE_MODE: Final = 0o600
_SHORT: Final = {4: 24, 6: 48}
_log = logging.getLogger(__name__)


def access_folder(data_dir: Path) -> Path:
    """Where it is kept."""
    return data_dir / "access"


class AccessLog:
    """Appends to ``folder/YYYY-MM-DD.jsonl`` (days of UTC), once a second and at the end.

    Several processes write the same files: each write is of whole lines, at the end. Whole days are
    forgotten, the oldest first, when they are too old or all are too large together.
    """

    def __init__(self, settings: LogSettings, *, folder: Path, now: Callable[[], datetime]) -> None:
        """Nothing is written outside the block; ``now`` gives aware UTC."""
        self._settings = settings
        self._folder = folder
        self._now = now
        self._waiting: list[tuple[str, str]] = []
        self._dropped = 0
        self._group: TaskGroup | None = None

    async def __aenter__(self) -> Self:
        """Write from now on."""
        self._group = await anyio.create_task_group().__aenter__()
        self._group.start_soon(self._run)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Write what still waits."""
        group = self._group
        if group is None:
            return None
        group.cancel_scope.cancel()
        ended = await group.__aexit__(kind, error, trace)
        with CancelScope(shield=True):
            await self._try_to_write()
        return ended

    def add(self, fields: Mapping[str, object], *, client: str | None) -> None:
        """Have a line written soon; ``client`` is the address that the request came from."""
        if len(self._waiting) >= MOST_WAITING:
            self._dropped += 1
            return
        now = self._now()
        told = {"at": now.isoformat(timespec="milliseconds"), **fields}
        address = shorten(client, self._settings.access_address)
        if address is not None:
            told["address"] = address
        self._waiting.append((f"{now:{_DAY}}", json.dumps(told, ensure_ascii=False)))

    async def _run(self) -> None:
        while True:
            await anyio.sleep(_PAUSE_S)
            await self._try_to_write()

    async def _try_to_write(self) -> None:
        lines, self._waiting = self._waiting, []
        if not lines:
            return
        try:
            await to_thread.run_sync(self._write, lines)
        except OSError as error:
            self._dropped += len(lines)
            _log.warning("access_log_not_written", extra={"error": error.strerror})
        if self._dropped:
            _log.warning("access_log_incomplete", extra={"requests": self._dropped})
            self._dropped = 0

    def _write(self, lines: list[tuple[str, str]]) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for day in sorted({day for day, _ in lines}):
            path = self._folder / f"{day}.jsonl"
            if not path.exists():
                path.touch(mode=_FILE_MODE)
            text = "".join(f"{line}\n" for of, line in lines if of == day)
            with path.open("ab", buffering=0) as file:
                file.write(text.encode(errors="backslashreplace"))
        self._forget()

    def _forget(self) -> None:
        oldest = f"{self._now() - timedelta(days=self._settings.access_days - 1):{_DAY}}"
        size = 0
        for file in sorted(self._folder.glob("*.jsonl"), reverse=True):
            with suppress(FileNotFoundError):  # another worker was faster
                size += file.stat().st_size
                if file.stem < oldest or size > self._settings.access_bytes:
                    file.unlink()


def shorten(client: str | None, form: AddressForm) -> str | None:
    """The address as the settings want it kept: not, whole, or its network (/24, /48)."""
    match form:
        case "none":
            return None
        case "full":
            return client
        case "network":
            try:
                address = ipaddress.ip_address(client or "")
            except ValueError:
                return None
            return str(ipaddress.ip_network((address, _SHORT[address.version]), strict=False))
        case _:
            assert_never(form)
