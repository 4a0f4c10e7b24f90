"""Keeps text honest on both ways: what models read of a conversation, and what people are shown."""

from chatbot.sanitizer.control import break_control_tokens
from chatbot.sanitizer.frame import map_frame_characters
from chatbot.sanitizer.guard import Guard, guard_text
from chatbot.sanitizer.images import leave_out_own_images, own_image_descriptions
from chatbot.sanitizer.views import chat_view, router_view
from chatbot.sanitizer.window import estimate_tokens, fit_window

__all__ = [
    "Guard",
    "break_control_tokens",
    "chat_view",
    "estimate_tokens",
    "fit_window",
    "guard_text",
    "leave_out_own_images",
    "map_frame_characters",
    "own_image_descriptions",
    "router_view",
]
