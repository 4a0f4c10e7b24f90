"""W2: a gateway is told to end while two hundred streams live."""

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass

from faults.gateways import Gateway, Limits
from scripted.black_box import Seen, listen

SHORT, LONG = 180, 20
"""Streams that end well before the limit, and such that would go on for long."""
TOKENS = 20
BEGINNING_S = 5.0
"""In which all of them have to have begun."""
PROBES = 5
"""New requests while the gateway drains."""
AT_ONCE_S = 1.0
EXIT_S = 1.0
"""Beyond the limit, for the process to be gone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drain:
    """What became of a drain; ``exit_s`` is from the signal to the end of the process.

    ``code`` is what it ended with, ``-N`` for the signal N, ``None`` where it did not end; a
    program may end well by 0 or by the signal that it was ``sent``.
    """

    short: Sequence[Seen]
    long: Sequence[Seen]
    refused: Sequence[Seen]
    code: int | None
    exit_s: float
    limit_s: float
    sent: signal.Signals

    @property
    def finished(self) -> int:
        """Streams shorter than the limit that came to their end."""
        return sum(one.is_whole and one.looks_complete for one in self.short)

    @property
    def told(self) -> int:
        """Longer ones that were told of their end, and not as complete."""
        return sum(one.is_told and not one.looks_complete for one in self.long)

    @property
    def turned_away(self) -> int:
        """New requests that were refused at once, by 503 or without a connection."""
        return sum(
            one.status in {0, 503} and not one.is_hung and one.seconds < AT_ONCE_S
            for one in self.refused
        )

    @property
    def why(self) -> str:
        """What is against the contract; empty: nothing."""
        faults = {
            f"{len(self.short) - self.finished} of {len(self.short)} short streams lost": (
                self.finished < 0.99 * len(self.short)
            ),
            f"{len(self.long) - self.told} of {len(self.long)} long streams not told": (
                self.told < len(self.long)
            ),
            f"{len(self.refused) - self.turned_away} of {len(self.refused)} new requests not "
            "refused at once": self.turned_away < len(self.refused),
            f"exit code {self.code}": self.code not in {0, -self.sent},
            f"ended {self.exit_s:.1f} s after the signal": self.exit_s > self.limit_s + EXIT_S,
        }
        return "; ".join(words for words, is_so in faults.items() if is_so)


async def drain(gateway: Gateway, limits: Limits) -> Drain:
    """Open all streams, send the signal, ask for more, and wait for everything's end."""
    limit_s = BEGINNING_S + limits.drain_s + 5.0
    short_ms = 1e3 * (BEGINNING_S + 0.5 * limits.drain_s) / TOKENS
    long_ms = 1e3 * 4 * limits.drain_s / TOKENS
    clock = asyncio.get_running_loop().time
    opened = [
        [asyncio.create_task(_read(gateway, pace, limit_s)) for _ in range(count)]
        for pace, count in ((short_ms, SHORT), (long_ms, LONG))
    ]
    await asyncio.sleep(BEGINNING_S)
    began = clock()
    os.kill(gateway.pid, gateway.kind.end_signal)
    ending = asyncio.create_task(asyncio.to_thread(wait_for_end, gateway.pid, limit_s))
    refused = []
    for _ in range(PROBES):
        await asyncio.sleep(0.3)
        refused.append(await _read(gateway, 0, 2.0))
    code, ended_at = await ending
    short, long = [
        [one for one in await asyncio.gather(*tasks) if (one.first_at or began) < began]
        for tasks in opened
    ]
    return Drain(
        short=short,
        long=long,
        refused=refused,
        code=code,
        exit_s=ended_at - began,
        limit_s=limits.drain_s,
        sent=gateway.kind.end_signal,
    )


async def _read(gateway: Gateway, pace_ms: float, limit_s: float) -> Seen:
    text = f"Ułóż fraszkę. fault=none;tokens={TOKENS};pace={pace_ms}"
    return await listen(gateway.port, gateway.request("fault", text), limit_s=limit_s)


def wait_for_end(pid: int, limit_s: float) -> tuple[int | None, float]:
    """The exit code of a child of this process and when it was gone; it stays to be reaped."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is not None:
            is_exit = found.si_code == os.CLD_EXITED
            return (found.si_status if is_exit else -found.si_status), time.monotonic()
        time.sleep(0.02)
    return None, time.monotonic()
