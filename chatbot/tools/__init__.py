"""The tool kit, the registry, and the built-in tools."""

from chatbot.tools.cache import TimedCache
from chatbot.tools.context import NoSettings, Progress, ToolContext
from chatbot.tools.registry import Registry, ToolLimits, installed_tools
from chatbot.tools.session import DeadlineSession, ForeignRedirect, Network, ResponseTooLarge
from chatbot.tools.threads import Threads
from chatbot.tools.tool import Tool, ToolRun, tool
from chatbot.types import Name, ToolResult

__all__ = [
    "DeadlineSession",
    "ForeignRedirect",
    "Name",
    "Network",
    "NoSettings",
    "Progress",
    "Registry",
    "ResponseTooLarge",
    "Threads",
    "TimedCache",
    "Tool",
    "ToolContext",
    "ToolLimits",
    "ToolResult",
    "ToolRun",
    "installed_tools",
    "tool",
]
