"""Mixed turns on a ledger, a twentieth of each fault, by processes that are killed in between.

A journal tells what each turn had ordered and what it had been told to be on the disk: nobody who
reads it afterwards needs to trust the ledger.
"""

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import anyio
from scripted.ledgers import house_leg, leg
from scripted.opened_ledger import open_in, rows_in, wanted

from chatbot.errors import StorageUnavailable
from serving.billing import Entry, Exhausted, IdempotencyKey, Ledger, Reservation, Taken
from serving.billing.records import BilledLeg

FAULTS: Final = ("failed_early", "engine_lost", "cancelled", "left", "settled_twice", "repeated")
SHARE: Final = 0.05
"""Of each fault, and of turns that are under way when their process is killed."""
AT_ONCE: Final = 32
"""Turns of a process that are under way together."""
LIFE: Final = 400
"""Turns that a process begins before it is killed, so that a twentieth are under way then."""
JOURNAL: Final = "journal"
WAIT_S: Final = 1.0
LONGEST_S: Final = 840.0
AGAIN_S: Final = 0.05
"""After which a client asks again that got 503 or 409."""


class Player:
    """One process: plays turns from a number on, and writes down what it does before and after."""

    def __init__(self, folder: Path, *, dies_after: int | None) -> None:
        """``dies_after`` so many turns have been begun, with all others under way."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._journal = os.open(folder / JOURNAL, flags, 0o600)
        self._folder = folder
        self._left = dies_after

    def _write(self, *words: object) -> None:
        os.write(self._journal, f"{' '.join(map(str, words))}\n".encode())

    async def play_all(self, first: int, last: int) -> None:
        """Play the turns from ``first`` to before ``last``."""
        slots = anyio.CapacityLimiter(AT_ONCE)
        async with (
            open_in(self._folder, wait_s=WAIT_S) as ledger,
            anyio.create_task_group() as group,
        ):
            for number in range(first, last):
                await slots.acquire_on_behalf_of(number)
                self._write("turn", number)
                group.start_soon(self._play, ledger, number, slots)

    async def _play(self, ledger: Ledger, number: int, slots: anyio.CapacityLimiter) -> None:
        chance = random.Random(number)  # noqa: S311 (the same turn each time)
        kind = pick(chance)
        if kind == "left":
            self._leave(ledger)
        else:
            await self._ask(ledger, number, kind, 1 + chance.randrange(1000))
        self._write("played", kind)
        slots.release_on_behalf_of(number)

    async def _reserve(self, ledger: Ledger, asked: Reservation) -> Entry | Taken:
        """Ask again and again while new requests are refused."""
        while True:
            try:
                outcome = await ledger.reserve(asked)
            except StorageUnavailable:
                self._write("refused")
                await anyio.sleep(AGAIN_S)
            else:
                assert not isinstance(outcome, Exhausted)
                return outcome

    def _leave(self, ledger: Ledger) -> None:
        """The client goes before the reservation is confirmed."""
        pending = ledger.begin(wanted(amount=100))
        if (entry := pending.leave()) is not None:
            entry.settle([], finish="cancelled")

    async def _ask(self, ledger: Ledger, number: int, kind: str, cost: int) -> None:
        key = IdempotencyKey(key=f"key-{number}", payload_hash="same")
        asked = replace(wanted(amount=2000), idempotency=key if kind == "repeated" else None)
        entry = await self._reserve(ledger, asked)
        while not isinstance(entry, Entry):  # a refusal in doubt holds its key until it is void
            await anyio.sleep(AGAIN_S)
            entry = await self._reserve(ledger, asked)
        self._write("begun", entry.entry_id)
        self._die_in_time()
        if kind == "repeated":
            assert isinstance(await self._reserve(ledger, asked), Taken)
        part = [house_leg(amount=3), leg(amount=cost)]
        if kind != "failed_early":
            self._write("ordered", entry.entry_id, cost)
            entry.note(part)
            await ledger.sync()
            self._write("sure", entry.entry_id, cost)
        total = self._end(entry, kind, part)
        await ledger.sync()
        self._write("sure", entry.entry_id, total)
        if kind == "repeated":
            assert isinstance(await self._reserve(ledger, asked), Taken)

    def _end(self, entry: Entry, kind: str, part: list[BilledLeg]) -> int:
        """Settle as the fault has it; gives what is owed."""
        whole = [*part, leg(amount=7)]
        owed = {"failed_early": 0, "engine_lost": part[1].amount, "cancelled": part[1].amount}
        total = owed.get(kind, part[1].amount + 7)
        self._write("ordered", entry.entry_id, total)
        match kind:
            case "failed_early":
                entry.settle([], finish="failed", error="engine_timeout")
            case "engine_lost":
                entry.settle(part, finish="failed", error="engine_lost")
            case "cancelled":
                entry.settle(part, finish="cancelled")
            case _:
                entry.settle(whole, finish="stop")
        if kind == "settled_twice":
            entry.settle([*whole, leg(amount=9999)], finish="stop")
        return total

    def _die_in_time(self) -> None:
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def pick(chance: random.Random) -> str:
    """What becomes of a turn."""
    weights = [SHARE] * len(FAULTS)
    return chance.choices([*FAULTS, "whole"], [*weights, 1 - sum(weights)])[0]


@dataclass(kw_only=True, slots=True)
class Told:
    """What the journal tells of one request, in micro-units."""

    sure: int = 0
    ordered: list[int] = field(default_factory=list)

    @property
    def allowed(self) -> set[int]:
        """What it may have been charged: what was sure, or what was on its way after that."""
        return {self.sure, *self.ordered}


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What came of all turns; ``error`` is what was charged wrongly, in micro-units.

    ``killed`` turns were under way in a process that was killed, ``refused`` attempts got no entry;
    ``missing`` are requests without a row, ``open`` rows without an end, ``strange`` charged rows
    that nobody was told of.
    """

    turns: int
    requests: int
    killed: int
    refused: int
    kinds: Mapping[str, int]
    error: int
    missing: int
    open: int
    strange: int

    @property
    def is_right(self) -> bool:
        """Whether each request has one row, that is settled by what it owes."""
        return self.error == self.missing == self.open == self.strange == 0


def run_turns(folder: Path, turns: int) -> None:
    """Have ``turns`` played by processes one after the other, all but the last killed."""
    path = [Path(__file__).parents[1], Path(__file__).parents[2]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    command = (sys.executable, "-m", "scripted.ledger_turns", str(folder), str(turns))
    subprocess.run(command, check=True, env=environment, timeout=LONGEST_S)


async def judge(folder: Path) -> Verdict:
    """Start once more, so that what crashes left is ended; then compare rows and journal."""
    async with open_in(folder) as ledger:
        await ledger.sync()
    told, counts, kinds = read_journal(folder)
    rows = rows_in(folder).requests
    wrong = [
        min(abs(rows[entry_id]["charged"] - amount) for amount in one.allowed)
        for entry_id, one in told.items()
        if entry_id in rows
    ]
    unknown = [row for entry_id, row in rows.items() if entry_id not in told]
    return Verdict(
        turns=counts["turn"],
        requests=len(told),
        killed=counts["turn"] - counts["played"],
        refused=counts["refused"],
        kinds=kinds,
        error=sum(wrong),
        missing=sum(entry_id not in rows for entry_id in told),
        open=sum(row["state"] == "reserved" for row in rows.values()),
        strange=sum(row["charged"] != 0 for row in unknown),
    )


def read_journal(folder: Path) -> tuple[dict[str, Told], Counter[str], Counter[str]]:
    """Requests by their entries, how often each word came, and which turns ended how."""
    told: dict[str, Told] = {}
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for line in (folder / JOURNAL).read_text(encoding="utf-8").splitlines():
        word, subject, amount = (*line.split(" "), "", "")[:3]
        counts[word] += 1
        match word:
            case "begun":
                told[subject] = Told()
            case "ordered":
                told[subject].ordered.append(int(amount))
            case "sure":
                told[subject] = Told(sure=int(amount))
            case "played":
                kinds[subject] += 1
            case _:
                pass
    return told, counts, kinds


def _count_turns(folder: Path) -> int:
    journal = folder / JOURNAL
    return journal.read_bytes().count(b"turn ") if journal.exists() else 0


def _live(folder: Path, first: int, turns: int) -> None:
    """One process, killed in the midst of its turns unless it is the last."""
    dies_after = LIFE if turns - first > LIFE else None
    anyio.run(Player(folder, dies_after=dies_after).play_all, first, turns)


def main() -> None:
    """Play: ``python -m scripted.ledger_turns FOLDER TURNS``."""
    folder, turns = Path(sys.argv[1]), int(sys.argv[2])
    while (first := _count_turns(folder)) < turns:
        if not (child := os.fork()):
            _live(folder, first, turns)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0


if __name__ == "__main__":
    main()
