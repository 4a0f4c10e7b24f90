"""Starts `zwrotnica serve` as people do, in front of a running vLLM."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import requests
from engines.lessons import TAG
from engines.model_server import ModelServer
from scripted.ports import free_port

START_S: Final = 90.0
ZWROTNICA: Final = str(Path(sys.executable).with_name("zwrotnica"))
CONFIG: Final = """
data_dir = "{folder}/data"

[page]
enabled = false

[engines.llama]
kind = "vllm"
url = "{url}"
model = "{model}"
api_key = "{key}"
dialect = "{dialect}"
context_tokens = 4096
default_max_tokens = 512

[router]
engine = "llama"
verdict_s = 30.0
call_s = 60.0
tag_id = {tag_id}
"""


def write_config(vllm: ModelServer, folder: Path, *, dialect: str = "llama3.1") -> Path:
    """Settings in ``folder`` whose only engine, for everything, is ``vllm``."""
    [tag_id] = vllm.tokens(TAG)
    config = folder / "zwrotnica.toml"
    config.write_text(
        CONFIG.format(
            folder=folder,
            url=vllm.api,
            model=vllm.engine.model,
            key=vllm.key,
            tag_id=tag_id,
            dialect=dialect,
        ),
        encoding="utf-8",
    )
    return config


@contextmanager
def serve(vllm: ModelServer, folder: Path) -> Iterator[str]:
    """The base address of a gateway in front of ``vllm``."""
    port = free_port()
    config = write_config(vllm, folder)
    command = [ZWROTNICA, "--config", str(config), "serve", "--port", str(port)]
    with (folder / "gateway.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        yield _wait(f"http://127.0.0.1:{port}", process, folder / "gateway.log")
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait(url: str, process: "subprocess.Popen[bytes]", log: Path) -> str:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if requests.get(f"{url}/readyz", timeout=2).ok:
                return url
        except requests.RequestException:
            time.sleep(0.1)
    raise RuntimeError(f"the gateway did not start:\n{log.read_text('utf-8')[-4000:]}")
