"""`zwrotnica engines up`: runs the servers of engines until it is told to stop."""

from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import anyio
import click

from serving.cli.terminal import printable
from serving.clock import SystemClock
from serving.engines.budget import check_budget
from serving.engines.claims import claim_engine
from serving.engines.states import engines_folder
from serving.engines.supervision import EVENTS, plan_servers, supervise
from serving.processes import notify_service
from serving.settings import SettingsError, load_settings, read_variable
from serving.storage import open_data_dir
from serving.telemetry import configure_logging


@click.command("up")
@click.argument("names", nargs=-1)
@click.option("--anyway", "is_unchecked", is_flag=True, help="Even where they do not fit.")
@click.pass_obj
def run_engines(config: Path | None, names: tuple[str, ...], *, is_unchecked: bool) -> None:
    """Start the servers of the engines NAMES (all with a launch table) and keep them running.

    SIGTERM or Ctrl+C ends them; Ctrl+C once more kills what is left. Refused where the memory
    budget says that they cannot fit.
    """
    settings = load_settings(config)
    plans = plan_servers(names, settings)
    if not is_unchecked:
        for plan in plans:
            check_budget(settings, plan.name)
    folder = engines_folder(open_data_dir(settings.data_dir))
    is_watched = settings.log.format == "console"  # `_tell` says the events in plain words
    configure_logging(settings.log, without=EVENTS if is_watched else None)
    with ExitStack() as claims:
        try:
            for plan in plans:
                claims.enter_context(claim_engine(folder, plan.name))
        except OSError as error:
            message = f"the folder {str(folder)!r} cannot be used: {error.strerror}"
            raise SettingsError(message) from error
        notify = partial(notify_service, read_variable("NOTIFY_SOCKET"))
        run = partial(supervise, plans, folder=folder, clock=SystemClock())
        anyio.run(partial(run, tell=_tell, notify=notify))


def _tell(line: str) -> None:
    with suppress(OSError):  # whoever read has left; the servers stay
        click.echo(printable(line))
