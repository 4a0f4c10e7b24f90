"""`zwrotnica engines`: lists the engines and checks that each does what it is configured for."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import anyio
import click

from chatbot.router import Dialect
from serving.assembly import SystemClock, assemble, choose_dialect
from serving.cli.engines_launching import show_command
from serving.cli.engines_listing import list_engines
from serving.cli.engines_profiles import show_profiles
from serving.engines.check import EngineCheck, check_engine
from serving.settings import Settings, load_settings

_SHOWN: Final = ("generates", "has_model", "sees_tools", "fits_dialect")


@click.group()
def engines() -> None:
    """List and check the engines; show how their servers are started."""


engines.add_command(list_engines)
engines.add_command(show_command)
engines.add_command(show_profiles)


@engines.command("check")
@click.argument("names", nargs=-1)
@click.option("--json", "is_json", is_flag=True, help="Print what was found as JSON.")
@click.pass_obj
def check(config: Path | None, names: tuple[str, ...], *, is_json: bool) -> None:
    """Ask each engine (or NAMES) for an answer, the router's for a call; 1 when one is unfit."""
    settings = load_settings(config)
    for name in names:
        if name not in settings.engines:
            known = ", ".join(settings.engines) or "none is configured"
            raise click.UsageError(f"no engine {name!r}; engines: {known}")
    found = anyio.run(_check, settings, names)
    if is_json:
        click.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=2))
    else:
        _print(found)
    if not all(one.is_fit for one in found):
        raise click.exceptions.Exit(1)


async def _check(settings: Settings, names: Sequence[str]) -> list[EngineCheck]:
    found = []
    async with assemble(settings) as assembly:
        for name in names or assembly.engines:
            if (engine := assembly.engines.get(name)) is not None:
                dialect = _dialect_of(settings, name)
                found.append(
                    await check_engine(
                        engine, dialect=dialect, clock=SystemClock(), choose=secrets.choice
                    )
                )
    return found


def _dialect_of(settings: Settings, name: str) -> Dialect | None:
    return choose_dialect(settings) if settings.router.engine == name else None


def _print(found: Sequence[EngineCheck]) -> None:
    if not found:
        click.echo("Only the embedded engine is there; it needs no check.")
    for one in found:
        facts = [
            f"{name}={getattr(one, name)}" for name in _SHOWN if getattr(one, name) is not None
        ]
        verdict = f" verdict {one.verdict_ms} ms" if one.verdict_ms is not None else ""
        click.echo(f"{one.engine}: {'fit' if one.is_fit else 'unfit'} {' '.join(facts)}{verdict}")
        for problem in one.problems:
            click.echo(f"  {problem}")
