"""Keeps text honest on both ways: what models read of a conversation, and what people are shown."""

from chatbot.sanitizer.control import break_control_tokens
from chatbot.sanitizer.frame import map_frame_characters
from chatbot.sanitizer.guard import Guard, guard_text
from chatbot.sanitizer.views import chat_view, router_view
from chatbot.sanitizer.window import fit_window

__all__ = [
    "Guard",
    "break_control_tokens",
    "chat_view",
    "fit_window",
    "guard_text",
    "map_frame_characters",
    "router_view",
]
