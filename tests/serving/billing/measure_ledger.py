"""Measures what the ledger costs a request: ``python tests/serving/billing/measure_ledger.py``.

Processor time at so many requests a second, beside that of the same sleeps. Then that of the event
loop's thread and of the writer's, and how long a reservation waits for the disk, with so many
requests at once, without budgets and with three. Run it from the repository with
``PYTHONPATH=.:tests``.
"""

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import anyio
from scripted.ledgers import OWNER, house_leg, leg
from scripted.opened_ledger import open_in, wanted

from serving.billing import Entry, Ledger
from serving.billing.records import Allowance
from serving.settings import StorageSettings
from serving.storage.database import open_database

REQUESTS: Final = 4000
AT_ONCE: Final = (1, 10, 50, 200)
RATES: Final = (100, 400)
PACED_S: Final = 20.0
FIRST_S: Final = 0.02
"""Until an engine's first token."""
ANSWER_S: Final = 0.3
BUDGETS: Final = (
    Allowance(subject=OWNER, measure="amount", period="day", limit=10**15),
    Allowance(subject=OWNER, measure="tokens", period="month", limit=10**15),
    Allowance(subject=OWNER, measure="running", period="now", limit=10**9),
)
"""Never used up."""


async def measure(folder: Path, at_once: int, budgets: tuple[Allowance, ...]) -> None:
    waited: list[float] = []
    groups: list[float] = []
    asked = replace(wanted(amount=10), allowances=budgets)

    async def ask(ledger: Ledger) -> None:
        for _ in range(REQUESTS // at_once):
            began = time.perf_counter()
            entry = await ledger.reserve(asked)
            waited.append((time.perf_counter() - began) * 1e3)
            assert isinstance(entry, Entry)
            entry.settle([house_leg(amount=1), leg(amount=5)], finish="stop")

    async with open_in(folder, observe=groups.append) as ledger:
        await ledger.sync()
        thread, process = time.thread_time(), time.process_time()
        began = time.perf_counter()
        async with anyio.create_task_group() as group:
            for _ in range(at_once):
                group.start_soon(ask, ledger)
        await ledger.sync()
        took = time.perf_counter() - began
        in_loop = time.thread_time() - thread
        in_writer = time.process_time() - process - in_loop
    number = len(waited)
    print(  # noqa: T201 (a program for people)
        f"{at_once} at once, {len(budgets)} budgets: event loop {in_loop / number * 1e6:.0f} µs, "
        f"writer {in_writer / number * 1e6:.0f} µs a request; "
        f"reserved after {median(waited):.1f} ms "
        f"(p99 {quantiles(waited, n=100)[98]:.1f}); a group took {median(groups) * 1e3:.1f} ms; "
        f"{number / took:.0f} requests/s"
    )


async def pace(ledger: Ledger | None, rate: int) -> tuple[float, list[float]]:
    """Microseconds of processor time a request, so many begun a second, and waits for the disk."""
    waited: list[float] = []

    async def ask() -> None:
        pending = None if ledger is None else ledger.begin(wanted(amount=10))
        await anyio.sleep(FIRST_S)
        began = time.perf_counter()
        entry = None if pending is None else await pending.confirm(hurries=False)
        waited.append((time.perf_counter() - began) * 1e3)
        await anyio.sleep(ANSWER_S)
        if isinstance(entry, Entry):
            entry.settle([leg(amount=5)], finish="stop")

    process, began = time.process_time(), anyio.current_time()
    number = round(rate * PACED_S)
    async with anyio.create_task_group() as group:
        for one in range(number):
            await anyio.sleep_until(began + one / rate)
            group.start_soon(ask)
    if ledger is not None:
        await ledger.sync()
    return (time.process_time() - process) / number * 1e6, waited


async def measure_pace(folder: Path, rate: int) -> None:
    without, _ = await pace(None, rate)
    groups: list[float] = []
    async with open_in(folder, observe=groups.append) as ledger:
        await ledger.sync()
        with_it, waited = await pace(ledger, rate)
    print(  # noqa: T201 (a program for people)
        f"{rate} requests/s: {with_it - without:.0f} µs a request beside {without:.0f} of the "
        f"same sleeps, {len(groups) / len(waited):.2f} groups a request; {FIRST_S * 1e3:.0f} ms "
        f"after it was begun, one was waited for {median(waited):.2f} ms "
        f"(p95 {quantiles(waited, n=100)[94]:.2f})"
    )


async def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with open_database(StorageSettings(), folder):
            pass
        for rate in RATES:
            await measure_pace(folder, rate)
        for budgets in ((), BUDGETS):
            for at_once in AT_ONCE:
                await measure(folder, at_once, budgets)


if __name__ == "__main__":
    anyio.run(main, backend_options={"use_uvloop": True})
