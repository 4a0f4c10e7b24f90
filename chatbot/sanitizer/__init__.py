"""Keeps text honest on both ways: what models read of a conversation, and what people are shown."""

from chatbot.sanitizer.body import body_digest, closing_of
from chatbot.sanitizer.control import break_control_tokens
from chatbot.sanitizer.frame import (
    Frame,
    describe_source,
    map_frame_characters,
    plain_url,
    room_for_source,
)
from chatbot.sanitizer.guard import Guard, guard_text
from chatbot.sanitizer.hosts import LinkPolicy
from chatbot.sanitizer.notices import leave_out_notices, write_notice
from chatbot.sanitizer.trust import Reason, Trust, Verdict, check_frames
from chatbot.sanitizer.views import chat_view, router_view
from chatbot.sanitizer.window import fit_window

__all__ = [
    "Frame",
    "Guard",
    "LinkPolicy",
    "Reason",
    "Trust",
    "Verdict",
    "body_digest",
    "break_control_tokens",
    "chat_view",
    "check_frames",
    "closing_of",
    "describe_source",
    "fit_window",
    "guard_text",
    "leave_out_notices",
    "map_frame_characters",
    "plain_url",
    "room_for_source",
    "router_view",
    "write_notice",
]
