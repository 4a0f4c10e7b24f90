"""A web session bound to one deadline, whose sockets are cut when it passes."""

import asyncio
import io
import zlib
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3.exceptions import HTTPError as TransportError
from urllib3.response import BaseHTTPResponse

from chatbot.ports import Clock
from chatbot.tools.lifeline import Lifeline, LifelineManager, Patience

READ_BYTES = 64 * 1024
_DEFAULT_PORTS = {"http": 80, "https": 443}


class ResponseTooLarge(requests.RequestException):
    """The body, compressed or not, is larger than the session reads."""


class ForeignRedirect(requests.RequestException):
    """The server sends us to another host; a tool talks only to those it named itself."""


class Network:
    """The connections of all tools: one shared adapter, and a session for each call."""

    def __init__(
        self,
        *,
        clock: Clock,
        user_agent: str,
        max_bytes: int = 2_000_000,
        connect_s: float = 3.0,
    ) -> None:
        """Open nothing yet. ``max_bytes`` bounds a body, before and after decompression."""
        self._clock = clock
        self._user_agent = user_agent
        self._max_bytes = max_bytes
        self._connect_s = connect_s
        self._shared = _SharedAdapter(pool_connections=16, pool_maxsize=32, max_retries=0)

    def session(self, *, deadline_s: float) -> "DeadlineSession":
        """A session that may be used for ``deadline_s`` seconds from now."""
        lifeline = Lifeline(clock=self._clock, deadline_s=deadline_s)
        adapter = _BoundAdapter(
            self._shared, lifeline, max_bytes=self._max_bytes, connect_s=self._connect_s
        )
        return DeadlineSession(adapter, lifeline, user_agent=self._user_agent)

    def close(self) -> None:
        """Close every idle connection."""
        self._shared.close()


class DeadlineSession(requests.Session):
    """A `requests.Session` with one deadline for everything; made by `Network`.

    Bodies are read whole, at once (``stream=True`` changes nothing), up to the size limit.
    Redirects stay on their host. Only http and https. Nothing is taken from the environment.
    `close` cuts what is still under way: a thread that waits in it gets ``requests.Timeout``.
    """

    def __init__(self, adapter: BaseAdapter, lifeline: Lifeline, *, user_agent: str) -> None:
        """Mount the one adapter for both schemes."""
        super().__init__()
        self._lifeline = lifeline
        self.trust_env = False
        self.adapters.clear()
        self.mount("https://", adapter)
        self.mount("http://", adapter)
        self.headers.update({"User-Agent": user_agent, "Accept-Encoding": "gzip"})

    def send(self, request: requests.PreparedRequest, **keywords: Any) -> requests.Response:  # noqa: ANN401 - requests' own signature
        """Send as requests does, after making sure that no event loop is being blocked.

        Raises:
            RuntimeError: called on the event loop itself.
            requests.RequestException: refused, lost, too late (`Timeout`), too large, off host.
        """
        if _is_on_loop():
            raise RuntimeError(
                "ctx.session blocks and would stop the whole chatbot here: "
                "declare the tool with 'def', or call it through anyio.to_thread.run_sync."
            )
        return super().send(request, **keywords)

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """The address to follow.

        Raises:
            ForeignRedirect: it is on another host, or leaves https.
        """
        target = super().get_redirect_target(resp)
        if target is not None and not _is_same_host(resp.url, urljoin(resp.url, target)):
            raise ForeignRedirect("The server redirects to another host.", response=resp)
        return target

    def close(self) -> None:
        """Cut every socket in use; the session cannot be used again."""
        self._lifeline.cut()


class _SharedAdapter(HTTPAdapter):
    """Keeps connections alive between calls; its pools tell each call which socket it has."""

    def init_poolmanager(
        self,
        connections: int,
        maxsize: int,
        block: bool = False,  # noqa: FBT002 - requests' own signature
        **pool_kwargs: Any,  # noqa: ANN401 - requests' own signature
    ) -> None:
        self.poolmanager = LifelineManager(
            num_pools=connections, maxsize=maxsize, block=block, **pool_kwargs
        )


class _BoundAdapter(BaseAdapter):
    """One call's way through the shared adapter: its deadline, and its limit of size."""

    def __init__(
        self, shared: HTTPAdapter, lifeline: Lifeline, *, max_bytes: int, connect_s: float
    ) -> None:
        super().__init__()
        self._shared = shared
        self._lifeline = lifeline
        self._max_bytes = max_bytes
        self._connect_s = connect_s

    def send(  # noqa: PLR0917 - requests' own signature
        self,
        request: requests.PreparedRequest,
        stream: bool = False,  # noqa: ARG002, FBT002 - requests' own signature; always read whole
        timeout: object = None,
        verify: bool | str = True,  # noqa: FBT002 - requests' own signature
        cert: Any = None,  # noqa: ANN401 - requests' own signature
        proxies: Any = None,  # noqa: ANN401 - requests' own signature
    ) -> requests.Response:
        left = _shortest(self._lifeline.remaining(), timeout)
        patience = Patience(self._lifeline, connect=min(left, self._connect_s), read=left)
        try:
            response = self._shared.send(
                request,
                stream=True,
                timeout=patience,  # type: ignore[arg-type]  # requests takes urllib3's Timeout
                verify=verify,
                cert=cert,
                proxies=proxies,
            )
            self._read_body(response, patience)
        except (requests.ConnectionError, TransportError, OSError) as error:
            raise self._translated(error, request) from error
        finally:
            patience.release()
        return response

    def close(self) -> None:
        """Nothing: the shared adapter belongs to the network."""

    def _read_body(self, response: requests.Response, patience: Patience) -> None:
        raw: BaseHTTPResponse = response.raw
        try:
            body = bytearray()
            while not raw.closed:
                patience.tighten()
                piece = raw.read1(READ_BYTES, decode_content=False)
                if not piece:
                    break
                body += piece
                self._check_size(len(body), response)
            self._lifeline.remaining()  # a body without a length ends when its socket is cut
        except BaseException:
            raw.close()
            raise
        encoding = response.headers.get("content-encoding", "")
        response.raw = io.BytesIO(self._decoded(bytes(body), encoding.strip().lower(), response))

    def _decoded(self, body: bytes, encoding: str, response: requests.Response) -> bytes:
        if not body or encoding in {"", "identity"}:
            return body
        if encoding not in {"gzip", "x-gzip", "deflate"}:
            raise requests.exceptions.ContentDecodingError("Unknown encoding.", response=response)
        reader = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            plain = reader.decompress(body, self._max_bytes + 1)
        except zlib.error as error:
            raise requests.exceptions.ContentDecodingError(
                "The body is not what its encoding says.", response=response
            ) from error
        self._check_size(len(plain), response)
        if not reader.eof:
            raise requests.exceptions.ContentDecodingError("The body is cut.", response=response)
        return plain

    def _check_size(self, size: int, response: requests.Response) -> None:
        if size > self._max_bytes:
            raise ResponseTooLarge(f"More than {self._max_bytes} bytes.", response=response)

    def _translated(
        self, error: Exception, request: requests.PreparedRequest
    ) -> requests.RequestException:
        if isinstance(error, requests.RequestException) and not (
            self._lifeline.is_over and isinstance(error, requests.ConnectionError)
        ):
            return error
        if self._lifeline.is_over:
            return requests.ReadTimeout("The deadline of the call has passed.", request=request)
        return requests.ConnectionError(type(error).__name__, request=request)


def _shortest(remaining: float, timeout: object) -> float:
    """The time left, or less where the tool asked for less (a number, or (connect, read))."""
    match timeout:
        case (_, float() | int() as seconds) | (float() | int() as seconds):
            return min(remaining, seconds)
        case _:
            return remaining


def _is_on_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _is_same_host(before: str, after: str) -> bool:
    """Same host and port; going from http to https on the usual ports is no change."""
    old, new = urlsplit(before), urlsplit(after)
    if old.hostname != new.hostname or (old.scheme, new.scheme) == ("https", "http"):
        return False
    ports = [part.port or _DEFAULT_PORTS.get(part.scheme, 0) for part in (old, new)]
    is_upgrade = (old.scheme, new.scheme) == ("http", "https")
    return ports == ([80, 443] if is_upgrade else [ports[0]] * 2) and new.scheme in _DEFAULT_PORTS
