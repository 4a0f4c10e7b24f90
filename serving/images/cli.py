"""The group ``zwrotnica images``: the server's parts are imported when it is to be served."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import click

from serving.commands import LazyGroup

COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "serve": (
        "serving.images.__main__:serve",
        "Serve OpenAI's images endpoint until SIGTERM or Ctrl+C; pictures begun are finished.",
    )
})
"""Where the command is, and its line in the help."""


@click.group(cls=LazyGroup, lazy=COMMANDS)
def images() -> None:
    """Serve pictures drawn by FLUX (needs zwrotnica[flux])."""
