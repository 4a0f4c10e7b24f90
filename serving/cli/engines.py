"""`zwrotnica engines`: the commands about model servers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import click

from serving.commands import LazyGroup

COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "budget": (
        "serving.cli.engines_budget:show_budget",
        "Do cards and main memory hold the servers; 1 when they cannot.",
    ),
    "check": (
        "serving.cli.engines_checking:check",
        "Is every engine alive, does it see and call tools; what to change.",
    ),
    "command": (
        "serving.cli.engines_launching:show_command",
        "Print the command line that starts an engine's server.",
    ),
    "drain": (
        "serving.cli.engines_draining:drain",
        "Take one server of an engine out of use, or back.",
    ),
    "list": (
        "serving.cli.engines_listing:list_engines",
        "Every engine: does it answer, its queue and cache, its roles.",
    ),
    "profiles": (
        "serving.cli.engines_profiles:show_profiles",
        "List the shipped profiles, or print one to copy from.",
    ),
    "up": (
        "serving.cli.engines_up:run_engines",
        "Start the servers and keep them running.",
    ),
})
"""Where each command is, and its line in the help."""


@click.group(cls=LazyGroup, lazy=COMMANDS)
def engines() -> None:
    """List and check the engines; start their servers."""
