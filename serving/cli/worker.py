"""`zwrotnica worker`: one of the processes of `zwrotnica serve --workers N`, started by it."""

from pathlib import Path

import click

from serving.app import create_app, make_page
from serving.cli.leaving import leave
from serving.cli.server import build_server, settle_memory
from serving.settings import load_settings
from serving.telemetry import Metrics, configure_logging, figures_folder
from serving.workers.listening import listen_privately, open_shared
from serving.workers.owners import ConversationOwners
from serving.workers.seat import Seat, SeatedPage


@click.command(hidden=True)
@click.option("--number", type=int, required=True)
@click.option("--count", type=int, required=True)
@click.option("--host", required=True)
@click.option("--port", type=int, required=True)
@click.pass_obj
def worker(config: Path | None, number: int, count: int, host: str, port: int) -> None:
    """Serve beside other workers; the supervisor speaks on standard input."""
    settings = load_settings(config, overrides={"host": host, "port": port, "workers": count})
    seat = Seat(number=number, count=count)
    page = make_page(settings, process=SeatedPage(seat))
    app = create_app(
        settings,
        page=page,
        metrics=Metrics(folder=figures_folder(settings.data_dir)),
        keeps_figures=number == 0,
        layer=ConversationOwners(seat, settings.limits),
    )
    public, private = open_shared(host, port), listen_privately()
    inner = f"http://127.0.0.1:{private.getsockname()[1]}"

    def tell_ready(_url: str) -> None:
        settle_memory()
        seat.tell_ready(inner)

    server = build_server(settings, app, page=page, announce=tell_ready)
    configure_logging(settings.log, worker=number)
    seat.listen(on_drain=server.ask_to_end, on_end=server.end_now)
    server.run(sockets=[public, private])
    leave()
