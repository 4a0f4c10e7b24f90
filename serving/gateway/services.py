"""What the routes of one process work with, handed to them through the application's state."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol

from anyio import CapacityLimiter
from starlette.requests import Request

from chatbot.bot import Chatbot
from chatbot.ports import Clock
from chatbot.types import Artifact, FinishReason, ImageRequest, JsonObject, Usage
from serving.auth.accounts import Accounts
from serving.auth.authenticator import Authenticator
from serving.auth.keys import Keys
from serving.auth.signing_in.opening import Entrances
from serving.billing import Billing
from serving.engines.event_screen import EventScreen
from serving.gateway.admission import Admission
from serving.gateway.conversations.live import LiveAnswers
from serving.gateway.erasing import Erasing
from serving.limits import Pacer
from serving.settings import Settings
from serving.storage import Keyring, StoredImages
from serving.storage.calls import CallStore
from serving.storage.conversations import Conversations
from serving.storage.database import Database
from serving.telemetry import Metrics

EXPORT_THREADS: Final = 2


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


class ForwardedEvents(Protocol):
    """An engine's reply to a client's own request: whole events, ``[DONE]`` included."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        """The events as a task reads them."""
        ...

    def screen_with(self, screen: EventScreen) -> None:
        """Give only what ``screen`` shows, and raise its refusal where it has one."""
        ...

    async def pour(
        self,
        write: Callable[[bytes], bool],
        write_chunk: Callable[[bytes], bool] | None = None,
    ) -> None:
        """Give all further events to ``write`` as they come; false pauses until `resume`.

        Those that come in chunks of HTTP of their own go to ``write_chunk``, if there is one.
        """
        ...

    def resume(self) -> None:
        """Read on."""
        ...

    @property
    def finish(self) -> FinishReason | None:
        """Why the first choice ended, as soon as it has."""
        ...


class ForwardingEngine(Protocol):
    """An engine that takes a client's own chat completion; see `serving.engines`."""

    def forward(self, body: JsonObject) -> AbstractAsyncContextManager[ForwardedEvents]:
        """Send the request on, and give the reply's events."""
        ...

    async def forward_whole(self, body: JsonObject) -> WholeReply:
        """Send the request on and give its whole reply."""
        ...


class DrawingEngine(Protocol):
    """Draws a picture while its caller waits; see `serving.engines.pictures.image_api`."""

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    async def draw(self, request: ImageRequest, *, deadline_s: float) -> Artifact:
        """Draw one picture within ``deadline_s`` seconds; a caller that leaves ends it."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Services:
    """Everything that routes need.

    ``engines`` are those that clients can call by name; ``image_engine`` draws pictures, if there
    is one. ``live`` are the answers of the Chat API that are being made; ``calls`` those of
    ``/v1/chat/completions``, without any user's text. ``export_lane`` bounds the threads that
    exports and imports may keep busy.
    """

    settings: Settings
    chatbot: Chatbot
    engines: Mapping[str, ForwardingEngine]
    images: StoredImages
    keyring: Keyring
    admission: Admission
    metrics: Metrics
    clock: Clock
    new_id: Callable[[], str]
    database: Database
    conversations: Conversations
    calls: CallStore
    live: LiveAnswers
    authenticator: Authenticator
    accounts: Accounts
    keys: Keys
    entrances: Entrances
    billing: Billing
    pacer: Pacer
    erasing: Erasing
    image_engine: DrawingEngine | None = None
    export_lane: CapacityLimiter = field(default_factory=partial(CapacityLimiter, EXPORT_THREADS))


def services_of(request: Request) -> Services:
    """The services that the application's lifespan has put in place."""
    services = request.app.state.services
    if not isinstance(services, Services):
        raise TypeError("the application was used outside its lifespan")
    return services


def request_id_of(request: Request) -> str:
    """The id under which this request is logged and answered."""
    return str(request.scope["request_id"])
