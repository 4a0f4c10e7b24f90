"""R1 and R2: a thousand requests on a budget for a hundred, fifty repetitions of one request.

`zwrotnica serve` is a process of its own, on SQLite and on PostgreSQL.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import aiohttp
import anyio
import pytest
from scripted.databases import database_of
from scripted.faked_clock import FakedClock
from scripted.fault_report import Figure, Publish
from scripted.gateway import wait_until
from scripted.gateway_process import serving
from scripted.held_engine import TOKENS, HeldEngine, held_engine
from scripted.opened_ledger import rows_in, states_in
from scripted.patience import PATIENCE_S

pytestmark = [pytest.mark.faults, pytest.mark.parts]

WARSAW = ZoneInfo("Europe/Warsaw")
ASKED, LET_IN = 1_000, 100
REPEATS = 50
OTHERS = "co innego"
CUT = "fault=cut:how=fin:after=5"


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """One reply, as far as it is looked at."""

    status: int
    code: str
    is_replayed: bool
    text: str


@pytest.fixture
def engine() -> Iterator[HeldEngine]:
    with held_engine() as engine:
        yield engine


async def ask(session: aiohttp.ClientSession, url: str, text: str, key: str | None) -> Told:
    body = {
        "model": "bielik",
        "max_tokens": TOKENS,
        "messages": [{"role": "user", "content": text}],
    }
    headers = {} if key is None else {"Idempotency-Key": key}
    async with session.post(f"{url}/v1/chat/completions", json=body, headers=headers) as reply:
        told = await reply.json()
        return Told(
            status=reply.status,
            code=told.get("error", {}).get("code", ""),
            is_replayed="idempotent-replayed" in reply.headers,
            text=await reply.text(),
        )


async def ask_together(
    url: str, count: int, *, text: str = "Cześć!", key: str | None = None
) -> list[Told]:
    """The same request, so many times at once."""
    limit = aiohttp.ClientTimeout(total=PATIENCE_S)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(timeout=limit, connector=connector) as session:
        return await asyncio.gather(*(ask(session, url, text, key) for _ in range(count)))


def charged_in(folder: Path) -> int:
    """Micro-units of all rows, once each has an end."""
    wait_until(lambda: "reserved" not in states_in(folder))
    return sum(int(row["charged"]) for row in rows_in(folder).requests.values())


def test_r1_a_budget_lets_in_what_it_covers_and_is_full_again_on_its_day(
    any_folder: Path, engine: HeldEngine, publish: Publish
) -> None:
    tomorrow = datetime.now(WARSAW).date() + timedelta(days=1)
    clock = FakedClock(any_folder, begins=datetime.combine(tomorrow, time(12), tzinfo=WARSAW))
    environ = {
        **clock.environ,
        **engine.environ(any_folder),
        "ZWROTNICA_QUOTAS__MONEY_PER_DAY": f"{LET_IN * TOKENS / 1_000_000:.6f}",
        "ZWROTNICA_LIMITS__TURNS": str(2 * ASKED),
    }
    with serving(any_folder, environ) as gateway:
        for days, what in enumerate(("of 1,000 at once", "of 1,000 at once, a day later")):
            told = anyio.run(ask_together, gateway.url, ASKED)
            codes = Counter(one.code for one in told)
            charged = charged_in(any_folder)
            assert codes == {"": LET_IN, "budget_exceeded": ASKED - LET_IN}
            off = charged - (days + 1) * LET_IN * TOKENS
            publish(
                Figure(
                    case="R1",
                    what=f"{database_of(any_folder)}, a budget for {LET_IN} {what}: {codes['']} "
                    f"are let in, overspent by {off}",
                    n=ASKED,
                    passed=ASKED if off == 0 else 0,
                )
            )
            clock.jump(timedelta(days=1))


class Repeats:
    """A gateway that can be killed, and what its clients were told."""

    def __init__(self, folder: Path, engine: HeldEngine, publish: Publish) -> None:
        self.folder = folder
        self.engine = engine
        self._publish = publish

    def publish(self, what: str, right: list[bool]) -> None:
        name = f"{database_of(self.folder)}, {REPEATS} repetitions {what}"
        self._publish(Figure(case="R2", what=name, n=len(right), passed=sum(right)))

    def begin(self, pool: ThreadPoolExecutor, url: str, key: str) -> "Future[list[Told]]":
        """Ask once, and be sure that it is under way."""
        self.engine.hold()
        asked = partial(ask_together, url, 1, key=key)
        running: Future[list[Told]] = pool.submit(anyio.run, asked)
        wait_until(lambda: states_in(self.folder).get("reserved") == 1)
        return running

    def ask(self, url: str, key: str, text: str = "Cześć!") -> list[Told]:
        return anyio.run(partial(ask_together, url, REPEATS, text=text, key=key))

    def serve_and_kill(self, pool: ThreadPoolExecutor) -> None:
        """One request, repeated while it runs and afterwards; another that nobody ends."""
        with ExitStack() as stack:
            url = stack.enter_context(serving(self.folder, self.engine.environ(self.folder))).url
            running = self.begin(pool, url, "one")
            self.publish(
                "while it runs → 409 `in_progress`",
                [(one.status, one.code) == (409, "in_progress") for one in self.ask(url, "one")],
            )
            self.engine.go_on()
            (first,) = running.result()
            self.publish(
                "afterwards → the stored answer",
                [(one.is_replayed, one.text) == (True, first.text) for one in self.ask(url, "one")],
            )
            self.publish(
                "with another body → 422",
                [one.status == 422 for one in self.ask(url, "one", OTHERS)],
            )
            broken = self.ask(url, "broken", CUT)
            again = self.ask(url, "broken", CUT)
            self.publish(
                "of what failed → asked again, never replayed",
                [not one.is_replayed and one.status in {409, 502} for one in (*broken, *again)],
            )
            assert 502 in {one.status for one in again}
            self.begin(pool, url, "two")  # leaving the block is kill -9

    def serve_again(self) -> None:
        """After the crash its key is free: one of many is served."""
        self.engine.go_on()
        with serving(self.folder, self.engine.environ(self.folder)) as gateway:
            told = self.ask(gateway.url, "two")
            self.publish(
                "after a crash in mid-answer → one is served, others wait or hear its answer",
                [one.is_replayed or one.status in {200, 409} for one in told],
            )
            assert [one.status == 200 and not one.is_replayed for one in told].count(True) == 1
            wait_until(lambda: "reserved" not in states_in(self.folder))
        rows = rows_in(self.folder).requests.values()
        charged = [row["charged"] for row in rows if row["finish"] == "stop"]
        off = sum(charged) - 2 * TOKENS
        what = f"in all of it: two answers are charged, off by {off}"
        self.publish(what, [off == 0, charged == [TOKENS, TOKENS]])


def test_r2_a_request_that_is_repeated_is_served_and_charged_once(
    any_folder: Path, engine: HeldEngine, publish: Publish
) -> None:
    repeats = Repeats(any_folder, engine, publish)
    with ThreadPoolExecutor(1) as pool:
        repeats.serve_and_kill(pool)
    repeats.serve_again()
