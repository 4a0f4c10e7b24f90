"""`zwrotnica engines command`: the exact line that starts an engine's server."""

import json
from pathlib import Path

import click

from serving.engines.budget import check_budget
from serving.engines.launchers import CommandLine, build_command
from serving.settings import load_settings


@click.command("command")
@click.argument("name")
@click.option("--json", "is_json", is_flag=True, help="Print program and environment as JSON.")
@click.option("--anyway", "is_unchecked", is_flag=True, help="Even where it does not fit.")
@click.pass_obj
def show_command(config: Path | None, name: str, *, is_json: bool, is_unchecked: bool) -> None:
    """Print the command line that starts the server of the engine NAME, keys hidden.

    Refused where the memory budget says that it cannot fit.
    """
    settings = load_settings(config)
    command = build_command(name, settings)
    if not is_unchecked:
        check_budget(settings, name)
    click.echo(_as_json(command) if is_json else command.shown())


def _as_json(command: CommandLine) -> str:
    found = {
        "program": command.program,
        "environment": command.shown_environment,
        "secret_environment": sorted(command.secret_environment),
    }
    return json.dumps(found, ensure_ascii=False, indent=2)
