"""The command `zwrotnica`: finds the sub-command and turns errors into one clear line."""

import difflib
import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Final

import click

from chatbot.errors import InvalidRequest, ZwrotnicaError
from serving.settings import LogSettings, SettingsError
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
    "serve": ("serving.cli.serve:serve", "Serve the chatbot over HTTP."),
    "tools": ("serving.cli.tools:tools", "List, check and call the tools."),
    "ui": ("serving.cli.page:ui", "Serve the web chat alone."),
})
"""Own commands by name: where each is, and its line in the help."""

LINE_CHARS: Final = 70
FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130


class LazyGroup(click.Group):
    """Sub-commands that are imported only when they are called, so that each starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of own commands and of those that other rooms register."""
        return sorted({*OWN, *_registered(), *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name in OWN:
            command = resolve_name(OWN[cmd_name][0])
        elif cmd_name in (registered := _registered()):
            command = registered[cmd_name].load()
        else:
            return super().get_command(ctx, cmd_name)
        if not isinstance(command, click.Command):
            raise click.ClickException(f"{cmd_name!r} is registered but is no command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, naming the nearest command for an unknown one."""
        name = args[0] if args else ""
        if name and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1, cutoff=0.4)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"no such command {name!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help, without importing a single own command."""
        rows = [(name, _line(name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
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


def _registered() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _line(name: str) -> str:
    if name in OWN:
        return OWN[name][1]
    command = _registered()[name].load()
    return command.get_short_help_str(LINE_CHARS) if isinstance(command, click.Command) else ""
