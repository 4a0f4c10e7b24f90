"""`zwrotnica tools`: lists, checks and calls the tools without any model."""

import json
from pathlib import Path

import anyio
import click

from chatbot.errors import ToolArgumentError
from chatbot.testing import check_tool
from chatbot.tools import Tool, ToolRun, installed_tools
from chatbot.tools.workers import ProcessWorkers
from chatbot.types import JsonObject, JsonValue, ToolCall
from serving.assembly import PRELOADED, build_registry, new_id, open_image_engine
from serving.cli.terminal import printable, printable_json
from serving.cli.text import Utf8
from serving.clock import SystemClock
from serving.settings import Settings, load_settings


@click.group()
def tools() -> None:
    """List, check and call the tools."""


@tools.command("list")
@click.pass_obj
def list_tools(config: Path | None) -> None:
    """Print every installed tool: name, title, and whether it is enabled."""
    settings = load_settings(config)
    registry = build_registry(settings, workers=ProcessWorkers(), clock=SystemClock())
    for tool in installed_tools():
        state = "enabled" if tool.name in registry.names else "disabled"
        section = f"[tools.{tool.key}]"
        click.echo(f"{tool.name:<20} {state:<9} {section:<20} {tool.spec.title}")


@tools.command("check")
@click.argument("names", nargs=-1)
def check(names: tuple[str, ...]) -> None:
    """Say what should be better about the tools NAMES, or about all; 1 when there is anything."""
    faults = 0
    for tool in _choose(names):
        found = check_tool(tool)
        faults += len(found)
        click.echo(f"{tool.name}: {'good' if not found else ''}".rstrip())
        for fault in found:
            click.echo(f"  {fault}")
    if faults:
        raise click.exceptions.Exit(1)


@tools.command("call")
@click.argument("name")
@click.argument("arguments", nargs=-1, type=Utf8(), metavar="[KEY=VALUE]...")
@click.option("--json", "is_json", is_flag=True, help="Print the whole result as JSON.")
@click.pass_obj
def call(config: Path | None, name: str, arguments: tuple[str, ...], *, is_json: bool) -> None:
    """Call the tool NAME with arguments such as city=Łódź; values may be JSON."""
    run = anyio.run(_call, load_settings(config), name, _read_arguments(arguments))
    if run.result is None:
        raise click.ClickException(printable(run.outcome.error or "the tool failed"))
    result = run.result
    if is_json:
        fields = {
            "content": result.content,
            "plain": result.plain,
            "sources": [source.url or source.source for source in result.attribution],
            "images": [f"{item.media_type}, {len(item.data)} B" for item in result.artifacts],
            "ms": run.outcome.ms,
        }
        click.echo(printable_json(fields))
        return
    click.echo(printable(result.plain or result.content))
    for source in result.attribution:
        named = filter(None, (source.source, source.title, source.url))
        click.echo(printable(f"Źródło: {', '.join(named)}"))
    for artifact in result.artifacts:
        click.echo(f"Obraz: {artifact.width}×{artifact.height}, {len(artifact.data)} B")


async def _call(settings: Settings, name: str, arguments: JsonObject) -> ToolRun:
    clock = SystemClock()
    async with (
        ProcessWorkers(preload=PRELOADED) as workers,
        open_image_engine(settings, clock=clock) as images,
    ):
        registry = build_registry(settings, workers=workers, clock=clock, images=images)
        tool = registry.get(name)
        try:
            checked = tool.validate(arguments)
        except ToolArgumentError as error:
            raise click.UsageError(error.message) from error
        async with registry:
            order = ToolCall(
                call_id=new_id(), name=name, arguments=checked, raw_arguments=arguments
            )
            return await registry.run(order)


def _choose(names: tuple[str, ...]) -> tuple[Tool, ...]:
    installed = {tool.name: tool for tool in installed_tools()}
    for name in names:
        if name not in installed:
            raise click.UsageError(f"no tool {name!r}; installed: {', '.join(installed)}")
    return tuple(installed[name] for name in names or installed)


def _read_arguments(pairs: tuple[str, ...]) -> JsonObject:
    arguments: dict[str, JsonValue] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key:
            raise click.UsageError(f"write arguments as key=value, not {pair!r}")
        arguments[key] = _read_value(value)
    return arguments


def _read_value(text: str) -> JsonValue:
    """Objects, lists, truth values and null as JSON; anything else, numbers too, as text."""
    if text[:1] in {"{", "["} or text in {"true", "false", "null"}:
        try:
            value: JsonValue = json.loads(text)
        except (ValueError, RecursionError):
            return text
        return value
    return text
