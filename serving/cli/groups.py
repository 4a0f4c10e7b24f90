"""`zwrotnica groups`: users who share limits."""

from functools import partial
from pathlib import Path

import anyio
import click

from chatbot.types import JsonValue
from serving.auth.describing import group_fields, user_fields
from serving.auth.quotas import Quotas
from serving.auth.records import Account, Group, Limits
from serving.cli.accounts import ACTOR, JSON, open_accounts, show_table
from serving.cli.limits import limit_options, total_options
from serving.cli.terminal import printable_json
from serving.cli.text import Utf8


@click.group()
def groups() -> None:
    """Add, list, limit and fill groups; a running server sees it within two seconds."""


@groups.command()
@click.argument("name", type=Utf8())
@limit_options
@JSON
@click.pass_obj
def add(config: Path | None, name: str, *, limits: Limits, is_json: bool) -> None:
    """Add the group NAME; its members may use what any of their groups names."""

    async def work() -> Group:
        async with open_accounts(config) as opened:
            return await opened.accounts.add_group(name, limits=limits, actor=ACTOR)

    _show(anyio.run(work), "added", is_json=is_json)


@groups.command("list")
@JSON
@click.pass_obj
def list_groups(config: Path | None, *, is_json: bool) -> None:
    """Print every group with its members."""

    async def work() -> tuple[tuple[Group, ...], tuple[Account, ...]]:
        async with open_accounts(config) as opened:
            return await opened.accounts.list_groups(), await opened.accounts.list()

    found, accounts = anyio.run(work)
    members = {
        group.name: [account.name for account in accounts if group in account.groups]
        for group in found
    }
    if is_json:
        listed: list[JsonValue] = [
            {**group_fields(group), "members": [*members[group.name]]} for group in found
        ]
        click.echo(printable_json({"groups": listed}))
        return
    rows = [
        (
            group.name,
            _names(group.limits.engines),
            _names(group.limits.tools),
            ",".join(members[group.name]) or "-",
        )
        for group in found
    ]
    show_table(("NAME", "ENGINES", "TOOLS", "MEMBERS"), rows)


@groups.command()
@click.argument("name", type=Utf8())
@limit_options
@JSON
@click.pass_obj
def limit(config: Path | None, name: str, *, limits: Limits, is_json: bool) -> None:
    """Let each member of the group NAME use this alone and this much; without options anything."""

    async def work() -> Group:
        async with open_accounts(config) as opened:
            return await opened.accounts.limit_group(name, lambda _: limits, actor=ACTOR)

    _show(anyio.run(work), "limited", is_json=is_json)


@groups.command()
@click.argument("name", type=Utf8())
@total_options
@JSON
@click.pass_obj
def total(config: Path | None, name: str, *, quotas: Quotas, is_json: bool) -> None:
    """Let all members of the group NAME together use this much; without options anything."""

    async def work() -> Group:
        async with open_accounts(config) as opened:
            return await opened.accounts.limit_total(name, lambda _: quotas, actor=ACTOR)

    _show(anyio.run(work), "limited", is_json=is_json)


@groups.command()
@click.argument("name", type=Utf8())
@click.argument("user", type=Utf8())
@JSON
@click.pass_obj
def join(config: Path | None, name: str, user: str, *, is_json: bool) -> None:
    """Put USER into the group NAME."""
    account = anyio.run(partial(_set_member, config, name, user, is_member=True))
    told = printable_json(user_fields(account))
    click.echo(told if is_json else f"{user} is in {name}")


@groups.command()
@click.argument("name", type=Utf8())
@click.argument("user", type=Utf8())
@JSON
@click.pass_obj
def leave(config: Path | None, name: str, user: str, *, is_json: bool) -> None:
    """Take USER out of the group NAME."""
    account = anyio.run(partial(_set_member, config, name, user, is_member=False))
    told = printable_json(user_fields(account))
    click.echo(told if is_json else f"{user} is not in {name}")


async def _set_member(config: Path | None, name: str, user: str, *, is_member: bool) -> Account:
    async with open_accounts(config) as opened:
        return await opened.accounts.set_member(name, user, is_member=is_member, actor=ACTOR)


def _names(names: frozenset[str] | None) -> str:
    return "all" if names is None else ",".join(sorted(names)) or "none"


def _show(group: Group, done: str, *, is_json: bool) -> None:
    click.echo(printable_json(group_fields(group)) if is_json else f"{done} {group.name}")
