"""The keeper of rates that the settings ask for: this process's memory, or a Redis server."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol, cast

import anyio

from chatbot.ports import Clock
from serving.extras import ExtraMissing, load
from serving.limits.buckets import Buckets
from serving.limits.keeper import Keeper
from serving.limits.rates import Pacer
from serving.limits.shared import SharedBuckets
from serving.settings import Settings, SettingsError


class _Redis(Protocol):
    """What `serving.limits.redis_keeper` offers."""

    open_keeper: Callable[..., AbstractAsyncContextManager[Keeper]]


@asynccontextmanager
async def open_pacer(
    settings: Settings, *, clock: Clock, on_alone: Callable[[], None]
) -> AsyncIterator[Pacer]:
    """Rates of this process, or those of all who share ``limits.shared_url``.

    ``on_alone`` hears of each request that is held against this process's share because what is
    shared cannot be reached.

    Raises:
        SettingsError: the address is none, or the extra `redis` is not installed.
    """
    own = Buckets(clock=clock, share=1 / settings.workers)
    url = settings.limits.shared_url
    if url is None:
        yield own
        return
    try:
        redis = cast("_Redis", load("serving.limits.redis_keeper", "redis"))
    except ExtraMissing as error:
        raise SettingsError(error.message) from error
    async with redis.open_keeper(url, limit_s=settings.limits.shared_s) as keeper:
        shared = SharedBuckets(keeper, own=own, clock=clock, on_alone=on_alone)
        await shared.settle()
        async with anyio.create_task_group() as group:
            group.start_soon(shared.keep_up)
            yield shared
            group.cancel_scope.cancel()
        await shared.settle()
