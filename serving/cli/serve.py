"""`zwrotnica serve`: the gateway on its address until it is told to stop."""

import gc
from pathlib import Path
from typing import Final

import click

from serving.app import make_page
from serving.assembly import check_settings
from serving.cli.server import build_server
from serving.settings import load_settings
from serving.telemetry import configure_logging

YOUNG_OBJECTS: Final = 10_000
"""New objects after which the collector looks at them; Python's 700 is a few requests."""


@click.command()
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=int, help="Port to listen on; 0: any free.")
@click.pass_obj
def serve(config: Path | None, host: str | None, port: int | None) -> None:
    """Serve API and web chat until SIGTERM or Ctrl+C; running turns are brought to an end."""
    settings = load_settings(config, overrides={"host": host, "port": port})
    check_settings(settings)
    server = build_server(settings, page=make_page(settings), announce=_announce)
    configure_logging(settings.log)
    server.run()


def _announce(url: str) -> None:
    """Tell that requests are taken; what the start has loaded stays, so it is not swept for."""
    gc.freeze()  # else every full collection walks it: a seventh of the time under load
    gc.set_threshold(YOUNG_OBJECTS)
    click.echo(f"Zwrotnica: {url}", err=True)
