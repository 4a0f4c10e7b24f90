"""A model server on loopback that echoes what it was sent, or makes up sources and pictures."""

import json
from typing import TypeAlias

from scripted.service import Asked, Reply, ScriptedService, json_reply

PIECE_CHARS = 7
EVENT_STREAM = "text/event-stream"
Received: TypeAlias = list[dict[str, str]]


class Talker(ScriptedService):
    """Says all that it got (`says` unset), or `says`, in content and reasoning, in small pieces."""

    says: str | None = None

    def answer(self, asked: Asked) -> Reply:
        if asked.path != "/v1/chat/completions":
            return json_reply({"object": "list", "data": [{"id": "talker", "object": "model"}]})
        body = json.loads(asked.body)
        text = spoken(body["messages"]) if self.says is None else self.says
        pieces = [text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS)]
        deltas = [{name: piece} for name in ("reasoning_content", "content") for piece in pieces]
        events = [_chunk(delta) for delta in deltas] + [_chunk({}, finish="stop"), "[DONE]"]
        stream = "".join(f"data: {event}\n\n" for event in events)
        return Reply(body=stream.encode(), media_type=EVENT_STREAM)

    @property
    def received(self) -> list[Received]:
        """The messages of each request, in order."""
        return [
            json.loads(asked.body)["messages"]
            for asked in self.requests
            if asked.path == "/v1/chat/completions"
        ]


def spoken(messages: Received) -> str:
    """All that ``messages`` say, each under its role."""
    return "\n---\n".join(f"{message['role']}: {message['content']}" for message in messages)


def _chunk(delta: dict[str, str], *, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    head = {"id": "t", "object": "chat.completion.chunk", "created": 1, "model": "talker"}
    return json.dumps({**head, "choices": [choice]}, ensure_ascii=False)
