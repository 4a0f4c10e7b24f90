"""`python -m serving.reference`: the reference server, put together and run."""

from collections.abc import Callable
from pathlib import PurePath
from typing import get_args

import click
from pydantic import SecretStr

from serving.extras import load
from serving.model_server.server import ModelServer, run_command
from serving.reference.app import create_app
from serving.reference.batching import BatchQueue
from serving.reference.metrics import ReferenceMetrics
from serving.reference.options import DeviceName, DtypeName, ModelOptions, ServerOptions
from serving.reference.token_model import TokenModel
from serving.settings import LimitsSettings, LogSettings, is_loopback, read_variable
from serving.telemetry import configure_logging

MODEL = "serving.reference.causal_lm"
_MS = 1000.0


@click.command()
@click.option(
    "--model", required=True, help="The checkpoint's folder, or its id in the hub's cache."
)
@click.option("--served-model-name", help="The model's name for clients; else the folder's.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free."
)
@click.option(
    "--batch", type=click.IntRange(1), default=8, show_default=True, help="Most rows of one batch."
)
@click.option(
    "--wait-ms",
    type=click.FloatRange(0),
    default=20.0,
    show_default=True,
    help="For how long a batch is filled after its first request.",
)
@click.option(
    "--queue",
    "places",
    type=click.IntRange(1),
    default=1024,
    show_default=True,
    help="Requests that may wait or run at once; one more is refused, `queue_full`.",
)
@click.option("--context", type=click.IntRange(2), help="Tokens of prompt and answer together.")
@click.option("--dtype", type=click.Choice(get_args(DtypeName)), default="auto", show_default=True)
@click.option(
    "--device", type=click.Choice(get_args(DeviceName)), default="auto", show_default=True
)
@click.option("--api-key-variable", help="Environment variable that holds the key of clients.")
def reference(  # noqa: PLR0917 - click hands in every flag by its name
    model: str,
    served_model_name: str | None,
    host: str,
    port: int,
    batch: int,
    wait_ms: float,
    places: int,
    context: int | None,
    dtype: DtypeName,
    device: DeviceName,
    api_key_variable: str | None,
) -> None:
    """Serve a causal language model by Transformers, in static batches, until SIGTERM."""
    key = _read_key(api_key_variable)
    if key is None and not is_loopback(host):
        raise click.UsageError(f"{host!r} can be reached by others: give --api-key-variable NAME")
    options = ServerOptions(
        served_name=served_model_name or PurePath(model).name,
        host=host,
        port=port,
        batch=batch,
        wait_s=wait_ms / _MS,
        places=places,
        key=key,
    )
    loaded = open_model(ModelOptions(folder=model, dtype=dtype, device=device, context=context))
    configure_logging(LogSettings())
    run(options, loaded)


def open_model(options: ModelOptions) -> TokenModel:
    """The model of the options, not loaded yet.

    Raises:
        ExtraMissing: torch or transformers is not installed.
    """
    make: Callable[[ModelOptions], TokenModel] = load(MODEL, "transformers").CausalLanguageModel
    return make(options)


def run(options: ServerOptions, model: TokenModel) -> None:
    """Serve ``model`` until the process is told to stop.

    Raises:
        ZwrotnicaError: the model could not be loaded.
    """
    server, _ = build_server(options, LimitsSettings(), model)
    server.serve_until_told()


def build_server(
    options: ServerOptions, limits: LimitsSettings, model: TokenModel
) -> tuple[ModelServer, BatchQueue]:
    """The server and its queue, not started; it stops by itself where ``model`` cannot load."""
    metrics = ReferenceMetrics()
    queue = BatchQueue(
        model,
        batch=options.batch,
        wait_s=options.wait_s,
        places=options.places,
        metrics=metrics,
    )
    app = create_app(options, limits, queue=queue, metrics=metrics)
    server = ModelServer(
        app,
        queue,
        name="Zwrotnica, reference engine",
        host=options.host,
        port=options.port,
        limits=limits,
    )
    return server, queue


def _read_key(variable: str | None) -> SecretStr | None:
    if variable is None:
        return None
    key = read_variable(variable)
    if not key:
        raise click.UsageError(f"--api-key-variable: the environment has no {variable!r}")
    return SecretStr(key)


def main() -> None:
    """Run the command line of `python -m serving.reference`."""
    run_command(reference, "serving.reference")


if __name__ == "__main__":
    main()
