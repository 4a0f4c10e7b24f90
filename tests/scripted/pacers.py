"""Keepers of rates of either kind, for the same cases over each."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from scripted.patience import PATIENCE_S
from scripted.redis_process import RedisServer

from chatbot.ports import Clock
from serving.limits import Buckets, Pacer, Want
from serving.limits.redis_keeper import open_keeper
from serving.limits.shared import SharedBuckets


def hear_nothing() -> None:
    """Of requests that are held against one's own share."""


@asynccontextmanager
async def open_shared(
    server: RedisServer,
    clock: Clock,
    *,
    own: Buckets | None = None,
    limit_s: float = PATIENCE_S,
    on_alone: Callable[[], None] = hear_nothing,
) -> AsyncIterator[SharedBuckets]:
    """One worker's view of the limits that ``server`` keeps; corrections are told by `told`.

    Alone it would let nobody in who asks for more than one.
    """
    own = own or Buckets(clock=clock, share=1e-9)
    async with open_keeper(server.url, limit_s=limit_s) as keeper:
        yield SharedBuckets(keeper, own=own, clock=clock, on_alone=on_alone)


async def told(pacer: Pacer) -> Pacer:
    """``pacer``, after all corrections have reached where its buckets are."""
    if isinstance(pacer, SharedBuckets):
        await pacer.settle()
    return pacer


async def fill(pacer: Pacer, wants: Sequence[Want]) -> int:
    """How many requests are let in, one after the other at the same time."""
    count = 0
    while (await pacer.take(wants)).wait_s == 0:
        count += 1
    return count
