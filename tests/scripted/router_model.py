"""A scripted model server on loopback that routes, rewrites, and asks to come back later."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Final

TAG: Final = "<|python_tag|>"
LODZ: Final = f'{TAG}{{"name": "get_weather", "parameters": {{"city": "Łodzi"}}}}'
Say = Callable[[str], str]


def say(seen: str) -> str:
    """Call for Łódź wherever it is named; rewrite what is to be rewritten; else chat."""
    if "Napisz tę wiadomość od nowa" in seen:
        return "„Jaka jutro pogoda w Łodzi?”"
    return LODZ if "Łodzi" in seen else "Chętnie porozmawiam."


@dataclass(kw_only=True)
class RouterModel:
    """What the server does: ``refusals`` are told before the next answers, as status and wait."""

    say: Say = say
    refusals: list[tuple[int, str]] = field(default_factory=list)
    asked: list[Sequence[str]] = field(default_factory=list)
    bodies: list[Mapping[str, object]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    url: str = ""


@contextmanager
def router_model(**script: object) -> Iterator[RouterModel]:
    """The server while the block lasts; ``bodies`` and ``asked`` hold what it answered."""
    model = RouterModel(**script)  # type: ignore[arg-type] # a test's own choice of fields
    handler = type("Handler", (_Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    model: ClassVar[RouterModel]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.model.refusals:
            status, wait = self.model.refusals.pop(0)
            self._reply(status, b"{}", "application/json", wait)
            return
        texts = [message["content"] for message in body["messages"]]
        self.model.asked.append(texts)
        self.model.bodies.append(body)
        self.model.keys.append(self.headers["Authorization"])
        events = (*self._chunks(self.model.say("\n".join(texts))), "[DONE]")
        stream = "".join(f"data: {event}\n\n" for event in events)
        self._reply(200, stream.encode(), "text/event-stream", None)

    def _chunks(self, text: str) -> Iterator[str]:
        middle = len(TAG) if text.startswith(TAG) else 3
        for piece in (text[:middle], text[middle:]):
            yield json.dumps({"choices": [{"index": 0, "delta": {"content": piece}}]})
        yield json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        yield json.dumps({"choices": [], "usage": usage})

    def _reply(self, status: int, body: bytes, media_type: str, wait: str | None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        if wait is not None:
            self.send_header("Retry-After", wait)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
