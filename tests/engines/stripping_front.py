"""A front on loopback that takes the tools out of requests, as some gateways do, and passes on."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import requests
from engines.vllm_server import Vllm

_ANSWER_S = 60.0


@contextmanager
def stripping_front(vllm: Vllm) -> Iterator[Vllm]:
    """``vllm`` behind a front that strips ``tools`` and ``tool_choice``, while the block lasts."""
    handler = type("Handler", (_Handler,), {"behind": vllm.url})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Vllm(url=f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    behind: ClassVar[str]

    def do_GET(self) -> None:
        self._pass_on(requests.get(self.behind + self.path, timeout=_ANSWER_S, stream=True))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        for field in ("tools", "tool_choice"):
            body.pop(field, None)
        url = self.behind + self.path
        self._pass_on(requests.post(url, json=body, timeout=_ANSWER_S, stream=True))

    def _pass_on(self, reply: requests.Response) -> None:
        with reply:
            self.send_response(reply.status_code)
            self.send_header("Content-Type", reply.headers["Content-Type"])
            self.end_headers()
            for piece in reply.iter_content(chunk_size=None):
                self.wfile.write(piece)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
