"""Holds the enabled tools with their settings, caches and connections, and runs their calls."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Literal, Self

import anyio
from pydantic import BaseModel

from chatbot.errors import ToolError
from chatbot.ports import Cache, Clock, ImageEngine, Workers
from chatbot.tools.cache import TimedCache
from chatbot.tools.context import (
    ImageStep,
    Progress,
    ToolContext,
    ignore_progress,
    ignore_step,
)
from chatbot.tools.installed import choose_tools, installed_tools, refuse_clashes, unknown_name
from chatbot.tools.sections import read_section, refuse_unknown_sections
from chatbot.tools.session import Network
from chatbot.tools.threads import Threads
from chatbot.tools.tool import SESSION_SHARE, Tool, ToolRun
from chatbot.types import ToolCall, ToolSpec

_log = logging.getLogger(__name__)

USER_AGENT = "zwrotnica (self-hosted chatbot)"


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolLimits:
    """Bounds that all tools share.

    ``response_bytes`` bounds one reply of a service, ``threads`` the sync tools at work,
    ``cache_entries`` the entries of each tool's cache, ``connect_s`` the seconds to reach a
    service.
    """

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
        limits = limits or ToolLimits()
        available = tuple(installed_tools() if tools is None else tools)
        refuse_clashes(available)
        refuse_unknown_sections(available, settings or {})
        self._installed = {
            tool.name: _install(tool, (settings or {}).get(tool.key, {}), clock, limits)
            for tool in choose_tools(available, enabled)
        }
        self._network = Network(
            clock=clock,
            user_agent=user_agent,
            max_bytes=limits.response_bytes,
            connect_s=limits.connect_s,
        )
        self._threads = Threads(limits.threads)
        self._stack = AsyncExitStack()

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
        image_step: ImageStep = ignore_step,
    ) -> ToolRun:
        """Run one call; ``progress`` and ``image_step`` may be called from the tool's thread.

        Raises:
            InvalidRequest: no such tool is enabled.
        """
        installed = self._get(call.name)
        try:
            prepared = await self._prepared(installed)
        except ToolError as error:
            return installed.tool.failed(call, error.message)
        ctx = replace(
            self._context(installed),
            account=account,
            language=language,
            timezone=timezone,
            progress=progress,
            image_step=image_step,
            prepared=prepared,
        )
        return await installed.tool.run(call, ctx)

    def _get(self, name: str) -> _Installed:
        if name not in self._installed:
            raise unknown_name("tool", name, self.names, param="tools")
        return self._installed[name]

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


def _install(
    tool: Tool, section: Mapping[str, object], clock: Clock, limits: ToolLimits
) -> _Installed:
    deadline_s, settings = read_section(tool, section)
    return _Installed(
        tool=tool.with_limits(deadline_s=deadline_s),
        settings=settings,
        cache=TimedCache(clock=clock, max_entries=limits.cache_entries),
    )
