"""`zwrotnica engines check`: whether each engine does what it is configured for."""

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import anyio
import click

from serving.assembly import assemble, choose_dialect, choose_second_dialect
from serving.cli.terminal import printable, printable_json
from serving.clock import SystemClock
from serving.engines.checking.check import EngineCheck, Routing, check_engine
from serving.settings import Settings, load_settings

_SHOWN: Final = ("generates", "has_model", "sees_tools", "fits_dialect")


@click.command("check")
@click.argument("names", nargs=-1)
@click.option("--json", "is_json", is_flag=True, help="Print what was found as JSON.")
@click.pass_obj
def check(config: Path | None, names: tuple[str, ...], *, is_json: bool) -> None:
    """Ask each engine (or NAMES) for an answer, the routers' for a call; 1 when one is unfit."""
    settings = load_settings(config)
    for name in names:
        if name not in settings.engines:
            known = ", ".join(settings.engines) or "none is configured"
            raise click.UsageError(f"no engine {name!r}; engines: {known}")
    found = anyio.run(_check, settings, names)
    if is_json:
        click.echo(printable_json([asdict(one) | {"is_fit": one.is_fit} for one in found]))
    else:
        _print(found)
    if not all(one.is_fit for one in found):
        raise click.exceptions.Exit(1)


async def _check(settings: Settings, names: Sequence[str]) -> list[EngineCheck]:
    found = []
    async with assemble(settings) as assembly:
        for name in names or assembly.engines:
            if (engine := assembly.engines.get(name)) is None:
                continue
            for replica in engine.replicas:
                for routing in tuple(_routings(settings, name)) or (None,):
                    one = await check_engine(
                        replica.server, routing=routing, clock=SystemClock(), choose=secrets.choice
                    )
                    found.append(replace(one, url=replica.replica.url))
    return found


def _routings(settings: Settings, name: str) -> Iterator[Routing]:
    """What the routers ask of the engine ``name``, each with its own dialect."""
    router, own = settings.router, f"engines.{name}.dialect"
    if router.engine == name:
        setting = own if router.dialect is None else "router.dialect"
        yield Routing(role="router", dialect=choose_dialect(settings), setting=setting)
    second = choose_second_dialect(settings)
    if router.second_engine == name and second is not None:
        yield Routing(role="second router", dialect=second, setting=own)


def _print(found: Sequence[EngineCheck]) -> None:
    counted = Counter((one.engine, one.role) for one in found)
    if not found:
        click.echo("Only the embedded engine is there; it needs no check.")
    for one in found:
        facts = [
            f"{name}={getattr(one, name)}" for name in _SHOWN if getattr(one, name) is not None
        ]
        verdict = f" verdict {one.verdict_ms} ms" if one.verdict_ms is not None else ""
        role = f" as {one.role}" if one.role is not None else ""
        place = f" at {one.url}" if counted[one.engine, one.role] > 1 else ""
        word = "fit" if one.is_fit else "unfit"
        click.echo(f"{one.engine}{role}{place}: {word} {' '.join(facts)}{verdict}")
        for finding in one.findings:
            click.echo(f"  {finding.code}: {printable(finding.text)}")
