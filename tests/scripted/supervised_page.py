"""The supervisor of a page alone, with a scripted page.

``python -m scripted.supervised_page FOLDER FAULT…`` runs one page for each fault until killed,
and prints the process id of each as soon as it runs.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from scripted.patience import PATIENCE_S

from serving.page.process import PageProcess
from serving.settings import PageSettings

PROGRAM = (sys.executable, "-S", str(Path(__file__).with_name("page_process.py")))
SETTINGS = PageSettings(rest_s=0.05, start_s=PATIENCE_S)
NO_FAULT = "none"


@asynccontextmanager
async def supervised(
    folder: Path, *faults: str, settings: PageSettings = SETTINGS
) -> AsyncIterator[PageProcess]:
    """The supervisor alone, at work; ``faults`` are those of `scripted.page_process`."""
    process = PageProcess(settings, folder=folder / "page", program=(*PROGRAM, *faults))
    async with anyio.create_task_group() as group:
        group.start_soon(process.run, "http://127.0.0.1:1")
        yield process
        group.cancel_scope.cancel()


async def keep(folder: Path, *faults: str) -> None:
    async with anyio.create_task_group() as group:
        for fault in faults:
            group.start_soon(_keep_one, folder, fault)


async def _keep_one(folder: Path, fault: str) -> None:
    async with supervised(folder, fault) as process:
        while process.pid is None or (fault != "mute" and process.address is None):  # noqa: ASYNC110 (a program for tests alone)
            await anyio.sleep(0.01)
        print(process.pid, flush=True)  # noqa: T201 (for the test)
        await anyio.sleep_forever()


if __name__ == "__main__":
    anyio.run(keep, Path(sys.argv[1]), *sys.argv[2:])
