"""What has to be known to run the server of an engine, checked before anything is started."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from serving.engines.launchers import CommandLine, build_command
from serving.settings import (
    EngineSettings,
    LaunchSettings,
    Settings,
    SettingsError,
    looks_secret,
    plain_environment,
)

_PORT: Final = 80
_AT_ONCE: Final = {"PYTHONUNBUFFERED": "1"}
"""So that a server in Python writes its log line by line."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerPlan:
    """One server to run; ``secrets`` are the values that its log must not show."""

    name: str
    engine: EngineSettings
    launch: LaunchSettings
    program: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    secrets: frozenset[str] = field(repr=False)

    @property
    def url(self) -> str:
        """The base address under which clients reach it."""
        return self.engine.url or ""

    @property
    def address(self) -> tuple[str, int]:
        """Host and port that it listens on."""
        host, port = self.client_address
        return self.launch.host or host, port

    @property
    def client_address(self) -> tuple[str, int]:
        """Host and port under which clients reach it."""
        url = urlsplit(self.url)
        return url.hostname or "", url.port or _PORT


def plan_servers(names: Iterable[str], settings: Settings) -> tuple[ServerPlan, ...]:
    """The servers of the engines ``names``; without names, of all with a launch table.

    Raises:
        SettingsError: an engine is unknown or nothing of ours to start, its program is not there,
            two would listen on one port, or there is none at all.
    """
    chosen = dict.fromkeys(names) or [
        name for name, engine in settings.engines.items() if engine.launch is not None
    ]
    if not chosen:
        raise SettingsError(
            "no engine says how its server is started: add a table [engines.NAME.launch]"
        )
    plans = tuple(_plan(name, settings) for name in chosen)
    _check_ports(plans)
    return plans


def _plan(name: str, settings: Settings) -> ServerPlan:
    command = build_command(name, settings)
    engine = settings.engines[name]
    launch = engine.launch or LaunchSettings()
    inherited = plain_environment(also=launch.inherit)
    environment = {**_AT_ONCE, **inherited, **command.environment}
    secret = command.secret_environment | set(filter(looks_secret, inherited))
    return ServerPlan(
        name=name,
        engine=engine,
        launch=launch,
        program=(_find_program(name, engine, command, environment), *command.program[1:]),
        environment=environment,
        secrets=frozenset({*(environment[variable] for variable in secret), *_key(engine)}),
    )


def _key(engine: EngineSettings) -> Iterable[str]:
    """The engine's key, which some servers read from a file."""
    return () if engine.api_key is None else (engine.api_key.get_secret_value(),)


def _find_program(
    name: str, engine: EngineSettings, command: CommandLine, environment: Mapping[str, str]
) -> str:
    program = command.program[0]
    found = shutil.which(program, path=environment.get("PATH"))
    if found is None:
        raise SettingsError(
            f"engines.{name}: the program {program!r} is not there; install a server of the kind "
            f"{engine.kind!r}, or say where it is: [engines.{name}.launch] program = "
            '["/path/to/program", "its first words"]'
        )
    return found


def _check_ports(plans: Iterable[ServerPlan]) -> None:
    taken: dict[int, str] = {}
    for plan in plans:
        _, port = plan.address
        if port in taken:
            raise SettingsError(
                f"the engines {taken[port]!r} and {plan.name!r} have the same port {port}; give "
                "each its own, or start one of them"
            )
        taken[port] = plan.name
