"""`zwrotnica engines list`: every server, whether it answers, how busy it is, who runs it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click
from pydantic import TypeAdapter

from serving.cli.terminal import printable, printable_json
from serving.engines.kinds import remote_engines
from serving.engines.states import EngineState
from serving.engines.status.listing import ListedEngine, read_engines
from serving.engines.status.load import EngineLoad
from serving.engines.status.status import Liveness
from serving.settings import Settings, load_settings

_TITLES: Final = ("ENGINE", "KIND", "MODEL", "ADDRESS", "STATE", "QUEUE", "CACHE", "ROLES")
_NONE: Final = "-"
_UNREAD: Final = "?"
_AGAIN_S: Final = 2.0
_SHORTEST_S: Final = 0.2
_STATES: Final[Mapping[Liveness, str]] = {
    "answers": "answers",
    "needs_key": "needs another key",
    "silent": "does not answer",
    "in_process": "in process",
}


_LISTED: Final = TypeAdapter(list[ListedEngine])


@click.command("list")
@click.option("--json", "is_json", is_flag=True, help="Print everything as JSON.")
@click.option(
    "--watch",
    "every_s",
    type=click.FloatRange(min=_SHORTEST_S),
    is_flag=False,
    flag_value=_AGAIN_S,
    default=None,
    metavar="[SECONDS]",
    help=f"Print it again and again, each so many seconds ({_AGAIN_S:g} where no number is given).",
)
@click.pass_obj
def list_engines(config: Path | None, *, is_json: bool, every_s: float | None) -> None:
    """Print every engine: what it is, whether it answers, its queue and cache, and its roles."""
    settings = load_settings(config)
    remote_engines(settings)
    asyncio.run(_show(settings, is_json=is_json, every_s=every_s))


async def _show(settings: Settings, *, is_json: bool, every_s: float | None) -> None:
    while True:
        listed = await read_engines(settings)
        if every_s is not None:
            click.clear()  # does nothing where the output is no terminal
        click.echo(_as_json(listed) if is_json else "\n".join(_lines(listed)))
        if every_s is None:
            return
        click.echo()
        await asyncio.sleep(every_s)


def _as_json(listed: list[ListedEngine]) -> str:
    rows = _LISTED.dump_python(listed, mode="json")
    return printable_json([row | row.pop("status") for row in rows])


def _lines(listed: Sequence[ListedEngine]) -> Iterator[str]:
    rows = [_TITLES, *(tuple(_cells(one)) for one in listed)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for place, row in enumerate(rows):
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()
        if place:
            yield from (f"  {printable(remark)}" for remark in _remarks(listed[place - 1]))


def _remarks(one: ListedEngine) -> Iterator[str]:
    """What the table has no room for: the supervisor's words, and what is wrong."""
    if one.is_drained:
        yield "drained: gets no new requests"
    if one.server is not None:
        yield _supervised(one.server)
    yield from one.status.problems


def _supervised(server: EngineState) -> str:
    facts = [f"server: {server.state} since {server.since.astimezone():%Y-%m-%d %H:%M:%S}"]
    if server.pid is not None:
        facts.append(f"process {server.pid}")
    if server.last_exit is not None:
        facts.append(f"last exit: {server.last_exit}")
    if server.restarts:
        facts.append(f"restarts: {server.restarts}")
    return ", ".join((*facts, f"log: {server.log}"))


def _cells(one: ListedEngine) -> Iterator[str]:
    status = one.status
    load = status.load or EngineLoad()
    unread = _UNREAD if status.has_load else _NONE
    yield from map(printable, (one.name, one.kind, one.model or _NONE, one.url or _NONE))
    yield _STATES[status.state]
    if status.load is None:
        yield from (unread, unread)
    else:
        yield f"{_shown(load.running)} running, {_shown(load.waiting)} waiting"
        yield _NONE if load.cache_share is None else f"{load.cache_share:.0%}"
    yield ", ".join(one.roles) or "by name only"


def _shown(count: int | None) -> str:
    return _UNREAD if count is None else str(count)
