"""Supervises several servers at once, until a signal says that it is enough."""

import signal
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path

import anyio
from anyio import CancelScope

from chatbot.ports import Clock
from serving.engines.supervision.plan import ServerPlan
from serving.engines.supervision.report import Tell
from serving.engines.supervision.supervisor import Supervisor


async def supervise(
    plans: Iterable[ServerPlan], *, folder: Path, clock: Clock, tell: Tell, notify: Tell
) -> None:
    """Keep the servers running until SIGINT or SIGTERM; a second signal kills what still runs.

    ``folder``, where the engines are claimed already, takes states and logs. ``notify`` tells a
    service manager when all of them have been ready, and when they are to end.

    Raises:
        AddressUnusable: a server could not listen on its address; none was started.
    """
    supervisors = [Supervisor(plan, folder=folder, clock=clock, tell=tell) for plan in plans]
    for supervisor in supervisors:
        supervisor.check()
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with anyio.create_task_group() as listening:
            async with anyio.create_task_group() as running:
                listening.start_soon(_obey, signals, running.cancel_scope, supervisors, notify)
                running.start_soon(_announce, supervisors, notify)
                for supervisor in supervisors:
                    running.start_soon(supervisor.run)
            listening.cancel_scope.cancel()


async def _announce(supervisors: Sequence[Supervisor], notify: Tell) -> None:
    for supervisor in supervisors:
        await supervisor.wait_ready()
    notify("READY=1")


async def _obey(
    signals: AsyncIterator[signal.Signals],
    running: CancelScope,
    supervisors: Sequence[Supervisor],
    notify: Tell,
) -> None:
    await anext(signals)
    notify("STOPPING=1")
    running.cancel()
    async for _ in signals:
        for supervisor in supervisors:
            supervisor.kill()
