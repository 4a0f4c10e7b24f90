"""The command `zwrotnica`: its sub-commands, and errors as one clear line."""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import click

from chatbot.errors import InvalidRequest, ZwrotnicaError
from serving.commands import LazyGroup
from serving.settings import LogSettings, SettingsError, multiply_on_one_thread
from serving.telemetry import configure_logging

GROUP: Final = "zwrotnica.commands"
OWN: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "ask": ("serving.cli.ask:ask", "Answer one message in the terminal."),
    "config": ("serving.cli.config:config", "Print every setting with its origin."),
    "db": ("serving.cli.database:database", "Bring the database up to date."),
    "engines": (
        "serving.cli.engines:engines",
        "List and check the engines; start their servers.",
    ),
    "events": ("serving.cli.events:events", "Write the JSON Schemas of the events."),
    "metrics": ("serving.cli.metrics:metrics", "Print what the kept metrics say of a time."),
    "groups": ("serving.cli.groups:groups", "Add, list, limit and fill groups of users."),
    "keys": ("serving.cli.keys:keys", "Make, list, revoke and replace keys."),
    "notices": (
        "serving.cli.notices:notices",
        "Write a privacy notice and an accessibility statement to fill in.",
    ),
    "retention": ("serving.cli.retention:retention", "Print how long what is kept stays."),
    "serve": ("serving.cli.serve:serve", "Serve the chatbot over HTTP."),
    "tools": ("serving.cli.tools:tools", "List, check and call the tools."),
    "usage": ("serving.cli.usage:usage", "Print what was used and charged."),
    "users": ("serving.cli.users:users", "Add, list, limit and disable users."),
    "worker": ("serving.cli.worker:worker", ""),
    "ui": ("serving.cli.page:ui", "Serve the web chat alone."),
})
"""Own commands by name: where each is, and its line in the help; without one it is not listed."""
FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130


@click.group(
    cls=LazyGroup,
    lazy=OWN,
    entry_group=GROUP,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Settings file; else ZWROTNICA_CONFIG, else ./zwrotnica.toml.",
)
@click.version_option(package_name="zwrotnica")
@click.pass_context
def zwrotnica(ctx: click.Context, config: Path | None) -> None:
    """A chatbot in Polish that switches each message to a tool or to a language model."""
    ctx.obj = config
    configure_logging(LogSettings(level="error"))


def main() -> None:
    """Run the command line and leave with its exit code: 0, 1 (failed) or 2 (misused)."""
    multiply_on_one_thread()
    try:
        sys.exit(zwrotnica.main(prog_name="zwrotnica", standalone_mode=False) or 0)
    except click.ClickException as error:
        click.echo(f"zwrotnica: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except ZwrotnicaError as error:
        click.echo(f"zwrotnica: {error.message}", err=True)
        sys.exit(MISUSED if isinstance(error, SettingsError | InvalidRequest) else FAILED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(FAILED)
    except OSError as error:
        if error.filename is None:
            raise  # of no file that somebody named: a fault of ours, to be seen whole
        click.echo(f"zwrotnica: {error.filename}: {error.strerror}", err=True)
        sys.exit(FAILED)
