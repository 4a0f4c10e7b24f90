"""`zwrotnica users password` and `sign-out`: how people get in on the web, and out of it."""

import sys
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import anyio
import click

from serving.cli.accounts import ACTOR, open_accounts
from serving.cli.durations import Duration
from serving.cli.text import Utf8
from serving.settings import load_settings

_LASTS: Final = timedelta(days=1)
_PUBLIC: Final = "http://{host}:{port}"


@click.command()
@click.argument("name", type=Utf8())
@click.option(
    "--link",
    "makes_link",
    is_flag=True,
    help="Print a link by which the user sets a password, once; whoever has it can.",
)
@click.option(
    "--expires", type=Duration(), default=_LASTS, help="How long the link counts (default: 1d)."
)
@click.option("--remove", is_flag=True, help="Let the user sign in by no password any more.")
@click.pass_obj
def password(
    config: Path | None, name: str, *, makes_link: bool, expires: timedelta, remove: bool
) -> None:
    """Set the password of the user NAME, read from the terminal or a line of standard input.

    All sessions of the user end.
    """
    if makes_link and remove:
        raise click.UsageError("give --link or --remove, not both")
    if makes_link:
        click.echo(anyio.run(partial(_make_link, config, name, expires)))
        click.echo(f"whoever opens it can set the password of {name}, once", err=True)
        return
    given = None if remove else _read_password()
    anyio.run(partial(_change, config, name, given))
    click.echo(f"{'removed' if remove else 'set'} the password of {name}")


@click.command("sign-out")
@click.argument("name", type=Utf8())
@click.pass_obj
def sign_out(config: Path | None, name: str) -> None:
    """End every session of the user NAME on the web, and links to set a password; keys stay."""

    async def work() -> None:
        async with open_accounts(config) as opened:
            account = await opened.accounts.find(name)
            await opened.entrances.sign_ins.end_all(account.account_id, actor=ACTOR)

    anyio.run(work)
    click.echo(f"signed out {name}")


def _read_password() -> str:
    """Without an echo at a terminal, twice; else the first line."""
    if sys.stdin.isatty():
        return click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    try:
        given = sys.stdin.readline().rstrip("\r\n")
        given.encode()
    except UnicodeError:
        raise click.UsageError("the password is not UTF-8") from None  # the error would hold it
    return given


async def _change(config: Path | None, name: str, given: str | None) -> None:
    async with open_accounts(config) as opened:
        account = await opened.accounts.find(name)
        passwords = opened.entrances.new_passwords
        if given is None:
            await passwords.remove(account, actor=ACTOR)
        else:
            await passwords.set(account, given, actor=ACTOR)


async def _make_link(config: Path | None, name: str, lasts: timedelta) -> str:
    settings = load_settings(config, calls_engines=False)
    async with open_accounts(config) as opened:
        account = await opened.accounts.find(name)
        passwords = opened.entrances.new_passwords
        text = await passwords.make_link(account, lasts=lasts, actor=ACTOR)
    base = settings.public_url or _PUBLIC.format(host=settings.host, port=settings.port)
    return f"{base.rstrip('/')}/sign-in/password?link={text}"
