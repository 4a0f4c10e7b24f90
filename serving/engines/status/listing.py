"""Every configured server of every engine, with what it is doing at this moment."""

import asyncio
from dataclasses import dataclass

from anyio import to_thread

from serving.engines.replicas.drains import read_drained
from serving.engines.states import EngineState, engines_folder, read_states
from serving.engines.status.status import EngineStatus, read_status
from serving.settings import EMBEDDED, EngineSettings, Settings


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedEngine:
    """One server of an engine, what it is doing, and what its supervisor says.

    ``is_drained``: an operator has taken it out of use.
    """

    name: str
    kind: str
    model: str | None
    url: str | None
    roles: tuple[str, ...]
    status: EngineStatus
    server: EngineState | None = None
    is_drained: bool = False


async def read_engines(settings: Settings) -> list[ListedEngine]:
    """Every server of every engine, the embedded one first; all are asked at once."""
    configured = dict(settings.engines)
    if EMBEDDED not in configured:
        configured = {EMBEDDED: EngineSettings(kind=EMBEDDED), **configured}
    servers = [(name, one) for name, engine in configured.items() for one in _servers(engine)]
    async with asyncio.TaskGroup() as tasks:
        asked = [tasks.create_task(read_status(server)) for _, server in servers]
        states = await to_thread.run_sync(read_states, settings.data_dir)
        folder = engines_folder(settings.data_dir)
        drained = {
            name: await to_thread.run_sync(read_drained, folder, name) for name in configured
        }
    supervised = {state.name: state for state in states}
    return [
        ListedEngine(
            name=name,
            kind=server.kind,
            model=server.model,
            url=server.url,
            roles=_roles(settings, name),
            status=status.result(),
            server=supervised.get(name),
            is_drained=server.url in drained[name],
        )
        for (name, server), status in zip(servers, asked, strict=True)
    ]


def _servers(engine: EngineSettings) -> list[EngineSettings]:
    """The engine once for each of its servers; once, where it is in process."""
    return [engine.at(replica.url) for replica in engine.replicas] or [engine]


def _roles(settings: Settings, name: str) -> tuple[str, ...]:
    roles = {
        "router": settings.router.engine,
        "second router": settings.router.second_engine,
        "default": settings.answering_engine,
        "client tools": settings.tools_engine,
    }
    if settings.tools_engine == EMBEDDED:
        del roles["client tools"]  # without a model there is nothing that could take them
    return tuple(role for role, engine in roles.items() if engine == name)
