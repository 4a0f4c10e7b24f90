"""`zwrotnica engines drain`: takes one server of an engine out of use, and back."""

from pathlib import Path
from typing import Final

import click

from serving.cli.terminal import printable
from serving.engines.replicas.drains import read_drained, write_drained
from serving.engines.states import engines_folder
from serving.settings import Settings, SettingsError, load_settings

_SEVERAL: Final = 2


@click.command("drain")
@click.argument("name")
@click.argument("url")
@click.option("--undo", is_flag=True, help="Give it requests again.")
@click.pass_obj
def drain(config: Path | None, name: str, url: str, *, undo: bool) -> None:
    """Give the server of engine NAME at URL no new requests; what runs on it goes on."""
    settings = load_settings(config, calls_engines=False)
    _check(settings, name, url)
    folder = engines_folder(settings.data_dir)
    drained = read_drained(folder, name)
    try:
        write_drained(folder, name, drained - {url} if undo else drained | {url})
    except OSError as error:
        raise SettingsError(f"cannot write to {str(folder)!r}: {error.strerror}") from error
    what = "gets requests again" if undo else "gets no new requests, and ends what runs on it"
    within_s = settings.engines[name].balance.probe_s
    click.echo(printable(f"{name}: within {within_s:g} s the server at {url} {what}."))


def _check(settings: Settings, name: str, url: str) -> None:
    engine = settings.engines.get(name)
    if engine is None:
        known = ", ".join(settings.engines) or "none is configured"
        raise click.UsageError(f"no engine {name!r}; engines: {known}")
    known_urls = [replica.url for replica in engine.urls]
    if len(known_urls) < _SEVERAL:
        raise click.UsageError(
            f"engine {name!r} has one server alone, which cannot be drained: nobody could take "
            "its requests"
        )
    if url not in known_urls:
        servers = ", ".join(known_urls)
        raise click.UsageError(f"engine {name!r} has no server {url!r}; its servers: {servers}")
    if not engine.balance.probe_s:
        raise click.UsageError(
            f"nobody would see it: engines.{name}.balance.probe_s is 0, so a running gateway does "
            "not look after its servers"
        )
