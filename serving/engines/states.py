"""What supervisors tell of the servers they run: one small file for each engine."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from serving.engines.claims import is_claimed

ServerState: TypeAlias = Literal["starting", "ready", "resting", "stopped", "failed", "lost"]
"""``resting``: ended, and waiting to be started again; ``stopped``: ended on purpose; ``failed``:
given up; ``lost``: whoever supervised it died without a word."""

_RUNNING: Final = frozenset({"starting", "ready", "resting"})
_SUFFIX: Final = ".json"
_FILE_BYTES: Final = 65_536


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineState:
    """The server of one engine as its supervisor last saw it; no field holds a secret.

    ``pid`` is the server's process while there is one, ``supervisor`` the process that runs it.
    ``since`` is when it came into this ``state``. ``restarts`` counts starts after the first one,
    ``last_exit`` says how the last life ended, ``log`` is where the server's own words are.
    """

    name: str
    kind: str
    model: str | None
    url: str
    state: ServerState
    pid: int | None
    supervisor: int
    since: AwareDatetime
    restarts: int = 0
    last_exit: str | None = None
    log: Path


_STATE: Final = TypeAdapter(EngineState)


def engines_folder(data_dir: Path) -> Path:
    """Where states, claims and logs of engines stand."""
    return data_dir / "engines"


def write_state(folder: Path, state: EngineState) -> None:
    """Put ``state`` in the place of the engine's earlier one, whole or not at all (mode 0600).

    Raises:
        OSError: the folder cannot be written.
    """
    draft = folder / f".{state.name}.{os.getpid()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(_STATE.dump_json(state, indent=2))
    draft.replace(folder / f"{state.name}{_SUFFIX}")


def read_states(data_dir: Path) -> tuple[EngineState, ...]:
    """Every state below ``data_dir``, by name; a file that holds none is passed over.

    The claim of a supervisor tells whether it lives: a process id may be another's by now, or that
    of another container.
    """
    folder = engines_folder(data_dir)
    return tuple(
        state
        if state.state not in _RUNNING or is_claimed(folder, state.name)
        else replace(state, state="lost")
        for state in _read(folder)
    )


def _read(folder: Path) -> Iterator[EngineState]:
    for path in sorted(folder.glob(f"[!.]*{_SUFFIX}")):
        try:
            with path.open("rb") as file:
                state = _STATE.validate_json(file.read(_FILE_BYTES))
        except (OSError, ValidationError):
            continue
        if path.name == f"{state.name}{_SUFFIX}":
            yield state
