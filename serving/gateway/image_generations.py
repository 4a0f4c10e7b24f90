"""`POST /v1/images/generations`: pictures by the connected engine, as links or in base64."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

import anyio
from starlette.requests import Request
from starlette.responses import Response

from chatbot.bot.screening import screen_text
from chatbot.errors import (
    Draining,
    EngineError,
    ErrorCode,
    InvalidRequest,
    SensitiveContent,
    ToolError,
    ZwrotnicaError,
)
from chatbot.sanitizer import guard_text
from chatbot.sanitizer.sensitive import Safety
from chatbot.types import Artifact, ImageRequest, JsonValue
from serving.billing import AlreadyDone, Bill, Prices, Reservation, WholeReply
from serving.gateway.authorization import caller_of
from serving.gateway.completion import encode
from serving.gateway.idempotency import named, read_key, tell_again
from serving.gateway.image_wire import Order, read_order
from serving.gateway.pacing import paced
from serving.gateway.public_address import base_of_links
from serving.gateway.reserving import reserve_images
from serving.gateway.services import DrawingEngine, Services, request_id_of, services_of
from serving.http.body import read_body
from serving.http.departure import Departure
from serving.http.errors import Refusal

_WORDS: Final[Mapping[ErrorCode, str]] = MappingProxyType({
    ErrorCode.ENGINE_UNAVAILABLE: (
        "Model obrazów jest teraz niedostępny. Spróbuj ponownie za chwilę."
    ),
    ErrorCode.ENGINE_TIMEOUT: (
        "Model obrazów nie zdążył narysować obrazu. Spróbuj ponownie za chwilę."
    ),
    ErrorCode.ENGINE_LOST: "Model obrazów nie oddał całego obrazu. Spróbuj ponownie za chwilę.",
    ErrorCode.QUEUE_FULL: "Model obrazów ma teraz zbyt wiele zleceń. Spróbuj ponownie później.",
})
_JSON: Final = "application/json"
_NO_ENGINE: Final = (
    "no image engine is connected; start one ('zwrotnica images serve') and set images.engine.url"
)


async def create_images(request: Request) -> Response:
    """Draw pictures, as OpenAI's image generations do; a client that leaves ends it."""
    services = services_of(request)
    settings = services.settings
    payload = await read_body(request, settings.limits)
    order = read_order(payload, settings.images, settings.limits)
    engine = _choose_engine(services, order)
    order = await _screen(order, services.chatbot.safety)
    reserved = reserve_images(
        caller_of(request),
        services.billing.prices,
        request_id=request_id_of(request),
        model=engine.model,
        number=len(order.requests),
    )
    reserved = await paced(request, named(reserved, read_key(request, payload)))
    try:
        return await _serve(services, order, engine, request, reserved)
    except AlreadyDone as error:
        if (again := tell_again(error)) is None:
            raise
        return again


async def _serve(
    services: Services,
    order: Order,
    engine: DrawingEngine,
    request: Request,
    reserved: Reservation,
) -> Response:
    data: list[JsonValue] | None = None
    failure: ZwrotnicaError | None = None
    with services.admission.admit() as ticket, services.billing.begin(reserved) as bill:
        await bill.confirm()
        async with Departure(request.scope, request.receive, ticket.scope):
            with ticket.scope:
                try:
                    drawn = await _draw(
                        engine,
                        order.requests,
                        services.settings.turn.turn_s,
                        on_drawn=partial(_charge, bill, services.billing.prices, engine.model),
                    )
                    data = [await _give(services, order, one, request) for one in drawn]
                except ZwrotnicaError as error:
                    failure = error
        if data is None:
            raise _in_own_words(failure or Draining("the server is shutting down"))
        body = encode({"created": int(services.clock.now().timestamp()), "data": data})
        if reserved.idempotency and len(body) <= services.settings.billing.kept_reply_bytes:
            bill.keep(WholeReply(media_type=_JSON, body=body))
        bill.finish = "stop"
    return Response(body, media_type=_JSON)


async def _screen(order: Order, safety: Safety) -> Order:
    """The order with its description as the engine may read it.

    Raises:
        SensitiveContent: a rule forbids it.
    """
    try:
        prompt = await screen_text(safety, order.requests[0].prompt)
    except SensitiveContent as error:
        error.param = "prompt"
        raise
    return replace(order, requests=tuple(replace(one, prompt=prompt) for one in order.requests))


def _charge(bill: Bill, prices: Prices, model: str) -> None:
    """A picture has been drawn: it is paid for even if the next one fails."""
    bill.charge(prices.bill_image(model))
    bill.note()


def _choose_engine(services: Services, order: Order) -> DrawingEngine:
    engine = services.image_engine
    if engine is None:
        raise InvalidRequest(_NO_ENGINE, code=ErrorCode.NOT_FOUND)
    if order.model not in {None, engine.model}:
        raise InvalidRequest(
            f"there is no image model {order.model!r}; the model is {engine.model!r}",
            param="model",
            code=ErrorCode.NOT_FOUND,
        )
    return engine


async def _draw(
    engine: DrawingEngine,
    requests: tuple[ImageRequest, ...],
    limit_s: float,
    *,
    on_drawn: Callable[[], None],
) -> tuple[Artifact, ...]:
    """All pictures at the same time, which lets the engine batch them; one that fails ends all."""
    drawn: dict[int, Artifact] = {}
    failures: list[ZwrotnicaError] = []
    async with anyio.create_task_group() as group:

        async def draw_one(number: int, wish: ImageRequest) -> None:
            try:
                drawn[number] = await engine.draw(wish, deadline_s=limit_s)
                on_drawn()
            except ZwrotnicaError as error:
                failures.append(error)
                group.cancel_scope.cancel()

        for number, wish in enumerate(requests):
            group.start_soon(draw_one, number, wish)
    if failures:
        raise failures[0]
    return tuple(drawn[number] for number in range(len(requests)))


async def _give(
    services: Services, order: Order, drawn: Artifact, request: Request
) -> Mapping[str, JsonValue]:
    """One picture of the reply; ``revised_prompt`` where something else was drawn than asked."""
    try:
        finished = await services.images.finish(drawn, media_type=order.media_type)
    except ToolError as error:
        raise Refusal(error.message, code=ErrorCode.ENGINE_LOST) from error
    fields: dict[str, JsonValue] = {"output_format": finished.media_type.removeprefix("image/")}
    if drawn.prompt is not None:
        shown = services.chatbot.safety.show(drawn.prompt)
        fields["revised_prompt"] = guard_text(shown)
    if not order.is_link:
        return {"b64_json": base64.b64encode(finished.data).decode(), **fields}
    try:
        image = await services.images.keep(finished, account=caller_of(request).account)
    except ToolError as error:
        raise Refusal(error.message, code=ErrorCode.INTERNAL_ERROR) from error
    url = base_of_links(request, services) + image.url
    return {"url": url, "expires_at": int(image.expires_at.timestamp()), **fields}


def _in_own_words(error: ZwrotnicaError) -> ZwrotnicaError:
    """An engine's failure in the words of a server that draws, not of one that talks."""
    if isinstance(error, EngineError) and error.code in _WORDS:
        return Refusal(_WORDS[error.code], code=error.code, retry_after_s=error.retry_after_s)
    return error
