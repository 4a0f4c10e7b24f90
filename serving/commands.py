"""A group of commands that are imported when they are called, so that each starts quickly."""

import difflib
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from typing import Final

import click

LINE_CHARS: Final = 70


class LazyGroup(click.Group):
    """A group that knows where its commands are, and what the help says of each.

    ``lazy`` gives for each name the place, ``module:command``, and the line in the help, empty for
    what is not listed; ``entry_group`` names the entry-point group in which other rooms register
    more.
    """

    def __init__(
        self,
        *args: object,
        lazy: Mapping[str, tuple[str, str]],
        entry_group: str | None = None,
        **options: object,
    ) -> None:
        """Take ``lazy`` and ``entry_group``; the rest is click's."""
        super().__init__(*args, **options)  # type: ignore[arg-type]  # click's own arguments
        self.lazy = lazy
        self.entry_group = entry_group

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of own commands and of those that other rooms register."""
        shown = (name for name, (_, line) in self.lazy.items() if line)
        return sorted({*shown, *self._registered(), *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name in self.lazy:
            command = resolve_name(self.lazy[cmd_name][0])
        elif cmd_name in (registered := self._registered()):
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
        rows = [(name, self._line(name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _registered(self) -> dict[str, EntryPoint]:
        if self.entry_group is None:
            return {}
        return {point.name: point for point in entry_points(group=self.entry_group)}

    def _line(self, name: str) -> str:
        if name in self.lazy:
            return self.lazy[name][1]
        command = self._registered()[name].load()
        return command.get_short_help_str(LINE_CHARS) if isinstance(command, click.Command) else ""
