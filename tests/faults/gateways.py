"""The gateways that meet the same faults: how each is started, with the same limits where it can.

Every one has five ways to engines: ``fault`` (the fault server), ``calm`` (that of the bystanders),
``dead`` (nobody listens), ``hole`` (connects are never answered), ``pair`` (the dead one and the
calm one, so a second try is answered). nginx knows them by path, the others by the model's name.
"""

import json
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from scripted.http_client import post

from evals.bench.cores import choose_cores
from evals.bench.gateway.recipes import RECIPES, Place, Recipe, start
from evals.bench.gateway.running import write_json
from evals.bench.processes import count_descriptors, list_family, read_resident_mib
from serving.settings import LimitsSettings

ROOT = Path(__file__).parents[2]
OURS: Final = "zwrotnica"
WAYS: Final = ("fault", "calm", "dead", "hole", "pair")
CHAT: Final = "/v1/chat/completions"
_BACKLOG: Final = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Limits in seconds, the same for all gateways; ``body_bytes`` of a request."""

    first_token_s: float
    idle_s: float
    busy_s: float
    connect_s: float
    head_s: float
    body_s: float
    write_s: float
    keep_alive_s: int
    unreachable_s: int
    drain_s: float
    body_bytes: int = LimitsSettings().body_bytes

    @classmethod
    def at(cls, speed: float) -> "Limits":
        """The true limits, so many times shorter."""
        limits = LimitsSettings()
        return cls(
            first_token_s=30.0 / speed,
            idle_s=15.0 / speed,
            busy_s=5.0 / speed,
            connect_s=max(3.0 / speed, 1.0),
            head_s=limits.head_s / speed,
            body_s=limits.body_s / speed,
            write_s=limits.write_s / speed,
            keep_alive_s=max(1, round(limits.keep_alive_s / speed)),
            unreachable_s=max(1, round(limits.unreachable_s / speed)),
            drain_s=max(4.0, limits.drain_s / speed),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Engines:
    """The ports behind a gateway."""

    fault: int
    calm: int
    dead: int
    hole: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A gateway as the table knows it; ``configure`` writes its files and gives its arguments."""

    name: str
    command: tuple[str, ...]
    configure: Callable[[Place, Engines, Limits], Sequence[str]]
    recipe: Recipe | None = None
    has_paths: bool = False
    end_signal: signal.Signals = signal.SIGTERM
    reads_bodies: bool = True
    has_workers: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Gateway:
    """One that runs."""

    kind: Kind
    port: int
    pid: int
    version: str

    def path(self, way: str) -> str:
        """Where a chat completion of this way is asked for."""
        return f"/{way}{CHAT}" if self.kind.has_paths and way != "fault" else CHAT

    def request(self, way: str, text: str, **fields: object) -> bytes:
        """A streamed chat completion."""
        body = {
            "model": "default" if way == "fault" else way,
            "messages": [{"role": "user", "content": text}],
            "stream": True,
            **fields,
        }
        return post(self.path(way), json.dumps(body).encode())

    def resident_mib(self) -> float:
        """Memory of all its processes, in MiB."""
        return read_resident_mib(list_family(self.pid))

    def descriptors(self) -> int:
        """Files and sockets that its processes hold."""
        return count_descriptors(list_family(self.pid))


_NGINX: Final = """\
{user}daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
worker_shutdown_timeout {drain_ms}ms;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  tcp_nodelay on;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  client_max_body_size {body_bytes};
  client_header_timeout {head_ms}ms;
  client_body_timeout {body_ms}ms;
  send_timeout {write_ms}ms;
  keepalive_timeout {keep_alive_s}s;
  proxy_connect_timeout {connect_ms}ms;
  proxy_read_timeout {first_token_ms}ms;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_buffering off;
  upstream fault {{ server 127.0.0.1:{fault}; keepalive 64; }}
  upstream calm {{ server 127.0.0.1:{calm}; keepalive 64; }}
  upstream pair {{ server 127.0.0.1:{dead}; server 127.0.0.1:{calm}; keepalive 64; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096 so_keepalive={idle_s}s:{probe_s}s:3;
    location /calm/ {{ proxy_pass http://calm/; }}
    location /pair/ {{ proxy_pass http://pair/; }}
    location /dead/ {{ proxy_pass http://127.0.0.1:{dead}/; }}
    location /hole/ {{ proxy_pass http://127.0.0.1:{hole}/; }}
    location / {{ proxy_pass http://fault; }}
  }}
}}
"""


def _configure_nginx(place: Place, engines: Engines, limits: Limits) -> Sequence[str]:
    config = place.folder / "nginx.conf"
    text = _NGINX.format(
        user="user root;\n" if os.geteuid() == 0 else "",  # else it cannot write its own folder
        folder=place.folder,
        port=place.port,
        fault=engines.fault,
        calm=engines.calm,
        dead=engines.dead,
        hole=engines.hole,
        body_bytes=limits.body_bytes,
        head_ms=round(limits.head_s * 1e3),
        body_ms=round(limits.body_s * 1e3),
        write_ms=round(limits.write_s * 1e3),
        drain_ms=round(limits.drain_s * 1e3),
        connect_ms=round(limits.connect_s * 1e3),
        first_token_ms=round(limits.first_token_s * 1e3),
        keep_alive_s=limits.keep_alive_s,
        idle_s=max(1, 2 * limits.unreachable_s // 5),
        probe_s=max(1, limits.unreachable_s // 5),
    )
    config.write_text(text, encoding="utf-8")
    return "-p", str(place.folder), "-e", "stderr", "-c", str(config)


def _configure_litellm(place: Place, engines: Engines, limits: Limits) -> Sequence[str]:
    def model(name: str, port: int) -> Mapping[str, object]:
        return {
            "model_name": name,
            "litellm_params": {
                "model": f"openai/{name}",
                "api_base": f"http://127.0.0.1:{port}/v1",
                "api_key": "none",
                "timeout": limits.first_token_s,
                "stream_timeout": limits.first_token_s,
                "max_retries": 0,
            },
        }

    config = place.folder / "litellm.yaml"
    settings = {
        "model_list": [
            model("default", engines.fault),
            model("calm", engines.calm),
            model("dead", engines.dead),
            model("hole", engines.hole),
            model("pair", engines.dead),
            model("pair", engines.calm),
        ],
        "router_settings": {
            "num_retries": 1,
            "disable_cooldowns": True,
            "retry_policy": {"TimeoutErrorRetries": 0, "RateLimitErrorRetries": 0},
        },
        "general_settings": {"dangerously_permit_weak_or_unset_master_key": True},
    }
    write_json(config, settings)
    address = ("--host", "127.0.0.1", "--port", str(place.port))
    more = ("--num_workers", "1", "--telemetry", "False")
    kept = ("--keepalive_timeout", str(limits.keep_alive_s))
    return *address, "--config", str(config), *more, *kept


_OURS: Final = """\
data_dir = "{folder}/data"
default_engine = "default"
[page]
enabled = false
[log]
level = "error"
[limits]
head_s = {limits.head_s}
body_s = {limits.body_s}
write_s = {limits.write_s}
heartbeat_s = {heartbeat_s}
keep_alive_s = {limits.keep_alive_s}
unreachable_s = {limits.unreachable_s}
drain_s = {limits.drain_s}
turns = 2048
"""
_OUR_ENGINE: Final = """\
[engines.{name}]
kind = "vllm"
urls = {urls}
max_connections = 2048
connect_s = {limits.connect_s}
first_token_s = {limits.first_token_s}
idle_s = {limits.idle_s}
busy_wait_s = {limits.busy_s}
failures_allowed = 100000
"""


def _configure_ours(place: Place, engines: Engines, limits: Limits) -> Sequence[str]:
    ports = {
        "default": [engines.fault],
        "calm": [engines.calm],
        "dead": [engines.dead],
        "hole": [engines.hole],
        "pair": [engines.dead, engines.calm],
    }
    heads = _OURS.format(folder=place.folder, limits=limits, heartbeat_s=limits.first_token_s / 3)
    tables = [
        _OUR_ENGINE.format(
            name=name,
            urls=json.dumps([f"http://127.0.0.1:{port}/v1" for port in of_it]),
            limits=limits,
        )
        for name, of_it in ports.items()
    ]
    config = place.folder / "zwrotnica.toml"
    config.write_text("".join((heads, *tables)), encoding="utf-8")
    return "--config", str(config), "serve", "--port", str(place.port)


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind(
            name=OURS,
            command=(str(Path(sys.executable).with_name("zwrotnica")),),
            configure=_configure_ours,
            has_workers=True,
        ),
        Kind(
            name="nginx",
            command=("nginx",),
            configure=_configure_nginx,
            recipe=RECIPES["nginx"],
            has_paths=True,
            end_signal=signal.SIGQUIT,
            reads_bodies=False,
        ),
        Kind(
            name="litellm",
            command=("litellm",),
            configure=_configure_litellm,
            recipe=RECIPES["litellm"],
        ),
    )
}


def read_kind(text: str) -> Kind:
    """The gateway ``NAME``, or ``NAME=COMMAND`` for a program that stands elsewhere.

    Raises:
        KeyError: there is none of this name.
    """
    name, _, command = text.partition("=")
    kind = KINDS[name]
    return replace(kind, command=tuple(shlex.split(command))) if command else kind


@contextmanager
def running(
    kind: Kind, folder: Path, engines: Engines, limits: Limits, *, workers: int = 1
) -> Iterator[Gateway]:
    """Run it on the core that gateways have, until the block ends.

    Raises:
        click.ClickException: it is not installed, or does not answer.
    """

    def configure(place: Place) -> Sequence[str]:
        more = ("--workers", str(workers)) if workers > 1 else ()
        return *kind.configure(place, engines, limits), *more

    recipe = Recipe(
        name=kind.name,
        command=kind.command,
        arguments=configure,
        package=kind.recipe.package if kind.recipe else OURS,
        environment={"PYTHONPATH": str(ROOT)} if kind.recipe is None else kind.recipe.environment,
    )
    cores = choose_cores()
    with start(recipe, folder, engines.fault, cores=cores.gateway) as target:
        assert target.pid is not None
        _, port, _ = target.endpoint
        yield Gateway(kind=kind, port=port, pid=target.pid, version=_say_version(target.version))


def _say_version(version: str | None) -> str:
    return (version or "").removeprefix("nginx version: nginx/")
