"""What a configured engine is doing at this moment: whether it answers, and how busy it is."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import aiohttp

from serving.engines.kinds import ENGINE_KINDS
from serving.engines.status.load import EngineLoad, LoadUnreadable, read_load
from serving.engines.status.load_metrics import LOAD_METRICS
from serving.engines.status.short_reply import NoReply, open_session, read_short
from serving.settings import EMBEDDED, EngineSettings

Liveness: TypeAlias = Literal["answers", "needs_key", "silent", "in_process"]
"""``needs_key``: it answers, and wants another key than the configured one; ``silent``: no answer
that could be one of a model server.
"""

_MODELS_PATH: Final = "/models"
_JSON: Final = "application/json"
_OK: Final = 200
_WANTS_KEY: Final = frozenset({401, 403})


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineStatus:
    """``load`` is ``None`` where it is not asked for, or cannot be read.

    ``has_load`` says that the kind tells its load at all. ``problems`` say in English what is
    wrong and what to do.
    """

    state: Liveness
    has_load: bool = False
    load: EngineLoad | None = None
    problems: tuple[str, ...] = ()


async def read_status(settings: EngineSettings) -> EngineStatus:
    """Ask the engine's server; what goes wrong is told, never raised.

    A server that answers is asked for its metrics too, an outside provider never.
    """
    if settings.kind == EMBEDDED:
        return EngineStatus(state="in_process")
    kind = ENGINE_KINDS[settings.kind]
    metrics = None if kind.is_external else LOAD_METRICS.get(kind.name)
    async with open_session(is_external=kind.is_external) as session:
        state, problems = await _read_state(session, settings)
        if metrics is None or state == "silent":
            return EngineStatus(state=state, has_load=metrics is not None, problems=problems)
        try:
            load = await read_load(session, settings, metrics)
        except LoadUnreadable as error:
            problems = (*problems, str(error))
            return EngineStatus(state=state, has_load=True, problems=problems)
    return EngineStatus(state=state, has_load=True, load=load, problems=problems)


async def _read_state(
    session: aiohttp.ClientSession, settings: EngineSettings
) -> tuple[Liveness, tuple[str, ...]]:
    key = settings.api_key.get_secret_value() if settings.api_key is not None else None
    url = (settings.url or "").rstrip("/") + _MODELS_PATH
    try:
        reply = await read_short(session, url, accept=_JSON, api_key=key)
    except NoReply as error:
        return "silent", (f"{error}: is the server started, and its address right?",)
    if reply.status == _OK:
        return "answers", ()
    if reply.status in _WANTS_KEY:
        wanted = "another api_key" if key is not None else "an api_key"
        return "needs_key", (f"status {reply.status}: give it {wanted} (or api_key_env)",)
    problem = f"status {reply.status} in place of its models: is it still loading its model, or "
    return "silent", (problem + "is its address not right (most end in /v1)?",)
