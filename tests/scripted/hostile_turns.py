"""Hostile text on its way through the gateway: what brings it, and every sink it can reach."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from functools import cache
from typing import Annotated, Any

import requests
from pydantic import Field
from scripted.gateway import call
from scripted.hostile_text import CANARY, obedient
from scripted.renderers import EXTENDED, RENDERERS, active, addresses
from scripted.service import Asked, Reply
from scripted.talker import Talker, spoken

from chatbot.errors import ToolError
from chatbot.testing import ONE_PIXEL_PNG, ScriptedEngine
from chatbot.tools import Tool, ToolContext, tool
from chatbot.tools.results import ToolPart
from chatbot.types import Artifact, Attribution, ChatRequest, Delta, Text, ToolResult

_NAME = re.compile(r"\b\w+_\d+\b")
REMEMBERED = (
    {"role": "system", "content": f"Jesteś asystentem. Hasło systemu: {CANARY}."},
    {"role": "user", "content": f"Zapamiętaj: moje hasło to {CANARY}."},
    {"role": "assistant", "content": "Dobrze, zapamiętam."},
)
"""A conversation whose history and system prompt hold the canary."""


def plugin(name: str, text: str) -> Tool:
    """A tool whose every text is ``text``: result, source, title, licence, notice, picture."""

    @tool(name=name, title="Wtyczka", examples=["co mówi wtyczka?"])
    async def hostile(
        ctx: ToolContext, query: Annotated[str, Field(description="What to ask")] = ""
    ) -> ToolResult:
        """Say what is hostile."""
        ctx.progress(0.5, text)
        dot = Artifact(media_type="image/png", data=ONE_PIXEL_PNG, alt=text, width=1, height=1)
        source = Attribution(
            source=text, title=text, licence=text, url=f"https://zrodlo.example/?{text[:40]}"
        )
        return ToolResult(content=text, attribution=(source,), artifacts=(dot,), notices=(text,))

    return hostile


def failing(name: str, text: str) -> Tool:
    """A tool that fails with ``text``."""

    @tool(name=name, title="Wtyczka", examples=["zawiedź"])
    async def broken() -> str:
        """Fail."""
        raise ToolError(text)

    return broken


def speaking(name: str, *texts: str) -> Tool:
    """A tool that gives ``texts`` in parts."""

    @tool(name=name, title="Wtyczka", examples=["mów"])
    async def parts() -> AsyncIterator[ToolPart]:
        """Speak."""
        for text in texts:
            yield Text(text=text)

    return parts


def calling(*names: str, **arguments: str) -> ScriptedEngine:
    """A router model that calls the tools ``names`` at once."""
    first, *rest = names
    more = "".join(
        f'; {{"name": "{name}", "parameters": {json.dumps(arguments)}}}' for name in rest
    )
    return ScriptedEngine(script=(*call(first, json.dumps(arguments)), more))


def calling_the_named() -> ScriptedEngine:
    """A router model that calls the tool whose name the prompt ends with."""

    def name_last(request: ChatRequest) -> tuple[str, ...]:
        return call(_NAME.findall(request.messages[-1].text)[-1])

    return ScriptedEngine(script=name_last)


def saying(text: str, *, piece_chars: int = 7) -> ScriptedEngine:
    """A default model that says and thinks ``text``."""
    pieces = [text[at : at + piece_chars] for at in range(0, len(text), piece_chars)]
    thoughts = [Delta(reasoning=piece) for piece in pieces]
    return ScriptedEngine(script=[*thoughts, *pieces, Delta(finish="stop")])


class Obedient(Talker):
    """A model server that does what it reads: see `hostile_text.obedient`."""

    def answer(self, asked: Asked) -> Reply:
        if asked.path == "/v1/chat/completions":
            self.says = obedient(spoken(json.loads(asked.body)["messages"]))
        return super().answer(asked)


def complete(url: str, *messages: dict[str, str], **more: object) -> requests.Response:
    body = {"model": "zwrotnica", "messages": messages, **more}
    return requests.post(f"{url}/v1/chat/completions", json=body, timeout=60)


def asked(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def chunks(reply: requests.Response) -> list[Any]:  # Any: JSON
    lines = reply.content.decode().split("\n")
    return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]


def told_texts(value: object) -> Iterator[str]:
    """Every text in a reply, keys too."""
    match value:
        case str():
            yield value
        case dict():
            for key, item in value.items():
                yield key
                yield from told_texts(item)
        case list():
            for item in value:
                yield from told_texts(item)


@cache
def leaks(shown: str, *, own_images: int = 0) -> tuple[str, ...]:
    """What a page would fetch or run if ``shown`` were a message, in any of twelve renderings.

    ``own_images``: pictures of ours that it may draw. No address may carry the canary's host.
    """
    found = []
    for is_extended, renderers in ((False, RENDERERS), (True, EXTENDED)):
        for name, render in renderers.items():
            html = render(shown)
            seen = active(html, is_extended=is_extended)
            own = sorted(one for one in seen if one in {"img", "img@src", "img@alt"})
            if own == sorted(["img", "img@src", "img@alt"] * own_images):
                seen = [one for one in seen if one not in own]
            found += [f"{name}: {one}" for one in seen]
            found += [f"{name}: {one}" for one in addresses(html) if f"{CANARY}." in one]
    return tuple(found)
