"""`zwrotnica users`: adds, lists, disables and enables users, and limits what they may use."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

import anyio
import click

from chatbot.types import JsonValue
from serving.auth.describing import user_fields
from serving.auth.records import Account, Limits
from serving.cli.accounts import ACTOR, JSON, open_accounts, show_table, show_time
from serving.cli.limits import limit_options
from serving.cli.passwords import password, sign_out
from serving.cli.person import open_person, write_holdings
from serving.cli.terminal import printable_json
from serving.cli.text import Utf8


@click.group()
def users() -> None:
    """Add, list and disable users; a running server sees it within two seconds."""


users.add_command(password)
users.add_command(sign_out)


@users.command()
@click.argument("name", type=Utf8())
@JSON
@click.pass_obj
def add(config: Path | None, name: str, *, is_json: bool) -> None:
    """Add the user NAME; make a key by 'zwrotnica keys create --user NAME'."""

    async def work() -> Account:
        async with open_accounts(config) as opened:
            return await opened.accounts.add(name, actor=ACTOR)

    _show(anyio.run(work), "added", is_json=is_json)


@users.command("list")
@JSON
@click.pass_obj
def list_users(config: Path | None, *, is_json: bool) -> None:
    """Print every user."""

    async def work() -> tuple[Account, ...]:
        async with open_accounts(config) as opened:
            return await opened.accounts.list()

    found = anyio.run(work)
    if is_json:
        listed: list[JsonValue] = [user_fields(account) for account in found]
        click.echo(printable_json({"users": listed}))
        return
    rows = [
        (
            account.name,
            account.account_id,
            ",".join(group.name for group in account.groups) or "-",
            "disabled" if account.disabled_at else "active",
            show_time(account.created_at),
        )
        for account in found
    ]
    show_table(("NAME", "ACCOUNT", "GROUPS", "STATE", "ADDED"), rows)


@users.command()
@click.argument("name", type=Utf8())
@JSON
@click.pass_obj
def disable(config: Path | None, name: str, *, is_json: bool) -> None:
    """Let no key of the user NAME count any more; what the user has stored stays."""
    _show(
        anyio.run(partial(_set_disabled, config, name, is_disabled=True)),
        "disabled",
        is_json=is_json,
    )


@users.command()
@click.argument("name", type=Utf8())
@JSON
@click.pass_obj
def enable(config: Path | None, name: str, *, is_json: bool) -> None:
    """Let the keys of the user NAME count again."""
    _show(
        anyio.run(partial(_set_disabled, config, name, is_disabled=False)),
        "enabled",
        is_json=is_json,
    )


@users.command()
@click.argument("name", type=Utf8())
@limit_options
@JSON
@click.pass_obj
def limit(config: Path | None, name: str, *, limits: Limits, is_json: bool) -> None:
    """Let the user NAME use this alone and this much; what is not given is not limited.

    Where the user has no limit of how much, that of the groups holds, else that of the settings.
    """

    async def work() -> Account:
        async with open_accounts(config) as opened:
            return await opened.accounts.limit(name, lambda _: limits, actor=ACTOR)

    _show(anyio.run(work), "limited", is_json=is_json)


@users.command()
@click.argument("name", type=Utf8())
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The ZIP archive to write; one that is there already is not touched.",
)
@click.pass_obj
def export(config: Path | None, name: str, target: Path) -> None:
    """Write all that is kept of the user NAME into an archive; CZYTAJ.txt in it names each file."""

    async def work() -> None:
        async with open_person(config) as person:
            await person.accounts.find(name)
            with _new_file(target) as archive:
                await write_holdings(person, name, archive)

    try:
        anyio.run(work)
    except OSError as error:
        raise click.ClickException(f"{target} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {target}")


@users.command()
@click.argument("name", type=Utf8())
@click.option("--yes", "is_sure", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(config: Path | None, name: str, *, is_sure: bool) -> None:
    """Delete the user NAME and all that the user has stored, for good; the ledger keeps sums."""
    if not is_sure:
        click.confirm(f"Delete {name!r} with all conversations, pictures and keys?", abort=True)

    async def work() -> int:
        async with open_person(config) as person:
            return await person.erasure.erase(await person.erasure.mark(name, actor=ACTOR))

    rows = anyio.run(work)
    click.echo(f"deleted {name} ({rows} rows); a running server stops what still runs within 2 s")


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file for its owner alone, that is there only when it is whole.

    Raises:
        OSError: it is there already, or cannot be written.
    """
    path.touch(mode=0o600, exist_ok=False)
    try:
        with path.open("wb") as file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


async def _set_disabled(config: Path | None, name: str, *, is_disabled: bool) -> Account:
    async with open_accounts(config) as opened:
        return await opened.accounts.set_disabled(name, is_disabled=is_disabled, actor=ACTOR)


def _show(account: Account, done: str, *, is_json: bool) -> None:
    told = printable_json(user_fields(account))
    click.echo(told if is_json else f"{done} {account.name} (account {account.account_id})")
