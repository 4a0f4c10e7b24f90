"""`zwrotnica events`: the JSON Schemas of the events of a turn, as `docs/events` has them."""

import json
from pathlib import Path

import click

from serving.gateway.events import event_schemas


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def events(folder: Path) -> None:
    """Write one schema a file into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in event_schemas().items():
        text = json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        (folder / f"{name}.schema.json").write_text(text, encoding="utf-8")
    click.echo(f"{len(event_schemas())} schemas in {click.format_filename(folder)}")
