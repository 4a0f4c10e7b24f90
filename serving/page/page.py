"""The web chat as the gateway sees it: an ASGI application in front of a supervised process."""

import logging
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.resources import files
from pkgutil import resolve_name
from types import TracebackType
from typing import TYPE_CHECKING, Final, Protocol, Self

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from chatbot.errors import PageUnavailable
from serving.http.errors import wire_error
from serving.http.exchange import ANSWER_S, Asgi, UpstreamSilent, UpstreamUnavailable
from serving.http.proxied_headers import with_key
from serving.page.paths import PagePaths, is_personal
from serving.page.process import UI, PageProcess
from serving.settings import Settings

if TYPE_CHECKING:
    from serving.http.proxy import Proxy

_log = logging.getLogger(__name__)

_PROXY: Final = "serving.http.proxy:Proxy"
METHODS: Final = ("GET", "HEAD", "POST")
"""All that Gradio's own routes take."""
LAST_WORDS_S: Final = 0.5
"""How long after the last turn the page's streams may still carry its end to browsers."""
_STARTING: Final = files("serving.page").joinpath("starting.html").read_bytes()
_HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "retry-after": "1",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Route:
    """Under what all of the page's paths are counted and logged."""

    path: str = "/{page}"


class PageLife(Protocol):
    """The process behind the page, run here or by the supervisor of several workers."""

    @property
    def address(self) -> str | None:
        """Where it listens, while it is ready."""
        ...

    async def run(self, gateway: str) -> None:
        """Keep it running, until cancelled; it asks the gateway at ``gateway``."""
        ...

    def end_it(self) -> None:
        """Have one that does not answer started again."""
        ...


def make_process(settings: Settings, *, program: Sequence[str] = UI) -> PageProcess:
    """The page's process, not started."""
    return PageProcess(settings.page, folder=settings.data_dir.absolute() / "page", program=program)


class WebPage:
    """An async context manager and an ASGI application; see `announce` for its start."""

    def __init__(
        self,
        settings: Settings,
        *,
        owned: Iterable[str],
        program: Sequence[str] = UI,
        process: PageLife | None = None,
        answer_s: float = ANSWER_S,
    ) -> None:
        """``owned`` are the paths of the gateway's own routes, which are never the page's.

        ``process``: one that somebody else runs; ``None``: ``program``, run here.
        A page that begins no answer within ``answer_s`` seconds, twice, is started again.
        """
        self.process: PageLife = process or make_process(settings, program=program)
        self._limits = settings.limits
        self._key = settings.page.api_key
        self._answer_s = answer_s
        self._proxy: Proxy | None = None
        self._paths = PagePaths(owned)
        self._stack = AsyncExitStack()
        self._group: TaskGroup | None = None

    async def __aenter__(self) -> Self:
        """Nothing starts before the gateway's address is known."""
        self._group = await self._stack.enter_async_context(anyio.create_task_group())
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the process and close every connection."""
        if self._group is not None:
            self._group.cancel_scope.cancel()
        await self._stack.aclose()

    def announce(self, gateway: str) -> None:
        """Start the process, which asks the gateway at ``gateway``: requests are taken by now."""
        if self._group is None:
            raise RuntimeError("the page is used outside its context")
        self._group.start_soon(self._run, gateway)

    async def _run(self, gateway: str) -> None:
        """Open the way to the page, then run its process.

        The client's import would take a tenth of the time in which the API gets ready.
        """
        make = await to_thread.run_sync(resolve_name, _PROXY)
        async with make(self._limits, answer_s=self._answer_s) as self._proxy:
            await self.process.run(gateway)

    async def drain(self) -> None:
        """Let streams carry the last words, then end them."""
        if self._proxy is not None:
            await self._proxy.end_streams(within_s=LAST_WORDS_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward one request to the page."""
        scope["route"] = _Route()
        target = self._paths.target(scope["path"], scope["query_string"])
        if target is None:
            raise HTTPException(404)
        if scope["method"] not in METHODS:
            raise HTTPException(405, headers={"allow": ", ".join(METHODS)})
        if not is_personal(scope["path"]):
            scope = with_key(scope, self._key)
        asgi = Asgi(scope=scope, receive=receive, send=send)
        proxy, address = self._proxy, self.process.address
        if proxy is None or address is None:
            await _refuse(scope, PageUnavailable("the page is starting"))(scope, receive, send)
            return
        try:
            await proxy.forward(asgi, address=address, target=target)
        except UpstreamUnavailable as error:
            await _refuse(scope, PageUnavailable(error.message))(scope, receive, send)
            if isinstance(error, UpstreamSilent):
                await self._doubt(proxy, address)

    async def _doubt(self, proxy: "Proxy", address: str) -> None:
        """Ask a page that was silent once more; one that hangs is ended, and so started again."""
        if not await proxy.is_alive(address) and self.process.address == address:
            _log.error("page_hangs")
            self.process.end_it()


def _refuse(scope: Scope, error: PageUnavailable) -> Response:
    """A calm page that asks again for whoever opens the chat, an error object for scripts."""
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept")
    if scope["method"] != "POST" and b"text/html" in accepted:
        return HTMLResponse(_STARTING, status_code=503, headers=_HEADERS)
    wire = wire_error(error, scope["request_id"])
    scope["error_code"] = wire.code
    return wire.response()
