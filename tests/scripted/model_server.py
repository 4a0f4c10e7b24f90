"""Plays a model server as a program: `python model_server.py … --port P …`, as launchers call it.

The environment variable ``PLAY`` names its faults, separated by spaces: ``tokenless`` (healthy,
lists its model, but makes no token while the file ``AWAKE`` is missing), ``broken`` (says why and
ends with code 7), ``fragile`` (ends so while the file ``MENDED`` is missing), ``deaf`` (ignores
SIGTERM), ``parent`` (has a child, in the file ``CHILD``), ``chatty`` (writes its key, bytes that
are no text, and many lines), ``tidy`` (writes a line when it is asked to end).
"""

import json
import os
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import FrameType

PLAY = os.environ.get("PLAY", "").split()
KEY = os.environ.get("REFERENCE_API_KEY", "")
CHILD = "import time; time.sleep(600)"
LINES = 3000


class ModelServer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/health":
            self._reply(b"{}")
        elif self.headers["Authorization"] != f"Bearer {KEY or 'none'}":
            self.send_error(401)
        else:
            self._reply(b'{"data": [{"id": "model"}]}')

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if KEY and self.headers["Authorization"] != f"Bearer {KEY}":
            self.send_error(401)
        elif "tokenless" in PLAY and not Path(os.environ["AWAKE"]).exists():
            self.send_error(500, "no tokens today")
        else:
            chunk = {"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": "stop"}]}
            stream = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n"
            self._reply(stream.encode(), media="text/event-stream")

    def _reply(self, body: bytes, media: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def leave(_number: int, _frame: FrameType | None) -> None:
    print("asked to end", flush=True)  # noqa: T201 (its log)
    sys.exit(0)


def play() -> None:
    if "broken" in PLAY or ("fragile" in PLAY and not Path(os.environ["MENDED"]).exists()):
        print("no such weights", file=sys.stderr, flush=True)  # noqa: T201 (its log)
        os._exit(7)
    if "deaf" in PLAY:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "tidy" in PLAY:
        signal.signal(signal.SIGTERM, leave)
    if "parent" in PLAY:
        child = subprocess.Popen((sys.executable, "-S", "-c", CHILD))
        Path(os.environ["CHILD"]).write_text(str(child.pid))
    if "chatty" in PLAY:
        os.write(1, b"my key is " + KEY[:4].encode())
        os.write(2, KEY[4:].encode() + b"\n\xff\xfe\n")
        for number in range(LINES):
            print(f"{number:06} {'x' * 57}", flush=True)  # noqa: T201 (its log: 65 bytes a line)


def main() -> None:
    play()
    port = int(sys.argv[sys.argv.index("--port") + 1])
    ThreadingHTTPServer(("127.0.0.1", port), ModelServer).serve_forever()


if __name__ == "__main__":
    main()
