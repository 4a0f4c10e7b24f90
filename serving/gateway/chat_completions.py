"""`POST /v1/chat/completions`: the routed chatbot, or an engine that the client names."""

import difflib
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonValue, TurnRequest
from serving.auth.caller import Caller
from serving.auth.records import Limits
from serving.auth.scopes import Scope
from serving.billing import IdempotencyKey
from serving.gateway.authorization import caller_of
from serving.gateway.forward_reply import ForwardReply
from serving.gateway.forwarded_messages import screen_request
from serving.gateway.forwarding import rebuild
from serving.gateway.idempotency import named, read_key
from serving.gateway.messages import read_messages, read_sampling
from serving.gateway.pacing import paced
from serving.gateway.public_address import base_of_links
from serving.gateway.reading import read_chat_completion
from serving.gateway.reserving import (
    estimate_messages,
    estimate_prompt,
    longest_answer,
    reserve_forwarded,
    reserve_turn,
)
from serving.gateway.services import Services, request_id_of, services_of
from serving.gateway.sizes import bound_answer, check_prompt
from serving.gateway.tool_choice import limited_tools
from serving.gateway.turn_reply import TurnReply
from serving.gateway.wire import ChatCompletionBody
from serving.http.body import read_body
from serving.settings import ROUTED_MODEL


async def create_chat_completion(request: Request) -> Response:
    """Answer a conversation, as OpenAI's chat completions do."""
    services = services_of(request)
    limits = services.settings.limits
    payload = await read_body(request, limits)
    body = read_chat_completion(payload, limits)
    key = read_key(request, payload)
    caller = caller_of(request)
    if body.model != ROUTED_MODEL:
        caller.require(Scope.ENGINES)
        return await _forward(services, body, body.model, request, key, param="model")
    caller.require(Scope.CHAT)
    if body.tools or _asks_for_format(body):
        return await _forward(
            services, body, services.settings.tools_engine, request, key, param="tools"
        )
    if body.n not in {None, 1}:
        raise InvalidRequest(
            "n is 1 for this model", param="n", code=ErrorCode.UNSUPPORTED_PARAMETER
        )
    return await _play(services, body, request, key)


async def _play(
    services: Services, body: ChatCompletionBody, request: Request, key: IdempotencyKey | None
) -> Response:
    """A turn of the routed chatbot."""
    caller = caller_of(request)
    messages, sampling = read_messages(body.messages), read_sampling(body)
    check_prompt(caller, estimate_messages(messages), param="messages")
    most = caller.limits.quotas.answer_tokens
    if most is not None:
        bound = bound_answer(most, sampling.max_tokens, longest_answer(services.settings))
        sampling = replace(sampling, max_tokens=bound)
    turn = TurnRequest(
        messages=messages,
        message_id=services.new_id(),
        request_id=request_id_of(request),
        account=caller.account,
        sampling=sampling,
        tools=limited_tools(request),
    )
    reserved = reserve_turn(
        caller,
        services.settings,
        services.billing.prices,
        request_id=turn.request_id,
        messages=turn.messages,
        max_tokens=turn.sampling.max_tokens,
    )
    return TurnReply(
        services,
        turn,
        reserved=await paced(request, named(reserved, key)),
        is_streamed=bool(body.stream),
        with_usage=bool(body.stream_options and body.stream_options.include_usage),
        image_base=base_of_links(request, services),
    )


async def _forward(
    services: Services,
    body: ChatCompletionBody,
    name: str,
    request: Request,
    key: IdempotencyKey | None,
    *,
    param: str,
) -> Response:
    limits = caller_of(request).limits
    engine = services.engines.get(name) if limits.opens_engine(name) else None
    if engine is None and param == "model":
        raise unknown_model(name, limits, services)
    if engine is None:
        param = param if body.tools else "response_format"
        raise InvalidRequest(
            f"{param!r} needs a language model that takes it, and none is connected",
            param=param,
            code=ErrorCode.UNSUPPORTED_PARAMETER,
        )
    settings = services.settings
    rebuilt = rebuild(body, engine=settings.engines[name], limits=settings.limits)
    _bound(caller_of(request), rebuilt)
    screened = await screen_request(rebuilt, services.chatbot.safety)
    reserved = reserve_forwarded(
        caller_of(request),
        services.billing.prices,
        screened,
        request_id=request_id_of(request),
        engine=name,
    )
    return ForwardReply(
        services, engine, screened, reserved=await paced(request, named(reserved, key))
    )


def _bound(caller: Caller, rebuilt: dict[str, JsonValue]) -> None:
    """Hold a client's own request to its caller's sizes.

    Raises:
        InvalidRequest: the prompt is too long.
    """
    quotas = caller.limits.quotas
    if quotas.prompt_tokens is not None:
        check_prompt(caller, estimate_prompt(rebuilt), param="messages")
    asked = rebuilt["max_tokens"]
    if quotas.answer_tokens is not None and isinstance(asked, int):
        rebuilt["max_tokens"] = min(quotas.answer_tokens, asked)


def engines_for(limits: Limits, services: Services) -> tuple[str, ...]:
    """The engines that a caller with these limits can call by their names."""
    return tuple(filter(limits.opens_engine, services.engines))


def unknown_model(name: str, limits: Limits, services: Services) -> InvalidRequest:
    """The error for a model that is not served here, or not to this caller; names the nearest."""
    known = [ROUTED_MODEL, *engines_for(limits, services)]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"the models are {', '.join(known)}"
    return InvalidRequest(
        f"there is no model {name!r}; {hint}", param="model", code=ErrorCode.NOT_FOUND
    )


def _asks_for_format(body: ChatCompletionBody) -> bool:
    return body.response_format is not None and body.response_format.get("type") != "text"
