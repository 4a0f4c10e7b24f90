"""How well-known gateways are started in front of the engine simulator."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import which
from typing import Final

import click

from evals.bench.gateway.running import (
    free_port,
    read_version,
    run_program,
    wait_for_answer,
    write_json,
)
from evals.bench.gateway.targets import MODEL, Target

_NGINX: Final = """\
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  tcp_nodelay on;
  keepalive_requests 100000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  upstream engine {{
    server 127.0.0.1:{engine_port};
    keepalive 1024;
    keepalive_requests 100000000;
  }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
      proxy_pass http://engine;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }}
  }}
}}
"""
_ASK_VERSION: Final = (
    "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a gateway listens, where the engine does, and a folder for what it is configured by."""

    folder: Path
    engine_port: int
    port: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """A gateway: its command, what follows it in a place, and the package that it comes in, if any.

    A program of no package tells its version by ``-v``.
    """

    name: str
    command: tuple[str, ...]
    arguments: Callable[[Place], Sequence[str]]
    package: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


def _configure_nginx(place: Place) -> Sequence[str]:
    config = place.folder / "nginx.conf"
    values = {"folder": place.folder, "engine_port": place.engine_port, "port": place.port}
    config.write_text(_NGINX.format(**values), encoding="utf-8")
    return "-p", str(place.folder), "-e", "stderr", "-c", str(config)


def _configure_vllm_router(place: Place) -> Sequence[str]:
    engine = f"http://127.0.0.1:{place.engine_port}"
    address = ("--host", "127.0.0.1", "--port", str(place.port))
    metrics = ("--prometheus-host", "127.0.0.1", "--prometheus-port", str(free_port()))
    return *address, "--worker-urls", engine, "--policy", "round_robin", *metrics


def _configure_litellm(place: Place) -> Sequence[str]:
    config = place.folder / "litellm.yaml"
    engine = {
        "model": f"openai/{MODEL}",
        "api_base": f"http://127.0.0.1:{place.engine_port}/v1",
        "api_key": "none",
    }
    settings = {
        "model_list": [{"model_name": MODEL, "litellm_params": engine}],
        "general_settings": {"dangerously_permit_weak_or_unset_master_key": True},  # on loopback
    }
    write_json(config, settings)
    address = ("--host", "127.0.0.1", "--port", str(place.port))
    return *address, "--config", str(config), "--num_workers", "1", "--telemetry", "False"


RECIPES: Final[Mapping[str, Recipe]] = {
    recipe.name: recipe
    for recipe in (
        Recipe(name="nginx", command=("nginx",), arguments=_configure_nginx),
        Recipe(
            name="vllm-router",
            command=("vllm-router",),
            arguments=_configure_vllm_router,
            package="vllm-router",
        ),
        Recipe(
            name="litellm",
            command=("litellm",),
            arguments=_configure_litellm,
            package="litellm",
            environment={"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR"},
        ),
    )
}


def read_recipe(text: str) -> Recipe:
    """The recipe ``NAME``, or ``NAME=COMMAND`` for a program that stands elsewhere.

    Raises:
        click.BadParameter: there is no such recipe.
    """
    name, _, command = text.partition("=")
    if name not in RECIPES:
        raise click.BadParameter(
            f"{name!r} is none of {', '.join(RECIPES)}; start it yourself and name it by --target"
        )
    recipe = RECIPES[name]
    return replace(recipe, command=tuple(shlex.split(command))) if command else recipe


@contextmanager
def start(
    recipe: Recipe, folder: Path, engine_port: int, *, cores: frozenset[int] | None
) -> Iterator[Target]:
    """Run the gateway on ``cores`` before the engine, until the block ends.

    Raises:
        click.ClickException: it is not installed, or does not answer.
    """
    place = Place(
        folder=(folder / recipe.name).resolve(), engine_port=engine_port, port=free_port()
    )
    place.folder.mkdir(parents=True, exist_ok=True)
    command, log = (*recipe.command, *recipe.arguments(place)), place.folder / "gateway.log"
    with run_program(command, log=log, cores=cores, environment=recipe.environment) as process:
        target = Target(
            name=recipe.name,
            url=f"http://127.0.0.1:{place.port}/v1",
            pid=process.pid,
            command=command,
        )
        wait_for_answer(target, process, f"see {log}")
        yield replace(target, version=_read_version(recipe))


def _read_version(recipe: Recipe) -> str | None:
    if recipe.package is None:
        return read_version((*recipe.command, "-v"))
    python = Path(which(recipe.command[0]) or "").with_name("python")
    return read_version((str(python), "-c", _ASK_VERSION, recipe.package))
