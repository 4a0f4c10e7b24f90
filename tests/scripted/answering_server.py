"""A scripted HTTP server on loopback that gives each path its one answer."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar


@dataclass(kw_only=True)
class Answer:
    """What is sent: after ``stall_s`` seconds the head, then ``body`` ``times`` over."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int = 1
    stall_s: float = 0.0


@dataclass(kw_only=True)
class AnsweringServer:
    """``asked`` holds the path and the key of every request."""

    answers: Mapping[str, Answer]
    url: str = ""
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def answering_server(answers: Mapping[str, Answer]) -> Iterator[AnsweringServer]:
    """The server while the block lasts; a path without an answer is a 404."""
    scripted = AnsweringServer(answers=answers)
    handler = type("Handler", (_Handler,), {"scripted": scripted})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    scripted.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield scripted
    finally:
        scripted.is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    scripted: ClassVar[AnsweringServer]

    def do_GET(self) -> None:
        self.scripted.asked.append((self.path, self.headers["Authorization"]))
        answer = self.scripted.answers.get(self.path, Answer(status=404))
        self.scripted.is_over.wait(answer.stall_s)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            for _ in range(answer.times):
                self.wfile.write(answer.body)
        except ConnectionError:
            """The client had read enough."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""
