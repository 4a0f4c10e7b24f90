"""`zwrotnica keys`: makes, lists, revokes and replaces keys."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import anyio
import click

from chatbot.types import JsonValue
from serving.auth.describing import as_text, entry_fields, key_fields, state_of
from serving.auth.keys import NewKey, Wish
from serving.auth.records import Account, ApiKey, AuditEntry
from serving.auth.scopes import ALL, USUAL, Scope, Scopes, list_scopes
from serving.cli.accounts import ACTOR, JSON, open_accounts, show_table, show_time
from serving.cli.durations import Duration
from serving.cli.terminal import printable_json
from serving.cli.text import Utf8

_HEADS: Final = ("ID", "USER", "NAME", "SCOPES", "STATE", "EXPIRES", "LAST USED")
_MOST: Final = 1_000_000


class ScopeList(click.ParamType[Scopes]):
    """Scopes, separated by commas."""

    name = "scopes"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Scopes:
        """Read them."""
        if isinstance(value, frozenset):
            return value
        names = [name.strip() for name in str(value).split(",") if name.strip()]
        if unknown := [name for name in names if name not in list_scopes(ALL)]:
            known = ", ".join(list_scopes(ALL))
            self.fail(f"there is no scope {unknown[0]!r}; the scopes are {known}", param, ctx)
        if not names:
            self.fail("name at least one scope", param, ctx)
        return frozenset(map(Scope, names))


@click.group()
def keys() -> None:
    """Make, list, revoke and replace keys; a running server sees it within two seconds."""


@keys.command("create")
@click.option(
    "--user", type=Utf8(), help="Whose key it is; unset: 'local', the account of the time before."
)
@click.option("--name", type=Utf8(), default="", help="What it is for.")
@click.option(
    "--scopes",
    type=ScopeList(),
    help="Unset: all but admin; all for the first key, where no user is named.",
)
@click.option("--expires", type=Duration(), help="How long it counts: 12h, 90d; unset: always.")
@JSON
@click.pass_obj
def create(
    config: Path | None,
    user: str | None,
    name: str,
    scopes: Scopes | None,
    expires: timedelta | None,
    *,
    is_json: bool,
) -> None:
    """Make a key and print it, this once; the first one closes the server for everyone else.

    It opens all but administration unless '--scopes' says otherwise; the first of 'local', all.
    """
    made, account = anyio.run(_create, config, user, name, scopes, expires)
    _show_new(made, account.name, is_json=is_json)
    if scopes is None and made.key.scopes != ALL and not is_json:
        rest = ",".join(list_scopes(ALL - made.key.scopes))
        click.echo(f"It opens no more than that; '--scopes' names more: {rest}.", err=True)


@keys.command("list")
@click.option("--user", type=Utf8(), help="Only this user's.")
@JSON
@click.pass_obj
def list_keys(config: Path | None, user: str | None, *, is_json: bool) -> None:
    """Print every key, without its secret."""
    found, names, now = anyio.run(_list, config, user)
    if is_json:
        listed: list[JsonValue] = [
            key_fields(key, names.get(key.account_id, ""), now) for key in found
        ]
        click.echo(printable_json({"keys": listed}))
        return
    rows = [
        (
            key.key_id,
            names.get(key.account_id, ""),
            key.name or "-",
            ",".join(list_scopes(key.scopes)),
            state_of(key, now),
            show_time(key.ends_at),
            show_time(key.last_used_at),
        )
        for key in found
    ]
    show_table(_HEADS, rows)


@keys.command()
@click.argument("key_id", metavar="ID", type=Utf8())
@JSON
@click.pass_obj
def revoke(config: Path | None, key_id: str, *, is_json: bool) -> None:
    """Let the key ID not count any more, for good."""
    key = anyio.run(_revoke, config, key_id)
    told = {"id": key.key_id, "revoked_at": as_text(key.revoked_at)}
    click.echo(printable_json(told) if is_json else f"revoked {key.key_id}")


@keys.command()
@click.argument("key_id", metavar="ID", type=Utf8())
@click.option(
    "--overlap", type=Duration(), default="1d", show_default=True, help="How long ID still counts."
)
@JSON
@click.pass_obj
def rotate(config: Path | None, key_id: str, overlap: timedelta, *, is_json: bool) -> None:
    """Make a key like the key ID, print it this once, and let ID count a while longer."""
    made, name = anyio.run(_rotate, config, key_id, overlap)
    _show_new(made, name, is_json=is_json)


@keys.command("log")
@click.option(
    "--last", type=click.IntRange(1, _MOST), default=50, show_default=True, help="How many."
)
@JSON
@click.pass_obj
def show_log(config: Path | None, last: int, *, is_json: bool) -> None:
    """Print the last changes of users, groups and keys, the newest first."""

    async def work() -> tuple[AuditEntry, ...]:
        async with open_accounts(config) as opened:
            return await opened.accounts.log(last)

    found = anyio.run(work)
    if is_json:
        listed: list[JsonValue] = [entry_fields(entry) for entry in found]
        click.echo(printable_json({"changes": listed}))
        return
    rows = [
        (show_time(entry.at), entry.actor, entry.action, entry.subject, _details(entry))
        for entry in found
    ]
    show_table(("TIME", "BY", "CHANGE", "OF", "DETAILS"), rows)


def _details(entry: AuditEntry) -> str:
    return " ".join(f"{name}={value}" for name, value in entry.details.items() if value)


def _show_new(made: NewKey, user: str, *, is_json: bool) -> None:
    key = made.key
    if is_json:
        told = {**key_fields(key, user, key.created_at), "key": made.text.whole}
        click.echo(printable_json(told))
        return
    scopes = ", ".join(list_scopes(key.scopes))
    until = f", until {show_time(key.expires_at)} UTC" if key.expires_at else ""
    click.echo(f"A key of {user!r} for {scopes}{until}. It is shown this once:", err=True)
    click.echo(made.text.whole)


async def _create(
    config: Path | None,
    user: str | None,
    name: str,
    scopes: Scopes | None,
    expires: timedelta | None,
) -> tuple[NewKey, Account]:
    async with open_accounts(config) as opened:
        accounts, stored = opened.accounts, opened.keys
        account = await (
            accounts.find_or_add_local(actor=ACTOR) if user is None else accounts.find(user)
        )
        is_first = user is None and not await stored.count()
        wish = Wish(
            account_id=account.account_id,
            name=name,
            scopes=scopes or (ALL if is_first else USUAL),
            expires_at=None if expires is None else opened.clock.now() + expires,
        )
        return await stored.create(wish, actor=ACTOR), account


async def _list(
    config: Path | None, user: str | None
) -> tuple[tuple[ApiKey, ...], dict[str, str], datetime]:
    async with open_accounts(config) as opened:
        owner = None if user is None else (await opened.accounts.find(user)).account_id
        names = {one.account_id: one.name for one in await opened.accounts.list()}
        return await opened.keys.list(owner), names, opened.clock.now()


async def _revoke(config: Path | None, key_id: str) -> ApiKey:
    async with open_accounts(config) as opened:
        return await opened.keys.revoke(key_id, actor=ACTOR)


async def _rotate(config: Path | None, key_id: str, overlap: timedelta) -> tuple[NewKey, str]:
    async with open_accounts(config) as opened:
        made = await opened.keys.rotate(key_id, overlap=overlap, actor=ACTOR)
        names = {one.account_id: one.name for one in await opened.accounts.list()}
        return made, names[made.key.account_id]
