"""Headless Chromium behind a proxy that serves our pages and logs whatever else is asked for."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

HOST = "pages.test"
LOAD_MS = 8_000
LIMIT_S = 120.0
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-extensions"),
    *("--disable-default-apps", "--disable-domain-reliability", "--no-pings", "--mute-audio"),
    *("--autoplay-policy=no-user-gesture-required", "--disable-dev-shm-usage"),
)
OWN_HOSTS = (".google.com", ".googleapis.com", ".gvt1.com", ".gstatic.com")
"""What the browser asks on its own, whatever page it shows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Visit:
    """What a browser asked for while it showed pages; ``fetched`` are addresses not of our own."""

    shown: tuple[str, ...]
    fetched: tuple[str, ...]


class LoggingProxy:
    """A proxy on a free port of 127.0.0.1: ``pages`` of `HOST` are served, all else is a 404."""

    def __init__(self, pages: Mapping[str, bytes]) -> None:
        self.pages = pages
        self.asked: list[str] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            """One connection of the browser."""

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - stdlib's own signature
                """Say nothing."""

            def do_GET(self) -> None:
                proxy.asked.append(self.path)
                body = proxy.pages.get(self.path.removeprefix(f"http://{HOST}/"))
                self.send_response(404 if body is None else 200)
                kind = "text/javascript" if self.path.endswith(".js") else "text/html"
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.end_headers()
                self.wfile.write(body or b"")

            def do_HEAD(self) -> None:
                self.do_GET()

            def do_POST(self) -> None:
                self.do_GET()

            def do_OPTIONS(self) -> None:
                self.do_GET()

            def do_CONNECT(self) -> None:
                proxy.asked.append(f"https://{self.path}")
                self.send_error(502)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@contextmanager
def open_proxy(pages: Mapping[str, bytes]) -> Iterator[LoggingProxy]:
    """A proxy that runs until the block is left."""
    proxy = LoggingProxy(pages)
    thread = Thread(target=proxy.server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield proxy
    finally:
        proxy.server.shutdown()
        proxy.server.server_close()
        thread.join()


def find_chromium() -> str | None:
    """The browser's command, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def show(
    chromium: str, folder: Path, pages: Mapping[str, str], files: Mapping[str, bytes]
) -> Visit:
    """Open every page, each in a frame of one document, with an empty profile in ``folder``."""
    frames = "".join(f"<iframe src='/{escape(name)}'></iframe>" for name in pages)
    served = {name: text.encode("utf-8", "replace") for name, text in pages.items()}
    with open_proxy({**served, **files, "": f"<!doctype html>{frames}".encode()}) as proxy:
        subprocess.run(
            (
                chromium,
                *FLAGS,
                f"--user-data-dir={folder}",
                f"--proxy-server={proxy.url}",
                "--proxy-bypass-list=<-loopback>",
                f"--virtual-time-budget={LOAD_MS}",
                "--dump-dom",
                f"http://{HOST}/",
            ),
            check=True,
            capture_output=True,
            timeout=LIMIT_S,
        )
        asked = tuple(proxy.asked)
    ours = {f"http://{HOST}/{name}" for name in (*served, *files, "", "favicon.ico")}
    fetched = tuple(one for one in asked if one not in ours and not is_its_own(one))
    return Visit(
        shown=tuple(name for name in pages if f"http://{HOST}/{name}" in asked), fetched=fetched
    )


def is_its_own(address: str) -> bool:
    return (urlsplit(address).hostname or "").endswith(OWN_HOSTS)
