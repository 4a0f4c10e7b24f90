"""The process of a server of one model, which ends by itself where the model cannot be loaded."""

import sys
from typing import NoReturn

import click
from fastapi import FastAPI

from chatbot.errors import ZwrotnicaError
from serving.http.server import DrainingServer, configure
from serving.model_server.queue import AnyQueue
from serving.settings import LimitsSettings


class ModelServer(DrainingServer):
    """Drains its queue when it is told to stop."""

    def __init__(
        self,
        app: FastAPI,
        queue: AnyQueue,
        *,
        name: str,
        host: str,
        port: int,
        limits: LimitsSettings,
    ) -> None:
        """Serve ``app``, which opens ``queue``; ``name`` is told with the address."""
        super().__init__(
            configure(app, host=host, port=port, limits=limits),
            admission=queue,
            limits=limits,
            announce=lambda url: click.echo(f"{name}: {url}", err=True),
        )
        self._queue = queue

    async def on_tick(self, counter: int) -> bool:
        """Whether it shall stop now; asked ten times a second."""
        return await super().on_tick(counter) or self._queue.failure is not None

    def serve_until_told(self) -> None:
        """Serve until the process is told to stop.

        Raises:
            ZwrotnicaError: the model could not be loaded.
        """
        self.run()
        if self._queue.failure is not None:
            raise self._queue.failure


def run_command(command: click.Command, module: str) -> NoReturn:
    """Run ``python -m module`` and leave with its exit code: 0, 1 (failed) or 2 (misused)."""
    name = module.rpartition(".")[2]
    try:
        sys.exit(command.main(prog_name=f"python -m {module}", standalone_mode=False) or 0)
    except click.ClickException as error:
        click.echo(f"{name}: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except ZwrotnicaError as error:
        click.echo(f"{name}: {error.message}", err=True)
        sys.exit(1)
