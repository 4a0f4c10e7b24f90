"""What is told of one engine's server: to a person, to the logs, to whoever reads its state."""

import logging
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import anyio

from chatbot.ports import Clock
from serving.engines.states import EngineState, ServerState, write_state
from serving.engines.supervision.plan import ServerPlan

EVENTS = __name__
"""The logger that takes, for machines, what `Tell` shows to a person."""
_log = logging.getLogger(EVENTS)

Tell: TypeAlias = Callable[[str], None]
"""Shows a person one line; control characters of a server may be in it."""


class Report:
    """Every event of one engine, told in its three ways; a state that cannot be written is told."""

    def __init__(
        self, plan: ServerPlan, *, folder: Path, log: Path, clock: Clock, tell: Tell
    ) -> None:
        """``folder`` takes the state; ``was_ready`` is set when it is ready for the first time."""
        self._folder = folder
        self._clock = clock
        self._tell = tell
        self._starts = 0
        self.was_ready = anyio.Event()
        self._state = EngineState(
            name=plan.name,
            kind=plan.engine.kind,
            model=plan.engine.model,
            url=plan.url,
            state="starting",
            pid=None,
            supervisor=os.getpid(),
            since=clock.now(),
            log=log,
        )

    def started(self, pid: int) -> None:
        """The server runs, and loads its model."""
        self._state = replace(self._state, restarts=self._starts)
        self._starts += 1
        self._enter("starting", pid=pid)
        self._say(f"starting (pid {pid}), log {self._state.log}")
        _log.info("engine_starting", extra=self._fields(pid=pid, restarts=self._state.restarts))

    def refused(self, why: str) -> None:
        """It answers, but makes no token yet."""
        self._say(f"not ready yet: {why}")
        _log.info("engine_not_ready_yet", extra=self._fields(error=why))

    def ready(self, seconds: float) -> None:
        """It made a token."""
        self.was_ready.set()
        self._enter("ready", pid=self._state.pid)
        self._say(f"ready after {seconds:.1f} s at {self._state.url}")
        _log.info("engine_ready", extra=self._fields(seconds=round(seconds, 2)))

    def unfit(self, why: str) -> None:
        """It runs, but is of no use; it will be ended."""
        self._say(f"{why}; ending it")
        _log.error("engine_unfit", extra=self._fields(error=why))

    def ended(self, code: int, lines: Sequence[str]) -> None:
        """Every process of it is gone; ``lines`` are its last words."""
        how = describe_exit(code)
        self._state = replace(self._state, last_exit=how)
        self._say(f"ended with {how}; {'the last lines of its log:' if lines else 'it was silent'}")
        for line in lines:
            self._say(f"| {line}")
        _log.warning("engine_ended", extra=self._fields(exit=how))

    def not_started(self, why: str) -> None:
        """No process could be started."""
        self._state = replace(self._state, last_exit=why)
        self._say(f"not started: {why}")
        _log.error("engine_not_started", extra=self._fields(error=why))

    def rests(self, seconds: float) -> None:
        """It will be started again."""
        self._enter("resting")
        self._say(f"starts again in {seconds:g} s")
        _log.warning("engine_rests", extra=self._fields(seconds=seconds))

    def failed(self, why: str) -> None:
        """It is given up before it was started."""
        self._state = replace(self._state, last_exit=why)
        self._enter("failed")
        _log.error("engine_failed", extra=self._fields(error=why))

    def stopping(self) -> None:
        """It was asked to end, because we shall end."""
        self._say("stopping")

    def stopped(self) -> None:
        """It was ended on purpose."""
        self._enter("stopped")
        self._say("stopped")
        _log.info("engine_stopped", extra=self._fields())

    def _enter(self, state: ServerState, *, pid: int | None = None) -> None:
        self._state = replace(self._state, state=state, pid=pid, since=self._clock.now())
        try:
            write_state(self._folder, self._state)
        except OSError as error:
            self._say(f"its state could not be written: {error.strerror}")
            _log.error("engine_state_not_written", extra=self._fields(error=error.strerror))

    def _say(self, what: str) -> None:
        self._tell(f"{self._state.name}: {what}")

    def _fields(self, **fields: object) -> dict[str, object]:
        return {"engine": self._state.name, **fields}


def describe_exit(code: int) -> str:
    """A process's end in words: its exit code, or the name of the signal."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
