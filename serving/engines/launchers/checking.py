"""Refuses what a server could not honour, before it is started."""

from collections.abc import Iterable
from typing import Final, Never

from serving.engines.launchers.flags import names_of
from serving.engines.launchers.launcher import THE_WEIGHTS, Launcher, Plan
from serving.settings import LaunchSettings, SettingsError

_SECRET_ENDINGS: Final = ("api-key", "-token", "-authtoken", "-password", "-secret")
_DEFAULT: Final = LaunchSettings()


def check_plan(launcher: Launcher, plan: Plan) -> None:
    """Check every setting against what the kind can honour.

    Raises:
        SettingsError: one cannot be honoured; the message says what to do instead.
    """
    for setting, remedy in launcher.cannot.items():
        if getattr(plan.launch, setting) != getattr(_DEFAULT, setting):
            _refuse(plan, f"launch.{setting}", remedy)
    if not launcher.can_rename and plan.served_name != plan.weights:
        _refuse(plan, "model", f"the server can only call it {plan.weights!r}, as the weights")
    _check_key(launcher, plan)
    _check_nodes(launcher, plan)
    _check_cards(launcher, plan)
    _check_parser(launcher, plan)


def check_flags(launcher: Launcher, plan: Plan, own: Iterable[str]) -> None:
    """Check the operator's extra flags against ``own`` and for keys.

    Raises:
        SettingsError: a flag is set by a setting already, or holds a key.
    """
    taken = {*names_of(own), THE_WEIGHTS}
    for name in sorted(names_of(plan.launch.extra_flags)):
        if name.endswith(_SECRET_ENDINGS):
            _refuse(
                plan,
                f"launch.extra_flags: {name!r}",
                "everyone on the machine can read a command line; give the engine's key as "
                "'api_key_env', another secret as a variable that 'launch.inherit' names",
            )
        if launcher.aliases.get(name, name) in taken:
            _refuse(plan, f"launch.extra_flags: {name!r}", "a setting speaks of it already")


def _check_key(launcher: Launcher, plan: Plan) -> None:
    file_flag = launcher.key_file_flag
    if not plan.has_key or launcher.key_variable is not None:
        return
    if file_flag is None:
        _refuse(plan, "api_key", "the server asks for no key; leave it out, listen on loopback")
    if file_flag not in names_of(plan.launch.extra_flags):
        _refuse(
            plan,
            "api_key",
            "the server takes it only from its command line, which everyone on the machine can "
            f"read, or from a file: give {file_flag} FILE in 'launch.extra_flags'",
        )


def _check_nodes(launcher: Launcher, plan: Plan) -> None:
    wanted, nodes = launcher.cards(plan), plan.launch.nodes
    if nodes > 1 and plan.launch.gpus is not None:
        _refuse(plan, "launch.gpus", "with several 'nodes' Ray deals out the cards; leave it out")
    if wanted is not None and wanted % nodes:
        _refuse(
            plan,
            "launch.nodes",
            f"{wanted} cards (tensor_parallel × pipeline_parallel) cannot be dealt out evenly over "
            f"{nodes} machines",
        )


def _check_cards(launcher: Launcher, plan: Plan) -> None:
    wanted, gpus = launcher.cards(plan), plan.launch.gpus
    if gpus and wanted is not None and len(gpus) != wanted:
        _refuse(
            plan,
            "launch.gpus",
            f"names {len(gpus)}, but the server makes use of {wanted}; set 'tensor_parallel' or "
            "'pipeline_parallel' where it can split the model",
        )


def _check_parser(launcher: Launcher, plan: Plan) -> None:
    dialect, flag = plan.dialect, launcher.parser_flag
    if not launcher.needs_parser or flag is None or dialect is None or dialect.offer != "wire":
        return
    if dialect.name not in launcher.parsers and flag not in names_of(plan.launch.extra_flags):
        _refuse(
            plan,
            "dialect",
            f"{dialect.name!r} leaves the calls to the server's parser: give {flag} NAME in "
            "'launch.extra_flags'",
        )


def _refuse(plan: Plan, setting: str, why: str) -> Never:
    raise SettingsError(f"engines.{plan.name}.{setting}: {why}")
