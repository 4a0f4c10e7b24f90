"""Supervises the server of one engine: starts it, watches it, starts it again."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import anyio
from anyio import CancelScope

from chatbot.ports import Clock
from serving.engines.supervision.listening import AddressUnusable, check_address
from serving.engines.supervision.log_files import LogFiles
from serving.engines.supervision.output import ServerOutput
from serving.engines.supervision.plan import ServerPlan
from serving.engines.supervision.report import Report, Tell
from serving.engines.supervision.watch import Watch
from serving.processes import GuardedProcess, Pauses, end_process, run_guarded

_FAREWELL_S: Final = 1.0
"""For the last words of a server that is gone; they are in the pipe already."""


class Supervisor:
    """The lives of one server, one after the other."""

    def __init__(self, plan: ServerPlan, *, folder: Path, clock: Clock, tell: Tell) -> None:
        """``folder`` takes state and log; nothing starts before `run`."""
        self._plan = plan
        self._clock = clock
        self._log = LogFiles(folder / f"{plan.name}.log", max_bytes=plan.launch.log_bytes)
        self._report = Report(plan, folder=folder, log=self._log.path, clock=clock, tell=tell)
        self._server: GuardedProcess | None = None

    async def wait_ready(self) -> None:
        """Wait until the server has been ready once."""
        await self._report.was_ready.wait()

    def check(self) -> None:
        """Check that the server could listen on its address.

        Raises:
            AddressUnusable: it could not; its state says so, too.
        """
        try:
            check_address(self._plan.name, self._plan.address)
        except AddressUnusable as error:
            self._report.failed(error.message)
            raise

    async def run(self) -> None:
        """Keep the server running until cancelled, which ends it."""
        pauses = Pauses(first_s=self._plan.launch.rest_s)
        try:
            while True:
                pause_s = pauses.after(await self._live())
                self._report.rests(pause_s)
                await anyio.sleep(pause_s)
        finally:
            self._log.close()
            self._report.stopped()

    def kill(self) -> None:
        """End the server at once; what `run` does about it stays the same."""
        if self._server is not None:
            self._server.kill()

    async def _live(self) -> float:
        """One life of the server, from its start to its end; how long it was ready, in seconds."""
        async with AsyncExitStack() as stack:
            try:
                check_address(self._plan.name, self._plan.address)
                running = run_guarded(self._plan.program, environment=self._plan.environment)
                self._server = await stack.enter_async_context(running)
            except AddressUnusable as error:
                self._report.not_started(error.message)
                return 0.0
            except OSError as error:
                self._report.not_started(error.strerror or str(error))
                return 0.0
            return await self._attend(self._server)

    async def _attend(self, server: GuardedProcess) -> float:
        """Read what it says and watch it until it ends, or is ended because it is of no use."""
        self._report.started(server.pid)
        output = ServerOutput(self._plan.name, self._log, secrets=self._plan.secrets)
        watch = Watch(self._plan, clock=self._clock, report=self._report)
        reading = CancelScope(shield=True)  # its last words count, whoever ends it
        async with anyio.create_task_group() as group:
            group.start_soon(_read, output, server, reading)
            try:
                await watch.run(server)
            except anyio.get_cancelled_exc_class():
                self._report.stopping()
                raise
            finally:
                await end_process(server, within_s=self._plan.launch.stop_s)
                reading.deadline = anyio.current_time() + _FAREWELL_S
        self._report.ended(await server.wait(), output.last_lines())
        return watch.ready_s


async def _read(output: ServerOutput, server: GuardedProcess, reading: CancelScope) -> None:
    with reading:
        await output.pump(server.output)
