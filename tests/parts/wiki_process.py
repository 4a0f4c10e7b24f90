"""The real MediaWiki that `tests/parts/install.sh` builds, served by PHP's own web server."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import requests

HERE = Path(__file__).parent / "mediawiki"
BUILT = Path(__file__).parents[2] / ".cache" / "parts" / "mediawiki"
WORKERS = 4
READY_S = 30.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Wiki:
    """A running wiki."""

    address: str

    @property
    def url(self) -> str:
        """The folder of ``api.php``, as in the tool's setting."""
        return f"{self.address}/w/"

    def with_fault(self, fault: str) -> str:
        """The same wiki with a fault of `mediawiki/router.php`."""
        return f"{self.address}/fault/{fault}/w/"

    def revision(self, title: str) -> int:
        """The newest revision of a page, as the wiki itself says."""
        asked = {"action": "query", "titles": title, "prop": "info", "format": "json"}
        reply = requests.get(f"{self.url}api.php", {**asked, "formatversion": "2"}, timeout=10)
        return int(reply.json()["query"]["pages"][0]["lastrevid"])


def read_page(link: str) -> str:
    """The page behind a link."""
    reply = requests.get(link, timeout=10)
    reply.raise_for_status()
    return reply.text


def is_built() -> bool:
    """Whether the wiki is there."""
    return (BUILT / "state").is_file()


@contextmanager
def serve_wiki(folder: Path) -> Iterator[Wiki]:
    """Serve on a free port until the block is left; what PHP says goes to ``folder``."""
    port = _free_port()
    wiki = Wiki(address=f"http://127.0.0.1:{port}")
    variables = {
        "PATH": os.environ["PATH"],
        "MEDIAWIKI_DATA": str(BUILT),
        "MEDIAWIKI_SERVER": wiki.address,
        "MW_CONFIG_FILE": str(HERE / "settings.php"),
        "PHP_CLI_SERVER_WORKERS": str(WORKERS),
    }
    with (folder / "php.log").open("wb") as log:
        process = subprocess.Popen(
            ("php", "-S", f"127.0.0.1:{port}", "router.php"),
            cwd=HERE,
            env=variables,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            _wait_until_ready(wiki, process)
            yield wiki
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)  # its workers, too
            process.wait()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _wait_until_ready(wiki: Wiki, process: "subprocess.Popen[bytes]") -> None:
    ends = time.monotonic() + READY_S
    while time.monotonic() < ends and process.poll() is None:
        with suppress(requests.RequestException):
            if requests.get(f"{wiki.url}api.php", timeout=READY_S).ok:
                return
        time.sleep(0.05)
    raise RuntimeError("MediaWiki did not begin to answer.")
