"""`zwrotnica engines`: the commands about model servers."""

import click

from serving.cli.engines_budget import show_budget
from serving.cli.engines_checking import check
from serving.cli.engines_launching import show_command
from serving.cli.engines_listing import list_engines
from serving.cli.engines_profiles import show_profiles
from serving.cli.engines_up import run_engines


@click.group()
def engines() -> None:
    """List and check the engines; start their servers."""


engines.add_command(check)
engines.add_command(list_engines)
engines.add_command(show_budget)
engines.add_command(show_command)
engines.add_command(run_engines)
engines.add_command(show_profiles)
