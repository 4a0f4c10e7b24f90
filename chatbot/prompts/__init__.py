"""The prompts, one template a file; `load` renders one."""

from chatbot.prompts.templates import load

__all__ = ["load"]
