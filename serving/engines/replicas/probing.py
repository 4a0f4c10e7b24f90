"""Looks at each server of an engine now and again, so that none waits for one that is gone."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import aiohttp
import anyio
import structlog
from anyio import to_thread

from serving.engines.kinds import ENGINE_KINDS
from serving.engines.replicas.drains import read_drained
from serving.engines.replicas.fallback import ServedEngine
from serving.engines.replicas.replica import Replica
from serving.engines.states import engines_folder
from serving.engines.status.short_reply import NoReply, open_session, read_short
from serving.settings import EngineSettings

_API_PATH: Final = "/v1"
_HEALTH_PATH: Final = "/health"
_JSON: Final = "application/json"
_BROKEN: Final = 500


async def probe_engines(engines: Iterable[ServedEngine], data_dir: Path) -> None:
    """Look after the servers of all engines that have several, for ever.

    ``data_dir`` is where operators say which servers are drained.
    """
    async with anyio.create_task_group() as group:
        for engine in engines:
            if len(engine.replicas) > 1 and engine.settings.balance.probe_s > 0:
                group.start_soon(_look_after, engine, engines_folder(data_dir))


async def _look_after(engine: ServedEngine, folder: Path) -> None:
    is_external = ENGINE_KINDS[engine.settings.kind].is_external
    async with open_session(is_external=False) as session:
        while True:
            drained = await to_thread.run_sync(read_drained, folder, engine.name)
            for replica in engine.replicas:
                replica.is_drained = replica.replica.url in drained
            if not is_external:  # who asks a provider outside pays for it, or is refused
                await _probe_servers(session, engine)
            await anyio.sleep(engine.settings.balance.probe_s)


async def _probe_servers(session: aiohttp.ClientSession, engine: ServedEngine) -> None:
    async with anyio.create_task_group() as group:
        for replica in engine.replicas:
            group.start_soon(_probe, session, engine, replica)


async def _probe(session: aiohttp.ClientSession, engine: ServedEngine, replica: Replica) -> None:
    answers = await answers_probe(session, engine.settings, replica.replica.url)
    if not replica.take_probe(answers=answers):
        return
    if answers:
        structlog.get_logger(__name__).info(
            "replica_answers", engine=engine.name, url=replica.replica.url
        )
    else:
        engine.note("replica_silent", url=replica.replica.url)


async def answers_probe(session: aiohttp.ClientSession, settings: EngineSettings, url: str) -> bool:
    """Whether the server at ``url`` answers at its root's ``/health`` with anything but a 5xx.

    A server that knows no such path is as alive as one that says so; one that loads its model
    answers with 503, or not at all.
    """
    key = settings.api_key.get_secret_value() if settings.api_key is not None else None
    address = url.rstrip("/").removesuffix(_API_PATH) + _HEALTH_PATH
    try:
        reply = await read_short(session, address, accept=_JSON, api_key=key)
    except NoReply:
        return False
    return reply.status < _BROKEN
