"""What every played reply has in common: it is admitted, and every error becomes its end."""

from abc import ABC, abstractmethod
from typing import TypeAlias

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from chatbot.errors import ZwrotnicaError
from serving.billing import Bill, Reservation
from serving.gateway.admission import Ticket
from serving.gateway.idempotency import Recording, tell_again
from serving.gateway.services import Services
from serving.http.errors import wire_error
from serving.http.sse import EventStream

Asgi: TypeAlias = tuple[Scope, Receive, Send]


class Reply(Response, ABC):
    """A reply that is made while it is sent, in the request's own task."""

    def __init__(self, services: Services, reserved: Reservation) -> None:
        """Nothing happens before the reply is sent; ``reserved`` is what it costs at most."""
        super().__init__()
        self._services = services
        self._reserved = reserved
        self._request_id = reserved.request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; every error becomes a status or the stream's last event."""
        if self._reserved.idempotency is None:
            await self._serve((scope, receive, send), None)
            return
        recording = Recording(send, self._services.settings.billing.kept_reply_bytes)
        await self._serve((scope, receive, recording.send), recording)

    async def _serve(self, asgi: Asgi, recording: Recording | None) -> None:
        """Make the reply; ``recording`` hears one that may be asked for again."""
        limits = self._services.settings.limits
        stream = EventStream(
            *asgi,
            heartbeat_s=limits.heartbeat_s,
            write_s=limits.write_s,
            is_heard=recording is not None,
        )
        try:
            with (
                self._services.admission.admit() as ticket,
                self._services.billing.begin(self._reserved) as bill,
            ):
                if recording is not None or self._reserved.allowances:
                    await bill.confirm()  # no engine is asked for what was answered or refused
                await self._answer(ticket, stream, asgi, bill)
                if recording is not None and (whole := recording.whole) is not None:
                    bill.keep(whole)
        except ZwrotnicaError as error:
            if self._reserved.on_end is not None:
                self._reserved.on_end(0)  # where it was not even let in
            if (again := tell_again(error)) is not None:
                await again(*asgi)
            else:
                await stream.fail(wire_error(error, self._request_id))

    @abstractmethod
    async def _answer(self, ticket: Ticket, stream: EventStream, asgi: Asgi, bill: Bill) -> None:
        """Make the reply and send it, on ``stream`` or whole; nothing before ``bill`` is sure."""
