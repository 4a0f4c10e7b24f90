"""Buckets kept by a Redis server, each request one script that runs as a whole."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Final

import anyio
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from serving.limits.keeper import Act, KeeperAway, Kept
from serving.limits.rates import Rate, Want
from serving.limits.scales import Scale
from serving.settings import SettingsError

KEPT_S: Final = 172_800
"""Full buckets are kept two days: a server's clock that is set on by one empties none."""
PREFIX: Final = "{zwrotnica}:"
"""Of every key; the braces keep all of them on one server of a cluster."""
TIME: Final = f"{PREFIX}time"
CONNECTIONS: Final = 16
_NO_ADDRESS: Final = (
    "limits.shared_url is no address such as 'redis://HOST:6379/0', 'rediss://HOST/0' or "
    "'unix:///run/redis/redis-server.sock'"
)


class RedisKeeper:
    """Implements `serving.limits.keeper.Keeper`; several of them work on the same buckets."""

    def __init__(self, client: Redis, *, limit_s: float) -> None:
        """``limit_s`` are the seconds that an answer may take, a new connection included."""
        self._limit_s = limit_s
        self._scale = Scale()
        script = files("serving.limits").joinpath("buckets.lua").read_text(encoding="utf-8")
        self._script = client.register_script(script)
        self._free = anyio.Semaphore(CONNECTIONS)

    async def ask(self, act: Act, wants: Sequence[Want], *, time_s: float) -> Kept:
        """Run the script; who waits for a connection does so as long as others are answered."""
        keys = [TIME, *(key_of(want.rate) for want in wants)]
        words: list[str | float] = [act, time_s, KEPT_S]
        for want in wants:
            words += [self._scale.size(want.rate), self._scale.flow(want.rate), want.amount]
        async with self._free:
            try:
                with anyio.fail_after(self._limit_s, shield=True):
                    fits, now, *levels = await self._script(keys=keys, args=words)
            except (RedisError, OSError, TimeoutError) as error:
                raise KeeperAway(type(error).__name__) from error
        return Kept(fits=fits == 1, time_s=float(now), levels=[float(one) for one in levels])


def key_of(rate: Rate) -> str:
    """The name of a bucket: ids alone, nothing that anybody has written."""
    return f"{PREFIX}{rate.kind}:{rate.subject}"


@asynccontextmanager
async def open_keeper(url: str, *, limit_s: float) -> AsyncIterator[RedisKeeper]:
    """A keeper with connections of its own; nothing is asked yet.

    Raises:
        SettingsError: ``url`` is no address of a Redis server.
    """
    try:
        client = Redis.from_url(
            url,
            max_connections=CONNECTIONS,
            retry=Retry(NoBackoff(), 0),  # done twice is not the same as done once
            socket_timeout=None,  # `ask` has one limit for all of it
            socket_connect_timeout=None,
            client_name="zwrotnica",
        )
    except ValueError as error:
        raise SettingsError(_NO_ADDRESS) from error
    async with client:
        yield RedisKeeper(client, limit_s=limit_s)
