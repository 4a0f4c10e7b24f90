"""A front on loopback that takes the tools out of requests, as some gateways do, and passes on."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import requests
from engines.model_server import ModelServer

_ANSWER_S = 60.0


@contextmanager
def stripping_front(vllm: ModelServer) -> Iterator[ModelServer]:
    """``vllm`` behind a front that strips ``tools`` and ``tool_choice``, while the block lasts."""
    handler = type("Handler", (_Handler,), {"behind": vllm})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield vllm.but(url=f"http://127.0.0.1:{server.server_port}/v1")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    behind: ClassVar[ModelServer]

    def do_GET(self) -> None:
        self._pass_on("GET", None)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        for field in ("tools", "tool_choice"):
            body.pop(field, None)
        self._pass_on("POST", body)

    def _pass_on(self, method: str, body: object) -> None:
        with requests.request(
            method,
            self.behind.url + self.path,
            json=body,
            headers={"Authorization": self.headers["Authorization"]},
            timeout=_ANSWER_S,
            stream=True,
        ) as reply:
            self.send_response(reply.status_code)
            self.send_header("Content-Type", reply.headers["Content-Type"])
            self.end_headers()
            for piece in reply.iter_content(chunk_size=None):
                self.wfile.write(piece)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
