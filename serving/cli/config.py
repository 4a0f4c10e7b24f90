"""`zwrotnica config`: every setting in force, where it comes from, and what it means."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from serving.settings import describe_settings, list_settings, load


@click.command()
@click.option("--docs", "is_page", is_flag=True, help="Print the page docs/settings.md instead.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON, with the meanings.")
@click.pass_obj
def config(path: Path | None, *, is_page: bool, is_json: bool) -> None:
    """Print every setting in force with its origin; secrets are masked."""
    if is_page:
        click.echo(describe_settings(), nl=False)
        return
    rows = list_settings(load(path))
    if is_json:
        click.echo(json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2))
        return
    width = max(len(f"{row.name} = {row.value}") for row in rows)
    for row in rows:
        click.echo(f"{f'{row.name} = {row.value}':<{width}}  # {row.origin}")
