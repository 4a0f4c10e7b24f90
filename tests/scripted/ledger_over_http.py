"""`python -m scripted.ledger_over_http 10000`: mixed turns over HTTP, faults and kills, the error.

With `postgresql` as a second word the ledger is in a PostgreSQL server, else in SQLite's file.

A real gateway in a process of its own, by name and routed, in front of a fault server in another,
which tells how many tokens it sent for each turn. A token costs one micro-unit, so what a row is
charged is what it counts. Killed is the gateway alone, with all that is under way.
"""

import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import aiohttp
import anyio
from scripted.billed import estimates
from scripted.databases import address_in, put_address
from scripted.fault_process import FaultProcess, fault_process
from scripted.gateway_process import serving
from scripted.line import Script
from scripted.opened_ledger import open_in, rows_in
from scripted.postgres_process import serve_postgres

FAULTS: Final[Mapping[str, str]] = {
    "refused": "fault=status:code=500",
    "reset": "fault=cut:how=rst:after=7",
    "ended": "fault=cut:how=end:after=5",
    "no_usage": "fault=usage:kind=missing",
    "left": "fault=none",
    "repeated": "fault=none",
}
SHARE: Final = 0.05
AT_ONCE: Final = 64
KILLS_EVERY: Final = 1_200
"""Turns begun from one kill to the next, so that about a twentieth are under way then."""
TOKENS: Final = 20
PACE_MS: Final = 4
READ_BEFORE_LEAVING: Final = 3
AGAIN_S: Final = 0.1
LONGEST_S: Final = 180.0
SETTLING_S: Final = 1.0
"""Within which a row is settled on the disk after its client has read the end, if busy, too."""
OK: Final = 200
ERROR: Final = re.compile(rb'"code":\s*"(\w+)"')


@dataclass(kw_only=True, slots=True)
class Turn:
    """One turn as its client saw it."""

    number: int
    kind: str
    model: str
    status: int = 0
    has_begun: bool = False
    """The client read a piece of it."""
    is_whole: bool = False
    """The client read its end."""
    is_cut: bool = False
    """It was under way when the gateway was killed, or its end was not on the disk for sure."""
    has_left: bool = False
    """Its client's patience was at an end."""
    codes: list[str] = field(default_factory=list)
    """What it was told in place of an answer, or of the rest of one."""
    ended_at: float = float("inf")
    """Monotonic seconds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """``error``: micro-units beyond what each row may have been charged, over all turns.

    ``unpaid`` turns were read to their end and are void, because their process was killed before
    that was on the disk. ``twice`` were charged in two rows.
    """

    turns: int
    cut: int
    left: int
    rows: int
    error: int
    missing: int
    unpaid: int
    twice: int
    open: int
    seconds: float
    kinds: Mapping[str, int] = field(default_factory=dict)
    statuses: Mapping[int, int] = field(default_factory=dict)


class Audience:
    """All clients, and what they saw."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        """``session`` is for every turn; ``url`` is that of the gateway that lives now."""
        self.url = ""
        self.turns: list[Turn] = []
        self.begun = 0
        self._session = session

    async def play(self, number: int) -> None:
        """Ask until the request is answered or was cut."""
        chance = random.Random(number)  # noqa: S311 (the same turn each time)
        weights = [SHARE] * len(FAULTS)
        kind = chance.choices([*FAULTS, "whole"], [*weights, 1 - sum(weights)])[0]
        turn = Turn(number=number, kind=kind, model=chance.choice(("bielik", "zwrotnica")))
        self.turns.append(turn)
        self.begun += 1
        await self._ask(turn)
        if kind == "repeated" and turn.is_whole:
            await self._ask(turn)
        turn.ended_at = time.monotonic()

    def cut(self) -> None:
        """The gateway is being killed: what is not on the disk for sure may end in other ways."""
        sure = time.monotonic() - SETTLING_S
        for turn in self.turns:
            turn.is_cut |= turn.ended_at > sure

    async def _ask(self, turn: Turn) -> None:
        fault = FAULTS.get(turn.kind, "fault=none")
        text = f"Cześć! {fault};seed={turn.number};tokens={TOKENS};pace={PACE_MS}"
        body = {
            "model": turn.model,
            "messages": [{"role": "user", "content": text}],
            "stream": True,
        }
        headers = {"x-request-id": name_of(turn.number)}
        if turn.kind == "repeated":
            headers["Idempotency-Key"] = name_of(turn.number)
        while True:
            try:
                url = f"{self.url}/v1/chat/completions"
                async with self._session.post(url, json=body, headers=headers) as reply:
                    turn.status = reply.status
                    await self._read(turn, reply)
            except aiohttp.ClientConnectorError:  # it is being started: nothing was begun
                await anyio.sleep(AGAIN_S)
            except TimeoutError:
                turn.has_left = True
                return
            except aiohttp.ClientError as error:
                turn.codes.append(type(error).__name__)
                return
            else:
                return

    async def _read(self, turn: Turn, reply: aiohttp.ClientResponse) -> None:
        pieces = 0
        async for line in reply.content:
            pieces += line.startswith(b"data: ")
            turn.has_begun |= line.startswith(b"data: ") and not ERROR.search(line)
            turn.is_whole |= line.startswith(b"data: [DONE]")
            turn.codes += [found[1].decode() for found in [ERROR.search(line)] if found]
            if turn.kind == "left" and pieces >= READ_BEFORE_LEAVING:
                reply.close()
                return


def name_of(number: int) -> str:
    """The request's id, by which its row is found."""
    return f"turn-{number:08}"


def environ(folder: Path, engine: str) -> dict[str, str]:
    """The settings of the gateway: one engine, a micro-unit a token, the database of ``folder``."""
    address = address_in(folder)
    return {
        **({} if address is None else {"ZWROTNICA_STORAGE__URL": address}),
        "ZWROTNICA_ENGINES__BIELIK__KIND": "vllm",
        "ZWROTNICA_ENGINES__BIELIK__URL": engine,
        "ZWROTNICA_ENGINES__BIELIK__MODEL": "bielik",
        "ZWROTNICA_ENGINES__BIELIK__FAILURES_ALLOWED": "100000",  # no breaker between us
        "ZWROTNICA_BILLING__PRICES": json.dumps({"bielik": {"completion": "1"}}),
        "ZWROTNICA_LIMITS__TURNS": str(4 * AT_ONCE),
    }


async def play_all(folder: Path, engine: FaultProcess, turns: int) -> list[Turn]:
    """All turns, with a gateway that is killed and started again in between."""
    limit = aiohttp.ClientTimeout(total=LONGEST_S)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(timeout=limit, connector=connector) as session:
        audience = Audience(session)
        slots = anyio.CapacityLimiter(AT_ONCE)
        is_over = anyio.Event()

        async def play(number: int) -> None:
            await audience.play(number)
            slots.release_on_behalf_of(number)

        async def reign() -> None:
            while not is_over.is_set():
                with serving(folder, environ(folder, engine.url)) as gateway:
                    audience.url = gateway.url
                    last = audience.begun + KILLS_EVERY
                    while not is_over.is_set() and audience.begun < last:  # noqa: ASYNC110 (either)
                        await anyio.sleep(0.02)
                    if not is_over.is_set():
                        audience.cut()  # and then the process dies, by SIGKILL

        async with anyio.create_task_group() as reigning:
            reigning.start_soon(reign)
            while not audience.url:  # noqa: ASYNC110 (it is started in a blocking way)
                await anyio.sleep(AGAIN_S)
            async with anyio.create_task_group() as group:
                for number in range(turns):
                    await slots.acquire_on_behalf_of(number)
                    group.start_soon(play, number)
            await anyio.sleep(1)
            is_over.set()
    return audience.turns


async def judge(folder: Path, engine: FaultProcess, seen: list[Turn], seconds: float) -> Verdict:
    """Start a ledger once more, so that what crashes left is ended; then compare."""
    async with open_in(folder) as ledger:
        await ledger.sync()
    rows: dict[str, list[Mapping[str, object]]] = {}
    for row in rows_in(folder).requests.values():
        rows.setdefault(str(row["request_id"]), []).append(row)
    sent: Counter[int] = Counter()
    for one in engine.log():
        sent[one.seed] += one.sent_tokens
    wrong = {
        turn.number: off
        for turn in seen
        for row in rows.get(name_of(turn.number), ())
        if (off := _off(turn, int(str(row["charged"])), sent[turn.number]))
    }
    legs = rows_in(folder).legs
    for turn in [one for one in seen if one.number in wrong][:10]:
        told = [(row, legs.get(str(row["entry_id"]))) for row in rows[name_of(turn.number)]]
        sys.stderr.write(f"{turn} sent {sent[turn.number]}, rows {told}\n")
    answered = [turn for turn in seen if turn.status == OK]
    return Verdict(
        turns=len(seen),
        cut=sum(turn.is_cut for turn in seen),
        left=sum(turn.has_left or turn.kind == "left" for turn in seen),
        rows=sum(map(len, rows.values())),
        error=sum(wrong.values()),
        missing=sum(name_of(turn.number) not in rows for turn in answered),
        unpaid=sum(turn.is_whole and not _charges(rows, turn) for turn in seen),
        twice=sum(len(_charges(rows, turn)) > 1 for turn in seen),
        open=sum(row["state"] == "reserved" for found in rows.values() for row in found),
        seconds=round(seconds),
        kinds=dict(Counter(turn.kind for turn in seen)),
        statuses=dict(Counter(turn.status for turn in seen)),
    )


def _charges(rows: Mapping[str, list[Mapping[str, object]]], turn: Turn) -> list[object]:
    found = rows.get(name_of(turn.number), [])
    return [row["charged"] for row in found if row["charged"]]


def _off(turn: Turn, charged: int, sent: int) -> int:
    """How far ``charged`` is from what may be charged where ``sent`` tokens left the engine.

    Its own figure, or where it told none the estimate that docs/billing.md names, of what had come;
    where somebody went before the end, that is any part of what was sent. Nothing where the client
    was refused, by a status or, where a heartbeat had begun the stream, by its first event: an
    engine that was asked while the reservation was on its way is the house's loss.
    """
    known = estimates(Script(options={}, seed=turn.number), sent)
    is_refused = turn.status > OK or (turn.status == OK and turn.codes and not turn.has_begun)
    allowed = {0} if is_refused and not turn.is_whole else {sent}
    if turn.is_cut or turn.has_left or turn.kind in {"left", "reset"}:
        allowed = {sent, TOKENS * turn.is_cut, *known}  # or sent again after a void row
    elif turn.kind in {"ended", "no_usage"} and not is_refused:
        allowed = {known[-1]}
    return min(abs(charged - one) for one in allowed)


def main() -> None:
    """Play as many turns as the first argument says, and print the verdict."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        engine = stack.enter_context(fault_process())
        if "postgresql" in sys.argv[2:]:
            server = stack.enter_context(serve_postgres(is_durable=True))
            put_address(folder, stack.enter_context(server.database()))
        began = time.monotonic()
        seen = anyio.run(play_all, folder, engine, int(sys.argv[1]))
        verdict = anyio.run(judge, folder, engine, seen, time.monotonic() - began)
    sys.stdout.write(f"{json.dumps(asdict(verdict))}\n")


if __name__ == "__main__":
    main()
