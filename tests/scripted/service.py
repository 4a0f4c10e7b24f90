"""A scripted web service on loopback, with the faults that real ones have."""

import gzip
import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Self
from urllib.parse import parse_qsl, urlsplit

STEP_S = 0.02
HUGE = 5_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One request that came in."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """One reply to send."""

    body: bytes
    status: int = 200
    media_type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


def json_reply(value: object, status: int = 200) -> Reply:
    return Reply(body=json.dumps(value, ensure_ascii=False).encode(), status=status)


class ScriptedService:
    """Answers on a free port of 127.0.0.1 while its context is open; see `fault` for mischief.

    `fault` is one of: ``silent`` (accepts, says nothing), ``drip`` (headers, then a byte now and
    then, for ever), ``drip_headers``, ``huge`` (5 MB), ``gzip_bomb`` (5 MB from a few kB),
    ``elsewhere`` (redirect to another host), ``loop`` (redirect to itself), ``html`` (a page with
    status 200), ``html_503``, ``truncated`` (half the body, then the end), ``cut`` (half the
    promised body), ``nan`` (every number of the body is NaN), ``close`` (no reply), or a
    status such as ``503``.
    `open_requests` counts requests whose client is still there.
    """

    def __init__(self, *, tls: ssl.SSLContext | None = None) -> None:
        self.scheme = "http" if tls is None else "https"
        self.requests: list[Asked] = []
        self.fault: str | None = None
        self.open_requests = 0
        self.connections = 0
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"service": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": STEP_S}
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self._server.server_port}"

    def fault_of(self, asked: Asked) -> str | None:
        """The fault that this request meets; scripts may override this."""
        return self.fault

    def answer(self, asked: Asked) -> Reply:
        """What the service says when nothing is wrong; scripts override this."""
        return json_reply({"path": asked.path})

    def error_body(self, status: int) -> object:
        """The body of an error status; scripts override this."""
        return {"error": status}

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self.open_requests += 1
        try:
            yield
        finally:
            with self._lock:
                self.open_requests -= 1


class _Handler(BaseHTTPRequestHandler):
    """Takes one connection; `service` is set by the subclass that each service makes."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    service: ClassVar[ScriptedService]

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - stdlib's own signature
        """Say nothing."""

    def handle(self) -> None:
        self.service.connections += 1
        with suppress(OSError):
            super().handle()

    def do_GET(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self._reply()

    def _reply(self) -> None:
        parts = urlsplit(self.path)
        asked = Asked(
            method=self.command,
            path=parts.path,
            query=dict(parse_qsl(parts.query, keep_blank_values=True)),
            headers=dict(self.headers.items()),
            body=self.rfile.read(int(self.headers.get("Content-Length") or 0)),
        )
        self.service.requests.append(asked)
        with self.service.counted():
            fault = self.service.fault_of(asked)
            if fault is None:
                self._send(self.service.answer(asked))
            elif fault.isdigit():
                self._send(json_reply(self.service.error_body(int(fault)), int(fault)))
            else:
                getattr(self, f"_{fault}")(asked)

    def _send(self, reply: Reply, *, promised: int = 0) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.media_type)
        self.send_header("Content-Length", str(len(reply.body) + promised))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)
        self.close_connection = self.close_connection or bool(promised)

    def _silent(self, asked: Asked) -> None:
        self.close_connection = True
        self.connection.settimeout(STEP_S)
        while not self.service.stopping.is_set():
            with suppress(TimeoutError):
                if not self.connection.recv(1):
                    break

    def _close(self, asked: Asked) -> None:
        self.close_connection = True

    def _drip(self, asked: Asked) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        self._write_slowly(b" ")

    def _drip_headers(self, asked: Asked) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        self._write_slowly(b"x")

    def _write_slowly(self, byte: bytes) -> None:
        self.close_connection = True
        while not self.service.stopping.wait(STEP_S):
            self.wfile.write(byte)
            self.wfile.flush()

    def _elsewhere(self, asked: Asked) -> None:
        self._send(Reply(body=b"", status=302, headers={"Location": "http://localhost:1/"}))

    def _loop(self, asked: Asked) -> None:
        self._send(Reply(body=b"", status=302, headers={"Location": self.path}))

    def _huge(self, asked: Asked) -> None:
        self._send(Reply(body=b'"' + b"x" * HUGE + b'"'))

    def _gzip_bomb(self, asked: Asked) -> None:
        bomb = gzip.compress(b" " * HUGE + b"{}")
        self._send(Reply(body=bomb, headers={"Content-Encoding": "gzip"}))

    def _html(self, asked: Asked, status: int = 200) -> None:
        page = b"<!DOCTYPE html><title>Przerwa techniczna</title>"
        self._send(Reply(body=page, status=status, media_type="text/html"))

    def _html_503(self, asked: Asked) -> None:
        self._html(asked, 503)

    def _truncated(self, asked: Asked) -> None:
        body = self.service.answer(asked).body
        self._send(Reply(body=body[: len(body) // 2]))

    def _cut(self, asked: Asked) -> None:
        self._send(self.service.answer(asked), promised=1000)

    def _nan(self, asked: Asked) -> None:
        self._send(json_reply(_without_numbers(json.loads(self.service.answer(asked).body))))


def _without_numbers(value: object) -> object:
    match value:
        case dict():
            return {key: _without_numbers(item) for key, item in value.items()}
        case list():
            return [_without_numbers(item) for item in value]
        case float():
            return float("nan")
        case _:
            return value
