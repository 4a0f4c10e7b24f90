"""The tools that every chatbot has."""

from chatbot.tools.tool import Tool

BUILT_IN: tuple[Tool, ...] = ()
