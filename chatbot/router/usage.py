"""Counts what a model read and wrote: by its engine's figures, else by an estimate."""

import json
from dataclasses import dataclass

from chatbot.types import ChatRequest, Delta, Leg, LegRole, Usage

_BYTES_PER_TOKEN = 3
_MOST_TOKENS = 10_000_000  # a figure above this is no count


@dataclass(kw_only=True)
class Meter:
    """Follows one stream; `leg` is its usage."""

    engine: str
    request: ChatRequest
    role: LegRole = "router"
    received: int = 0
    usage: Usage | None = None

    def feed(self, delta: Delta) -> None:
        """Count what ``delta`` brought; the last usable usage that an engine tells stands.

        Where another engine answers than was asked, the leg is its.
        """
        if delta.engine:
            self.engine = delta.engine
        if delta.text:
            self.received += len(delta.text.encode())
        if delta.reasoning:
            self.received += len(delta.reasoning.encode())
        for call in delta.calls:
            self.received += len((call.name or "").encode()) + len(call.arguments.encode())
        if delta.usage is not None and _is_plausible(delta.usage):
            self.usage = delta.usage

    def leg(self) -> Leg:
        """The engine's usage, or ceil(UTF-8 bytes / 3) of what was sent and received."""
        usage = self.usage or Usage(
            prompt_tokens=_estimate(_sent_bytes(self.request)),
            completion_tokens=_estimate(self.received),
            source="estimate",
        )
        return Leg(
            engine=self.engine,
            role=self.role,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            source=usage.source,
        )


def _is_plausible(usage: Usage) -> bool:
    return all(
        0 <= count <= _MOST_TOKENS for count in (usage.prompt_tokens, usage.completion_tokens)
    )


def _estimate(size: int) -> int:
    return -(-size // _BYTES_PER_TOKEN)


def _sent_bytes(request: ChatRequest) -> int:
    messages = sum(len(message.text.encode()) for message in request.messages)
    return messages + sum(
        len(json.dumps([tool.name, tool.description, tool.parameters], ensure_ascii=False).encode())
        for tool in request.tools
    )
