"""Runs one tool by itself, offline."""

import anyio

from chatbot.testing.stand_in import StandIn
from chatbot.tools.tool import Tool
from chatbot.types import JsonValue, ToolResult


def run_tool(tool: Tool, stand_in: StandIn | None = None, /, **arguments: JsonValue) -> ToolResult:
    """Validate ``arguments``, prepare the tool if it wants it, run it, and give its result.

    ``stand_in`` replaces the web, the settings and the rest; without it the web is empty. Call it
    from an ordinary test function, not from a coroutine.

    Raises:
        ToolError: what the user would read.
        Exception: a bug in the tool, as it is: here it is not turned into an apology.
    """
    surroundings = stand_in or StandIn()

    async def run() -> ToolResult:
        prepared = await tool.prepare_with(surroundings.context(tool))
        return await tool.call(arguments, surroundings.context(tool, prepared=prepared))

    return anyio.run(run)
