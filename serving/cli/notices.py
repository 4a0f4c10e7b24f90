"""`zwrotnica notices`: the operator's own pages, to be filled in."""

from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

import click

from serving.cli.text import Utf8
from serving.gateway.notices.rendering import UNFILLED

_TEMPLATES: Final = MappingProxyType({
    "privacy_notice": "privacy.pl.md",
    "accessibility_statement": "accessibility.pl.md",
})
"""The files by the settings that name them."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def notices(folder: Path) -> None:
    """Write a privacy notice and an accessibility statement (Polish law) to fill in into FOLDER.

    A file that is there already stays; then its open fields are counted.
    """
    Utf8().convert(str(folder.absolute()), None, None)  # the lines below are for a TOML file
    folder.mkdir(parents=True, exist_ok=True)
    for name in _TEMPLATES.values():
        path = folder / name
        if not path.exists():
            template = files("serving.gateway.notices").joinpath(name)
            path.write_bytes(template.read_bytes())
        left = len(UNFILLED.findall(_read(path)))
        click.echo(f"{path}: {left} fields {{{{…}}}} to fill in")
    click.echo("\n[page]")
    for setting, name in _TEMPLATES.items():
        click.echo(f'{setting} = "{(folder / name).absolute()}"')


def _read(path: Path) -> str:
    """Its text, as the gateway will read it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.ClickException(
            f"{path} is not UTF-8; save it as UTF-8, or move it away and run this again"
        ) from error
