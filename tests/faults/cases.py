"""What a case of the fault table is, and how one request of it is played and judged."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType
from typing import Final, TypeAlias

from faults.gateways import Gateway, Kind, Limits
from scripted.black_box import Seen, listen
from scripted.fault_process import FaultProcess, Told

TOKENS = 20
CLOSING_S = 1.0
"""For the engine to see that its client's client has left, or that its answer is given up."""
GRACE_S = 2.5
"""Beyond a limit, before a client of these cases leaves."""

_SETTLED_S: Final = 2.0
_SETTLING_S: Final = 40.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Try:
    """One run of a case: why it failed, if it did; how long it took to be told, if it was.

    ``tokens_off``: by how many tokens the usage that was shown differs from what the engine sent.
    """

    why: str = ""
    seconds: float | None = None
    tokens_off: int | None = None


@dataclass(kw_only=True, slots=True)
class Scene:
    """A gateway, the engine behind it, and what has happened there."""

    gateway: Gateway
    engine: FaultProcess
    limits: Limits
    seeds: "count[int]" = field(default_factory=lambda: count(1))
    _read: int = 0
    _log: dict[int, list[Told]] = field(default_factory=dict)

    async def ask(
        self,
        fault: str,
        *,
        limit_s: float,
        way: str = "fault",
        fields: Mapping[str, object] = MappingProxyType({}),
    ) -> tuple[int, Seen]:
        """Ask for a fault; the seed that it can be found by, and what was heard.

        ``fields`` are further ones of the request. An answer without a fault has `TOKENS`.
        """
        seed = next(self.seeds)
        text = f"Ułóż fraszkę o jesieni. fault={fault};tokens={TOKENS};seed={seed}"
        more = {"stream_options": {"include_usage": True}, **fields}
        request = self.gateway.request(way, text, **more)
        return seed, await listen(self.gateway.port, request, limit_s=limit_s)

    async def log(self, seed: int) -> list[Told]:
        """What the engine saw of it, once that has ended or `CLOSING_S` have passed."""
        clock = asyncio.get_running_loop().time
        end = clock() + CLOSING_S + 0.2
        while True:
            told = [one for one in await self.logs() if one.seed == seed]
            if all(one.ended_at is not None for one in told) or clock() > end:
                return told
            await asyncio.sleep(0.05)

    async def logs(self) -> list[Told]:
        """Everything since `forget`."""
        return await asyncio.to_thread(self.engine.log, self._read)

    async def forget(self) -> None:
        """What was until now belongs to cases before."""
        self._read += len(await self.logs())


Play: TypeAlias = Callable[[Scene], Awaitable[Sequence[Try]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """A row of the table. ``play`` is one round, played until there are ``least`` tries.

    ``limit_s`` is what a try may take, ``memory_mib`` by how much the gateway may grow; ``absent``
    tells, for a gateway in which the case makes no sense, why.
    """

    name: str
    what: str
    play: Play
    least: int = 8
    limit_s: float | None = None
    memory_mib: float | None = None
    absent: Callable[[Kind], str] = lambda _: ""


def judge_told(seen: Seen) -> str:
    """Why a client would not know that its answer has failed; empty: it does (I4, I9)."""
    if seen.looks_complete:
        return "partial answer shown as complete"
    if seen.is_hung:
        return "neither error nor end"
    if not seen.is_told:
        return f"ends as {seen.status} without an error"
    return ""


def judge_whole(seen: Seen, text: str) -> str:
    """Why a client would not have the whole answer; empty: it has."""
    if seen.is_hung:
        return "does not end"
    if seen.unreadable:
        return "an event that is no JSON is passed on"
    if seen.is_told:
        return f"{seen.status or 'no response'}, error or broken off in place of the answer"
    if seen.text != text:
        return "another text"
    return "" if "stop" in seen.finishes else "no finish_reason"


def tokens_off(seen: Seen, told: Sequence[Told]) -> int | None:
    """By how many tokens the usage differs from what the engine sent last."""
    said = seen.completion_tokens
    return abs(said - told[-1].sent_tokens) if isinstance(said, int) and told else None


def in_time(one: Try, limit_s: float | None) -> Try:
    """The same, failed where it took longer than it may."""
    if one.why or limit_s is None or one.seconds is None or one.seconds <= limit_s:
        return one
    return Try(why="too late", seconds=one.seconds, tokens_off=one.tokens_off)


async def settle(scene: Scene) -> None:
    """Wait until memory has not grown for two seconds: the gateway's helpers import at leisure."""
    least = scene.gateway.resident_mib()
    since = began = time.monotonic()
    while time.monotonic() < min(since + _SETTLED_S, began + _SETTLING_S):
        await asyncio.sleep(0.1)
        now = scene.gateway.resident_mib()
        if now > least + 1:
            least, since = now, time.monotonic()
