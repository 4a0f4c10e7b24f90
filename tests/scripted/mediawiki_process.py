"""The scripted MediaWiki in a process of its own, so that its work delays nobody's event loop."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripted.mediawiki import ScriptedMediaWiki

TESTS = Path(__file__).parents[1]


@contextmanager
def serve_apart() -> Iterator[str]:
    """Serve until the block is left; gives the address."""
    process = subprocess.Popen(
        (sys.executable, "-m", "scripted.mediawiki_process"),
        cwd=TESTS,
        env={"PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


def main() -> None:
    """Tell the address, and serve until nobody holds the other end of standard input."""
    with ScriptedMediaWiki() as wiki:
        print(wiki.url, flush=True)  # noqa: T201 - the parent reads it
        sys.stdin.read()


if __name__ == "__main__":
    main()
