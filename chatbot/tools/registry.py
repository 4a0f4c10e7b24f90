"""Holds the enabled tools with their settings, caches and connections, and runs their calls."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from types import TracebackType
from typing import Literal, Self

import anyio
from pydantic import BaseModel, ValidationError

from chatbot.errors import InvalidRequest, ToolError
from chatbot.ports import Cache, Clock, ImageEngine, Workers
from chatbot.tools.builtin import BUILT_IN
from chatbot.tools.cache import TimedCache
from chatbot.tools.context import Progress, ToolContext, ignore_progress
from chatbot.tools.session import Network
from chatbot.tools.threads import Threads
from chatbot.tools.tool import SESSION_SHARE, Tool, ToolRun
from chatbot.types import ToolCall, ToolSpec

_log = logging.getLogger(__name__)

ENTRY_POINTS = "zwrotnica.tools"
USER_AGENT = "zwrotnica (self-hosted chatbot)"
DEADLINE = "deadline_s"


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolLimits:
    """Bounds that all tools share.

    ``deadline_factor`` scales every tool's deadline. ``response_bytes`` bounds one reply of a
    service, ``threads`` the sync tools at work, ``cache_entries`` the entries of each tool's
    cache, ``connect_s`` the seconds to reach a service.
    """

    deadline_factor: float = 1.0
    response_bytes: int = 2_000_000
    connect_s: float = 3.0
    threads: int = 32
    cache_entries: int = 256


@dataclass(kw_only=True, slots=True)
class _Installed:
    """A tool with what it keeps between calls."""

    tool: Tool
    settings: BaseModel
    cache: Cache
    prepared: object = None
    is_ready: bool = False
    lock: anyio.Lock = field(default_factory=anyio.Lock)


class Registry:
    """The enabled tools; an async context manager that owns their connections and threads."""

    def __init__(
        self,
        *,
        tools: Iterable[Tool] | None = None,
        enabled: Sequence[str] | None = None,
        settings: Mapping[str, Mapping[str, object]] | None = None,
        workers: Workers,
        images: ImageEngine | None = None,
        clock: Clock,
        user_agent: str = USER_AGENT,
        limits: ToolLimits | None = None,
    ) -> None:
        """Check names and settings; nothing is opened yet.

        Args:
            tools: The tools to choose from; by default the built-in ones and those of the
                entry-point group ``zwrotnica.tools``.
            enabled: Names (or keys) of those to offer, in this order; ``None``: all.
            settings: For each tool's key its settings, as ``[tools.KEY]`` has them. The key
                ``deadline_s`` is every tool's: it replaces its deadline.
            workers: Killable processes, shared by all tools; opened and closed by the caller.
            images: The engine that draws pictures, if one is connected.
            clock: Time for deadlines and caches.
            user_agent: What services are told; name a contact in it.
            limits: Bounds that all tools share.

        Raises:
            InvalidRequest: a name that is unknown or given twice, or a setting that is wrong;
                ``param`` is its dotted name.
        """
        self._workers = workers
        self._images = images
        self._clock = clock
        self._user_agent = user_agent
        self._limits = limits or ToolLimits()
        self._settings = dict(settings or {})
        available = tuple(installed_tools() if tools is None else tools)
        _refuse_clashes(available)
        _refuse_unknown_settings(available, self._settings)
        self._available = available
        self._enabled = None if enabled is None else tuple(enabled)
        self._installed = {t.name: self._install(t) for t in _choose(available, self._enabled)}
        self._network = self._new_network()
        self._threads = Threads(self._limits.threads)
        self._stack = AsyncExitStack()

    def with_limits(self, limits: ToolLimits) -> "Registry":
        """A registry of the same tools with other limits, not open yet and with empty caches."""
        return Registry(
            tools=self._available,
            enabled=self._enabled,
            settings=self._settings,
            workers=self._workers,
            images=self._images,
            clock=self._clock,
            user_agent=self._user_agent,
            limits=limits,
        )

    async def __aenter__(self) -> Self:
        """Prepare every tool, all at the same time, each within its deadline."""
        self._stack.callback(self._network.close)
        async with anyio.create_task_group() as group:
            for installed in self._installed.values():
                group.start_soon(self._prepare_early, installed)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection."""
        await self._stack.aclose()

    @property
    def names(self) -> tuple[str, ...]:
        """The enabled tools, in the order they are offered."""
        return tuple(self._installed)

    def specs(self, names: Sequence[str] | None = None) -> tuple[ToolSpec, ...]:
        """What the router may see: of the named tools, or of all enabled ones.

        Raises:
            InvalidRequest: a name is unknown.
        """
        return tuple(self.get(name).spec for name in (self.names if names is None else names))

    def get(self, name: str) -> Tool:
        """The enabled tool of this name.

        Raises:
            InvalidRequest: there is none; the message names the nearest.
        """
        return self._get(name).tool

    async def run(
        self,
        call: ToolCall,
        *,
        account: str = "local",
        language: Literal["pl", "en"] = "pl",
        timezone: str = "Europe/Warsaw",
        progress: Progress = ignore_progress,
    ) -> ToolRun:
        """Run one call; ``progress`` may be called from the tool's thread.

        Raises:
            InvalidRequest: no such tool is enabled.
        """
        installed = self._get(call.name)
        ctx = self._context(installed)
        try:
            prepared = await self._prepared(installed)
        except ToolError as error:
            return installed.tool.failed(call, error.message)
        ctx = replace(
            ctx,
            account=account,
            language=language,
            timezone=timezone,
            progress=progress,
            prepared=prepared,
        )
        return await installed.tool.run(call, ctx)

    def _get(self, name: str) -> _Installed:
        if name not in self._installed:
            raise _unknown("tool", name, self.names, param="tools")
        return self._installed[name]

    def _new_network(self) -> Network:
        return Network(
            clock=self._clock,
            user_agent=self._user_agent,
            max_bytes=self._limits.response_bytes,
            connect_s=self._limits.connect_s * self._limits.deadline_factor,
        )

    def _install(self, tool: Tool) -> _Installed:
        given = dict(self._settings.get(tool.key, {}))
        deadline_s = _read_deadline(tool, given)
        return _Installed(
            tool=tool.with_limits(deadline_s=deadline_s * self._limits.deadline_factor),
            settings=_read_settings(tool, given),
            cache=TimedCache(clock=self._clock, max_entries=self._limits.cache_entries),
        )

    def _context(self, installed: _Installed) -> ToolContext:
        return ToolContext(
            settings=installed.settings,
            session=self._network.session(deadline_s=installed.tool.deadline_s * SESSION_SHARE),
            cache=installed.cache,
            workers=self._workers,
            images=self._images,
            clock=self._clock,
            deadline_s=installed.tool.deadline_s,
            prepared=None,
            threads=self._threads,
        )

    async def _prepared(self, installed: _Installed) -> object:
        """What the tool's prepare function gave; runs it if it has not succeeded yet."""
        async with installed.lock:
            if not installed.is_ready:
                ctx = self._context(installed)
                installed.prepared = await installed.tool.prepare_with(ctx)
                installed.is_ready = True
            return installed.prepared

    async def _prepare_early(self, installed: _Installed) -> None:
        """Prepare before the first call; a failure is logged, and the first call tries again."""
        try:
            await self._prepared(installed)
        except ToolError as error:
            fields = {"tool": installed.tool.name, "error": type(error).__name__}
            _log.warning("tool_not_prepared", extra=fields)


def installed_tools() -> tuple[Tool, ...]:
    """The built-in tools, then those of the entry-point group ``zwrotnica.tools``.

    Raises:
        InvalidRequest: an entry point cannot be loaded or is no tool.
    """
    return (*BUILT_IN, *(load_plugin(point) for point in entry_points(group=ENTRY_POINTS)))


def load_plugin(point: EntryPoint) -> Tool:
    """The tool behind an entry point.

    Raises:
        InvalidRequest: it cannot be loaded or is no tool.
    """
    try:
        loaded = point.load()
    except (ImportError, AttributeError) as error:
        raise InvalidRequest(
            f"The tool plugin {point.name!r} ({point.value}) cannot be loaded: {error}. "
            "Mend or uninstall it.",
            param="tools",
        ) from error
    if not isinstance(loaded, Tool):
        raise InvalidRequest(
            f"The entry point {point.name!r} ({point.value}) is no tool: decorate it with @tool.",
            param="tools",
        )
    return loaded


def _refuse_clashes(tools: Sequence[Tool]) -> None:
    for position, tool in enumerate(tools):
        for other in tools[:position]:
            if {tool.name, tool.key} & {other.name, other.key}:
                raise InvalidRequest(
                    f"Two tools are called {tool.name!r} (settings key {tool.key!r}): rename one "
                    "with @tool(name=…, key=…) or uninstall its plugin.",
                    param="tools",
                )


def _refuse_unknown_settings(tools: Sequence[Tool], settings: Mapping[str, object]) -> None:
    keys = [tool.key for tool in tools]
    for key in settings:
        if key not in keys:
            raise _unknown("tool settings", key, keys, param=f"tools.{key}")


def _choose(tools: Sequence[Tool], enabled: Sequence[str] | None) -> tuple[Tool, ...]:
    if enabled is None:
        return tuple(tools)
    by_name = {tool.key: tool for tool in tools} | {tool.name: tool for tool in tools}
    for name in enabled:
        if name not in by_name:
            raise _unknown("tool", name, list(by_name), param="tools.enabled")
    return tuple(dict.fromkeys(by_name[name] for name in enabled))


def _read_deadline(tool: Tool, given: dict[str, object]) -> float:
    """Take ``deadline_s`` out of the settings, unless the tool's own model has such a field."""
    if DEADLINE not in given or DEADLINE in tool.settings_model.model_fields:
        return tool.deadline_s
    value = given.pop(DEADLINE)
    if not isinstance(value, int | float | str):
        raise _not_a_deadline(tool, value)
    try:
        seconds = float(value)
    except ValueError as error:
        raise _not_a_deadline(tool, value) from error
    if not seconds > 0:
        raise _not_a_deadline(tool, value)
    return seconds


def _not_a_deadline(tool: Tool, value: object) -> InvalidRequest:
    name = f"tools.{tool.key}.{DEADLINE}"
    return InvalidRequest(f"{name} must be a number of seconds, not {value!r}.", param=name)


def _read_settings(tool: Tool, given: Mapping[str, object]) -> BaseModel:
    section = f"tools.{tool.key}."
    known = [section + field for field in (*tool.settings_model.model_fields, DEADLINE)]
    for key in given:
        if section + key not in known:
            raise _unknown("setting", section + key, known, param=section + key)
    try:
        return tool.settings_model.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = section + ".".join(str(part) for part in first["loc"])
        raise InvalidRequest(f"{name}: {first['msg']}.", param=name) from error


def _unknown(kind: str, name: str, known: Iterable[str], *, param: str) -> InvalidRequest:
    names = list(known)
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names) or 'none'}."
    return InvalidRequest(f"There is no {kind} {name!r}: {hint}", param=param)
