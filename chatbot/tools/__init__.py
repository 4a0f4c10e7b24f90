"""The tool kit, the registry, and the built-in tools."""

from chatbot.errors import ToolError
from chatbot.tools.cache import TimedCache
from chatbot.tools.context import NoSettings, Progress, ToolContext
from chatbot.tools.installed import installed_tools
from chatbot.tools.registry import Registry, ToolLimits
from chatbot.tools.session import DeadlineSession, ForeignRedirect, Network, ResponseTooLarge
from chatbot.tools.threads import Threads
from chatbot.tools.tool import Tool, ToolRun, tool
from chatbot.types import Artifact, Attribution, Entity, Name, Text, ToolResult, WrittenIn

__all__ = [
    "Artifact",
    "Attribution",
    "DeadlineSession",
    "Entity",
    "ForeignRedirect",
    "Name",
    "Network",
    "NoSettings",
    "Progress",
    "Registry",
    "ResponseTooLarge",
    "Text",
    "Threads",
    "TimedCache",
    "Tool",
    "ToolContext",
    "ToolError",
    "ToolLimits",
    "ToolResult",
    "ToolRun",
    "WrittenIn",
    "installed_tools",
    "tool",
]
