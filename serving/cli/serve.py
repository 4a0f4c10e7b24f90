"""`zwrotnica serve`: the gateway on its address until it is told to stop."""

import sys
from pathlib import Path

import anyio
import click

from serving.app import make_page
from serving.assembly import check_settings
from serving.cli.leaving import leave
from serving.cli.server import build_server, check_binding, settle_memory
from serving.page import make_process
from serving.settings import Settings, load_settings, own_environment
from serving.storage import open_data_dir
from serving.telemetry import FIGURES_VARIABLE, clear_figures, configure_logging, figures_folder
from serving.workers.crew import Crew
from serving.workers.listening import reserve_port

PROGRAM = (sys.executable, "-P", "-m", "serving.cli")


@click.command()
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=int, help="Port to listen on; 0: any free.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes that share the port.")
@click.pass_obj
def serve(config: Path | None, host: str | None, port: int | None, workers: int | None) -> None:
    """Serve API and web chat until SIGTERM or Ctrl+C; running turns are brought to an end."""
    settings = load_settings(config, overrides={"host": host, "port": port, "workers": workers})
    check_settings(settings)
    if settings.workers > 1:
        _serve_together(settings, config)
        leave()
    server = build_server(settings, page=make_page(settings), announce=_begin)
    open_data_dir(settings.data_dir)  # told here, in one line; from the server's start as a fault
    configure_logging(settings.log)
    server.run()
    leave()


def _serve_together(settings: Settings, config: Path | None) -> None:
    """Several processes on one port, and one page for all of them."""
    check_binding(settings)
    figures = figures_folder(open_data_dir(settings.data_dir))
    with reserve_port(settings.host, settings.port) as held:
        host, port = settings.host, int(held.getsockname()[1])
        configure_logging(settings.log)
        clear_figures(figures)
        options = {
            "--count": str(settings.workers),
            "--host": host,
            "--port": str(port),
        }
        crew = Crew(
            (
                *PROGRAM,
                *(() if config is None else ("--config", str(config))),
                "worker",
                *(word for option in options.items() for word in option),
            ),
            count=settings.workers,
            environment=own_environment({FIGURES_VARIABLE: str(figures)}),
            figures=figures,
            drain_s=settings.limits.drain_s,
            page=make_process(settings) if settings.page.enabled else None,
        )
        url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        anyio.run(crew.run, url, _begin)


def _begin(url: str) -> None:
    settle_memory()
    _announce(url)


def _announce(url: str) -> None:
    """Tell that requests are taken."""
    click.echo(f"Zwrotnica: {url}", err=True)
