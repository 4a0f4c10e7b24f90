"""A stand-in for everything around a tool: scripted web, settings, clock, pictures."""

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import requests
from requests.adapters import BaseAdapter

from chatbot.ports import Clock, ImageEngine, Workers
from chatbot.testing.surroundings import InlineWorkers, ManualClock
from chatbot.tools.cache import TimedCache
from chatbot.tools.context import ToolContext
from chatbot.tools.threads import Threads
from chatbot.tools.tool import Tool
from chatbot.types import JsonValue

ScriptedReply: TypeAlias = "JsonValue | bytes | Exception"
Answering: TypeAlias = Callable[[requests.PreparedRequest], ScriptedReply]
Script: TypeAlias = Mapping[str, "ScriptedReply | Answering"]


class UnscriptedRequest(LookupError):
    """The tool asked for an address that its test did not script."""


class StandInSession(requests.Session):
    """A `requests.Session` that never touches the network.

    ``script`` maps addresses to replies. An address matches the requests that begin with it; the
    longest wins. A reply is JSON (dict, list), a body (str, bytes), a status (int), an exception
    to raise, or a function of the prepared request that gives one of these. `asked` keeps the
    addresses asked for, in order.
    """

    def __init__(self, script: Script) -> None:
        """Answer from ``script`` alone."""
        super().__init__()
        self.asked: list[str] = []
        self.trust_env = False
        self.adapters.clear()
        adapter = _ScriptedAdapter(script, self.asked)
        self.mount("https://", adapter)
        self.mount("http://", adapter)


class _ScriptedAdapter(BaseAdapter):
    def __init__(self, script: Script, asked: list[str]) -> None:
        super().__init__()
        self._script = script
        self._asked = asked

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:  # noqa: ANN401 - requests' own signature
        url = request.url or ""
        self._asked.append(url)
        fitting = [address for address in self._script if url.startswith(address)]
        if not fitting:
            known = ", ".join(self._script) or "nothing"
            raise UnscriptedRequest(f"The tool asked for {url!r}; the test scripted {known}.")
        reply = self._script[max(fitting, key=len)]
        return _respond(request, reply(request) if callable(reply) else reply)

    def close(self) -> None:
        """Nothing is open."""


def _respond(request: requests.PreparedRequest, reply: ScriptedReply) -> requests.Response:
    response = requests.Response()
    response.request = request
    response.url = request.url or ""
    response.status_code = 200
    response.encoding = "utf-8"
    match reply:
        case Exception():
            raise reply
        case bool() | None | float() | dict() | list():
            body = json.dumps(reply).encode()
        case int():
            body, response.status_code = b"", reply
        case bytes():
            body = reply
        case _:
            body = str(reply).encode()
    response.raw = io.BytesIO(body)
    return response


@dataclass(frozen=True, kw_only=True)
class StandIn:
    """What a tool is given in a test: ``web`` is a script of `StandInSession`.

    ``settings`` are those of ``[tools.NAME]``. What the tool reports is kept in ``progress`` and
    ``image_steps``.
    """

    web: Script = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    images: ImageEngine | None = None
    workers: Workers = field(default_factory=InlineWorkers)
    clock: Clock = field(default_factory=ManualClock)
    progress: list[tuple[float | None, str]] = field(default_factory=list)
    image_steps: list[tuple[int, int]] = field(default_factory=list)

    def context(self, tool: Tool, *, prepared: object = None) -> ToolContext:
        """The context of one call; make it inside a running event loop."""
        return ToolContext(
            settings=tool.settings_model.model_validate(dict(self.settings)),
            session=StandInSession(self.web),
            cache=TimedCache(clock=self.clock),
            workers=self.workers,
            images=self.images,
            clock=self.clock,
            deadline_s=tool.deadline_s,
            progress=lambda fraction, text: self.progress.append((fraction, text)),
            image_step=lambda step, of: self.image_steps.append((step, of)),
            prepared=prepared,
            threads=Threads(),
        )
