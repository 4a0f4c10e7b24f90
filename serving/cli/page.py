"""`zwrotnica ui`: the web chat alone, in front of a gateway that runs elsewhere."""

import os
from pathlib import Path

import click

from serving.page.process import UI
from serving.settings import load_settings


@click.command()
@click.option("--gateway", help="Address of the gateway; else the one of the settings.")
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Port to listen on; 0: any free.")
@click.option("--chats", type=click.IntRange(min=1), help="Answers that are streamed at once.")
@click.option(
    "--notice",
    "notices",
    type=click.Choice(("privacy", "accessibility")),
    multiple=True,
    help="A notice that the gateway shows, to be linked to.",
)
@click.pass_obj
def ui(config: Path | None, /, notices: tuple[str, ...], **given: str | int | None) -> None:
    """Serve the web chat alone, in front of a gateway that runs."""
    linked = [word for name in notices for word in ("--notice", name)]
    os.execv(UI[0], [*page_command(config, **given), *linked])  # noqa: S606 (no shell: our own program)


def page_command(config: Path | None, /, **given: str | int | None) -> list[str]:
    """The program to become, with the options that are ``given``."""
    if given.get("gateway") is None:
        settings = load_settings(config, calls_engines=False)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        given["gateway"] = f"http://{host}:{settings.port}"
    options = {f"--{name}": str(value) for name, value in given.items() if value is not None}
    return [*UI, *(word for option in options.items() for word in option)]
