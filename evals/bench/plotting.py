"""The option ``--plots``: which pictures are wanted, and what they lack."""

from types import ModuleType
from typing import Final

import click

from serving.extras import ExtraMissing, load

PLOTS: Final = click.Choice(["svg", "png", "none"])


def load_plots(module: str, shape: str, again: str) -> ModuleType | None:
    """What draws pictures of ``shape``, where they are wanted and can be drawn.

    Says what is missing where they cannot, and that ``again`` is the command for later.
    """
    if shape == "none":
        return None
    try:
        return load(module, "bench")
    except ExtraMissing as missing:
        click.echo(f"No pictures: {missing}; then: {again} --plots {shape}")
        return None
