"""`python -m serving.images` and `zwrotnica images`: the image server, put together and run."""

from collections.abc import Callable
from pathlib import Path

import click

from serving.extras import load
from serving.images.app import create_app
from serving.images.cli import images
from serving.images.metrics import ImageMetrics
from serving.images.painter import Canvas, Painter
from serving.images.queue import PictureQueue
from serving.model_server.server import ModelServer, run_command
from serving.settings import ImageServerSettings, Settings, load_settings
from serving.telemetry import configure_logging

PAINTER = "serving.images.flux"


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Settings file; else as for zwrotnica.",
)
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=int, help="Port to listen on; 0: any free.")
@click.option("--model", help="The model's folder, or its id.")
@click.pass_obj
def serve(
    above: Path | None, config: Path | None, host: str | None, port: int | None, model: str | None
) -> None:
    """Serve OpenAI's images endpoint until SIGTERM or Ctrl+C; pictures begun are finished."""
    given = {"host": host, "port": port, "model": model}
    settings = load_settings(
        config or above,
        overrides={f"images.server.{name}": value for name, value in given.items()},
        calls_engines=False,
    )
    painter = open_painter(settings.images.server)
    configure_logging(settings.log)
    run(settings, painter)


def open_painter(settings: ImageServerSettings) -> Painter:
    """The pipeline of the settings, not loaded yet.

    Raises:
        ExtraMissing: diffusers or torch is not installed.
    """
    make: Callable[[ImageServerSettings], Painter] = load(PAINTER, "flux").FluxPainter
    return make(settings)


def run(settings: Settings, painter: Painter) -> None:
    """Serve ``painter`` until the process is told to stop.

    Raises:
        ZwrotnicaError: the painter could not be loaded.
    """
    server, _ = build_server(settings, painter)
    server.serve_until_told()


def build_server(settings: Settings, painter: Painter) -> tuple[ModelServer, PictureQueue]:
    """The server and its queue, not started; it stops by itself where ``painter`` cannot load."""
    own = settings.images.server
    width, height = own.default_sides
    metrics = ImageMetrics()
    queue = PictureQueue(
        painter,
        warm_up=Canvas(width=width, height=height, steps=own.steps),
        places=own.queue,
        batch=own.batch,
        metrics=metrics,
    )
    app = create_app(settings, queue=queue, metrics=metrics)
    server = ModelServer(
        app, queue, name="Zwrotnica, images", host=own.host, port=own.port, limits=settings.limits
    )
    return server, queue


def main() -> None:
    """Run the command line of `python -m serving.images`, which has the same sub-commands."""
    run_command(images, "serving.images")


if __name__ == "__main__":
    main()
