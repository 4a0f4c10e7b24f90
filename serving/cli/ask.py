"""`zwrotnica ask`: one turn in the terminal, streamed, with its route, tools and sources."""

from pathlib import Path

import anyio
import click

from chatbot.events import (
    ErrorEvent,
    Event,
    ImageEvent,
    ImageProgressEvent,
    RouteEvent,
    TextEvent,
    ToolCallEvent,
)
from chatbot.types import Message, Text, TurnRequest
from serving.assembly import Assembly, assemble, new_id
from serving.cli.terminal import printable, printable_json
from serving.cli.text import Utf8
from serving.gateway.completion import Told
from serving.gateway.route import told_fields
from serving.settings import Settings, load_settings


@click.command()
@click.argument("prompt", type=Utf8())
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object at the end.")
@click.option("--tool", "tools", multiple=True, help="Allow only this tool (may be repeated).")
@click.option("--force", help="Use this tool, or `default` for the language model.")
@click.pass_obj
def ask(
    config: Path | None, prompt: str, tools: tuple[str, ...], force: str | None, *, is_json: bool
) -> None:
    """Answer PROMPT; the answer goes to standard output, route and tools to standard error."""
    settings = load_settings(config)
    failure = anyio.run(_ask, settings, _request(prompt, tools, force, is_json=is_json), is_json)
    if failure is not None:
        raise click.ClickException(f"{failure.message} ({failure.code}, {failure.request_id})")


def _request(
    prompt: str, tools: tuple[str, ...], force: str | None, *, is_json: bool
) -> TurnRequest:
    return TurnRequest(
        messages=(Message(role="user", parts=(Text(text=prompt),)),),
        message_id=new_id(),
        request_id=new_id(),
        tools=tools or None,
        force=force,
        markup="markdown" if is_json else "plain",
    )


async def _ask(settings: Settings, request: TurnRequest, is_json: bool) -> ErrorEvent | None:
    told = Told(message_id=request.message_id, image_base="")
    async with assemble(settings) as assembly:
        _check_names(assembly, request)
        async with assembly.chatbot.turn(request) as turn:
            async for event in turn:
                told.take(event)
                if not is_json:
                    await _show(event, assembly)
        _end(told, is_json=is_json)
    return told.error


def _end(told: Told, *, is_json: bool) -> None:
    """The whole turn as one object, or the sources under what has been shown of it."""
    if is_json and told.error is None:
        click.echo(printable_json(told_fields(told)))
    elif told.text:
        click.echo()
        for source in told.sources:
            named = (source["source"], source["title"], source["licence"], source["url"])
            click.echo(printable(f"Źródło: {', '.join(str(item) for item in named if item)}"))


def _check_names(assembly: Assembly, request: TurnRequest) -> None:
    """A wrong name is an error of the command and not an answer."""
    names = [*(request.tools or ()), *((request.force,) if request.force else ())]
    for name in names:
        if name != "default":
            assembly.chatbot.tools.get(name)


async def _show(event: Event, assembly: Assembly) -> None:
    match event:
        case RouteEvent():
            tools = ", ".join(event.tools) or "model"
            _note(f"{tools} ({event.reason}, {event.engine or '-'}, {event.verdict_ms} ms)")
        case ToolCallEvent():
            _note(event.summary)
        case TextEvent(channel="answer"):
            click.echo(printable(event.text), nl=False)
        case ImageEvent():
            found = await assembly.images.find(event.url.rpartition("/")[2])
            click.echo(printable(f"\n[{event.alt}] {found.path}"), nl=False)
        case ImageProgressEvent():
            _note(f"krok {event.step} z {event.of}")
        case _:
            pass


def _note(text: str) -> None:
    click.echo(click.style(f"→ {printable(text)}", dim=True), err=True)
