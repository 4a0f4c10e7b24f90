"""What the routes of one process work with, handed to them through the application's state."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from starlette.requests import Request

from chatbot.bot import Chatbot
from chatbot.ports import Clock
from chatbot.types import FinishReason, JsonObject, Usage
from serving.gateway.admission import Admission
from serving.settings import Settings
from serving.storage import StoredImages
from serving.telemetry import Metrics


class WholeReply(Protocol):
    """An engine's whole reply to a client's own request."""

    @property
    def body(self) -> Mapping[str, object]:
        """The JSON to send on."""
        ...

    @property
    def usage(self) -> Usage | None:
        """What the engine says it cost."""
        ...

    @property
    def finish(self) -> FinishReason | None:
        """Why it ended."""
        ...


class ForwardingEngine(Protocol):
    """An engine that takes a client's own chat completion; see `serving.engines`."""

    def forward(self, body: JsonObject) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Send the request on; the iterator gives whole events, ``[DONE]`` included."""
        ...

    async def forward_whole(self, body: JsonObject) -> WholeReply:
        """Send the request on and give its whole reply."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Services:
    """Everything that routes need; ``engines`` are those that clients can call by name."""

    settings: Settings
    chatbot: Chatbot
    engines: Mapping[str, ForwardingEngine]
    images: StoredImages
    admission: Admission
    metrics: Metrics
    clock: Clock
    new_id: Callable[[], str]
    account: str = "local"


def services_of(request: Request) -> Services:
    """The services that the application's lifespan has put in place."""
    services = request.app.state.services
    if not isinstance(services, Services):
        raise TypeError("the application was used outside its lifespan")
    return services


def request_id_of(request: Request) -> str:
    """The id under which this request is logged and answered."""
    return str(request.scope["request_id"])
