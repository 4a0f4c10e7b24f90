"""Whether a run that was broken off can go on: only as the same run of the same servers."""

from collections.abc import Iterator
from dataclasses import asdict
from shlex import join

import click

from evals.bench.engine.record import Header, Server

_OF_THIS_START = {"servers", "command", "at", "client", "python", "aiohttp"}


def check_same(before: Header, now: Header, path: str) -> None:
    """Whether a run described by ``now`` measures what the record at ``path`` began.

    Raises:
        click.ClickException: it does not; tells all that differs.
    """
    if found := list(_differences(before, now)):
        raise click.ClickException(
            f"{path!r} is the record of another run ({'; '.join(found)}), which was begun by: "
            f"zwrotnica {join(before.command)}"
        )


def _differences(before: Header, now: Header) -> Iterator[str]:
    there, here = _describe(before), _describe(now)
    for name, value in there.items():
        if value != here[name]:
            yield f"{name}: {value} there, {here[name]} here"


def _describe(header: Header) -> dict[str, str]:
    """All of a header that every start of the same run has in common, as it is shown."""
    fields = {key: value for key, value in asdict(header).items() if key not in _OF_THIS_START}
    servers = ", ".join(_name(one) for one in header.servers)
    return {"servers": servers, **{key: str(value) for key, value in fields.items()}}


def _name(server: Server) -> str:
    return f"{server.name}={server.url},{server.model} ({server.version or 'no version'})"
