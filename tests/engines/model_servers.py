"""Starts every real server of the tests by one `zwrotnica engines up`, as an operator would."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import Final

from engines.environment import PYTHON, ROOT, require_installed
from engines.model_server import ModelServer
from engines.slow_twin import TINY, slow_twin
from scripted.engines_up import EnginesUp, engines_up, list_group
from scripted.patience import PATIENCE_S
from scripted.ports import free_ports

from serving.engines.states import EngineState, read_states
from serving.settings import load_settings

NAMES: Final = ("router", "plain", "slow", "reference")
KEY: Final = "sk-of-every-server"
START_S: Final = 300.0
_FILE: Final = Path(__file__).with_name("zwrotnica.toml")
_LOG_CHARS: Final = 4000


def write_file(folder: Path) -> Path:
    """The settings of all the servers, whose states and logs will stand in ``folder``."""
    places = {"folder": folder, "root": ROOT, "python": PYTHON, "tiny": TINY}
    ports = dict(zip(NAMES, free_ports(len(NAMES)), strict=True))
    config = folder / "zwrotnica.toml"
    text = Template(_FILE.read_text(encoding="utf-8"))
    config.write_text(
        text.substitute(places, **ports, key=KEY, slow_twin=slow_twin()), encoding="utf-8"
    )
    return config


class ModelServers:
    """The running command and its servers."""

    def __init__(self, up: EnginesUp, config: Path) -> None:
        self.up = up
        self._engines = load_settings(config, environ={}).engines

    def wait(self, name: str) -> ModelServer:
        """The server of the engine ``name``, when it is ready.

        Raises:
            RuntimeError: it ended, or did not get ready in `START_S`; with the end of its log.
        """
        deadline = time.monotonic() + START_S
        while (state := self.state(name)).state != "ready":
            is_lost = state.state != "starting" or self.up.process.poll() is not None
            if is_lost or time.monotonic() > deadline:
                log = state.log.read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"{name} is {state.state}:\n{log[-_LOG_CHARS:]}")
            time.sleep(0.2)
        return ModelServer(engine=self._engines[name])

    def state(self, name: str) -> EngineState:
        """What the command says of the server of the engine ``name``."""
        return {state.name: state for state in read_states(self.up.folder)}[name]


@contextmanager
def start_servers(folder: Path) -> Iterator[ModelServers]:
    """Start them side by side, since each takes most of a minute; SIGTERM ends them all."""
    require_installed()
    config = write_file(folder)
    with engines_up(config, folder) as up:
        for _ in NAMES:
            up.wait_told(": starting (pid ", PATIENCE_S)
        yield ModelServers(up, config)
        _end(up)


def _end(up: EnginesUp) -> None:
    """End them by SIGTERM: nothing of them is left but their logs, without the key."""
    groups = [state.pid or 0 for state in read_states(up.folder)]
    assert up.stop(2 * PATIENCE_S) == 0
    for _ in NAMES:
        up.wait_told(": stopped", PATIENCE_S)
    states = read_states(up.folder)
    assert [(state.name, state.state) for state in states] == [
        (name, "stopped") for name in sorted(NAMES)
    ]
    assert [pid for group in groups for pid in list_group(group)] == []
    assert KEY not in "".join([*up.lines, *(state.log.read_text() for state in states)])
