"""Builds the command line of a configured engine."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from chatbot.dialects import DIALECTS, Dialect
from serving.engines.defaults import find_dialect_name
from serving.engines.kinds import remote_engines
from serving.engines.launchers.checking import check_flags, check_plan
from serving.engines.launchers.command import CommandLine
from serving.engines.launchers.flags import names_of, optional
from serving.engines.launchers.launcher import Launcher, Plan
from serving.engines.launchers.llamacpp import LLAMACPP
from serving.engines.launchers.sglang import SGLANG
from serving.engines.launchers.tensorrt import TENSORRT
from serving.engines.launchers.tgi import TGI
from serving.engines.launchers.transformers import TRANSFORMERS
from serving.engines.launchers.vllm import VLLM
from serving.settings import (
    EngineSettings,
    LaunchSettings,
    Settings,
    SettingsError,
    is_loopback,
)

_API_PATH: Final = "/v1"

LAUNCHERS: Mapping[str, Launcher] = MappingProxyType({
    "vllm": VLLM,
    "sglang": SGLANG,
    "llamacpp": LLAMACPP,
    "tgi": TGI,
    "tensorrt": TENSORRT,
    "transformers": TRANSFORMERS,
})
"""The launcher of every kind of server that we can start."""


def build_command(name: str, settings: Settings) -> CommandLine:
    """The command line that starts the server of the engine ``name``.

    Raises:
        SettingsError: there is no such engine, nothing of ours to start, a setting that its kind
            cannot honour, or an extra flag that contradicts a setting.
    """
    engine = _find_engine(name, settings)
    remote_engines(settings)
    launcher = _find_launcher(name, engine)
    plan = _make_plan(name, engine, settings)
    check_plan(launcher, plan)
    own = (*launcher.weights(plan), *launcher.flags(plan), *_parser_flags(launcher, plan))
    check_flags(launcher, plan, own)
    extra = plan.launch.extra_flags
    secret = _secret(launcher, engine)
    command = CommandLine(
        program=(
            *(plan.launch.program or launcher.program),
            *own,
            *_defaults(launcher, extra),
            *extra,
        ),
        environment=MappingProxyType({
            **_cards(plan.launch.gpus),
            **plan.launch.environment,
            **secret,
        }),
        secret_environment=frozenset(secret),
    )
    if engine.api_key is not None and engine.api_key.get_secret_value() in command.shown():
        raise SettingsError(f"engines.{name}.launch: the command line would show the 'api_key'")
    return command


def _find_engine(name: str, settings: Settings) -> EngineSettings:
    if name not in settings.engines:
        known = ", ".join(settings.engines) or "none is configured"
        raise SettingsError(f"there is no engine {name!r}; engines: {known}")
    return settings.engines[name]


def _find_launcher(name: str, engine: EngineSettings) -> Launcher:
    if engine.kind in LAUNCHERS:
        return LAUNCHERS[engine.kind]
    raise SettingsError(
        f"engines.{name}: nothing is started for the kind {engine.kind!r}; kinds that are: "
        f"{', '.join(sorted(LAUNCHERS))}"
    )


def _make_plan(name: str, engine: EngineSettings, settings: Settings) -> Plan:
    url = urlsplit(engine.url or "")
    host = url.hostname or ""
    if engine.launch is None and not is_loopback(host):
        raise SettingsError(
            f"engines.{name}: {engine.url!r} is another machine's; to start the server here, add "
            f"the table [engines.{name}.launch]"
        )
    if url.scheme != "http" or url.path.rstrip("/") != _API_PATH:
        raise SettingsError(
            f"engines.{name}.url: a server that is started here answers at 'http://HOST:PORT/v1', "
            f"not at {engine.url!r}; 'port' alone is enough"
        )
    launch = engine.launch or LaunchSettings()
    weights = launch.weights or engine.model
    if weights is None:
        raise SettingsError(f"engines.{name} needs its 'model', or 'launch.weights'")
    return Plan(
        name=name,
        weights=weights,
        served_name=engine.model or weights,
        host=launch.host or host,
        port=url.port or 80,
        context_tokens=engine.context_tokens,
        dialect=_find_dialect(name, engine, settings),
        is_router=name in {settings.router.engine, settings.router.second_engine},
        has_key=engine.api_key is not None,
        launch=launch,
    )


def _find_dialect(name: str, engine: EngineSettings, settings: Settings) -> Dialect | None:
    is_router = settings.router.engine == name
    dialect = (settings.router.dialect if is_router else None) or find_dialect_name(name, engine)
    if dialect is not None and dialect not in DIALECTS:
        raise SettingsError(
            f"engines.{name}: there is no dialect {dialect!r}; known: {', '.join(sorted(DIALECTS))}"
        )
    return DIALECTS[dialect] if dialect is not None else None


def _parser_flags(launcher: Launcher, plan: Plan) -> tuple[str, ...]:
    """The server's parser of calls, for tools on the wire: the router's or a client's own."""
    flag, named = launcher.parser_flag, names_of(plan.launch.extra_flags)
    parser = launcher.parsers.get(plan.dialect.name) if plan.dialect is not None else None
    if flag is None or (parser is None and flag not in named):
        return ()
    switches = tuple(switch for switch in launcher.parser_switches if switch not in named)
    return switches if flag in named else (*switches, *optional(flag, parser))


def _defaults(launcher: Launcher, extra_flags: Iterable[str]) -> tuple[str, ...]:
    spoken_of = {name.replace("--no-", "--") for name in names_of(extra_flags)}
    return tuple(flag for flag in launcher.defaults if flag not in spoken_of)


def _secret(launcher: Launcher, engine: EngineSettings) -> Mapping[str, str]:
    """The variable that tells the server its key; it never stands in the command line."""
    if launcher.key_variable is None or engine.api_key is None:
        return {}
    return {launcher.key_variable: engine.api_key.get_secret_value()}


def _cards(gpus: tuple[int, ...] | None) -> Mapping[str, str]:
    """The variables by which a server sees these cards alone, numbered as `nvidia-smi` does."""
    if gpus is None:
        return {}
    return {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES": ",".join(map(str, gpus)),
    }
