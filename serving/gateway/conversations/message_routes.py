"""`/api/conversations/{id}/messages`: asked and answered, stopped, read again, rated."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from chatbot.bot.screening import screen_text
from chatbot.errors import ErrorCode, InvalidRequest
from serving.billing import AlreadyDone
from serving.gateway.authorization import caller_of
from serving.gateway.budgets import allowances_of, counts_tokens, groups_of
from serving.gateway.conversations.branches import Asked
from serving.gateway.conversations.conversation_routes import links_of
from serving.gateway.conversations.encoding import encode_stored
from serving.gateway.conversations.live_reply import BEFORE_ALL, LiveReply
from serving.gateway.conversations.reading import read_after, read_feedback, read_message
from serving.gateway.conversations.wire import MessageBody
from serving.gateway.idempotency import REPLAYED, read_key
from serving.gateway.pacing import pace
from serving.gateway.reserving import estimate, longest_answer
from serving.gateway.services import Services, request_id_of, services_of
from serving.gateway.sizes import check_prompt
from serving.gateway.tool_choice import limited_tools
from serving.http.sse import EVENT_STREAM
from serving.settings import Settings
from serving.storage.records import StoredMessage

_DONE = 204


async def create_message(request: Request, conversation_id: str) -> Response:
    """Ask something, or have an earlier message answered again; the answer comes as events.

    The headers `x-message-id` and `x-parent-id` name the answer and the user's message. The answer
    is made to its end when the connection is lost: read on at `…/messages/{mid}/events`.
    What is stored is what models read: masked where a rule masks. What was answered under the same
    `Idempotency-Key` is told again.
    """
    services = services_of(request)
    body = await read_message(request, services)
    key = read_key(request, body.model_dump_json(exclude_unset=True).encode())
    if body.text is not None:
        text = await screen_text(services.chatbot.safety, body.text)
        body = body.model_copy(update={"text": text})
    caller = caller_of(request)
    check_prompt(caller, estimate(len((body.text or "").encode())), param="text")
    asked = Asked(
        owner=caller.account,
        key_id=caller.key_id,
        conversation_id=conversation_id,
        request_id=request_id_of(request),
        body=body,
        tools=limited_tools(request),
        idempotency=key,
        groups=groups_of(caller),
        allowances=allowances_of(caller),
        counts_tokens=counts_tokens(caller),
        answer_tokens=caller.limits.quotas.answer_tokens,
    )
    with await pace(request, _tokens(body, services.settings)) as hold:
        try:
            asked = replace(asked, on_end=hold.end)
            return LiveReply(await services.live.begin(asked), services.settings.limits)
        except AlreadyDone as error:
            return await _tell_again(services, asked, error)


def _tokens(body: MessageBody, settings: Settings) -> int:
    """What an answer takes of a minute's tokens until it is known; its history comes then."""
    given = None if body.parameters is None else body.parameters.max_tokens
    return estimate(len((body.text or "").encode())) + (given or longest_answer(settings))


async def stop_message(request: Request, conversation_id: str, message_id: str) -> Response:
    """End an answer that is being made; what it has said stays. Also right when it has ended."""
    services, owner = services_of(request), caller_of(request).account
    live = services.live.find(owner, conversation_id, message_id)
    if live is None:
        await services.conversations.message(owner, conversation_id, message_id)
    else:
        await services.live.stop(live)
    return Response(status_code=_DONE)


async def get_events(request: Request, conversation_id: str, message_id: str) -> Response:
    """The events of an answer, those behind number `after` or all, and then what is still to come.

    An answer that ended a while ago is told from what was stored, all of it at once; `after` then
    has no meaning any more and is a 404.
    """
    services, owner = services_of(request), caller_of(request).account
    after = read_after(request)
    live = services.live.find(owner, conversation_id, message_id)
    if live is not None:
        last_read = BEFORE_ALL if after is None else after
        return LiveReply(live, services.settings.limits, after=last_read)
    stored = await services.conversations.message(owner, conversation_id, message_id)
    _check_answer(stored)
    if after is not None:
        raise InvalidRequest(
            "the answer has ended and its events are not kept one by one; read the conversation",
            param="after",
            code=ErrorCode.NOT_FOUND,
        )
    return _tell_stored(services, stored)


async def _tell_again(services: Services, asked: Asked, error: AlreadyDone) -> Response:
    """The answer that was made for the same request, as it was stored."""
    if error.message_id is None:
        raise error
    try:
        stored = await services.conversations.message(
            asked.owner, asked.conversation_id, error.message_id
        )
    except InvalidRequest as gone:
        raise error from gone
    reply = _tell_stored(services, stored)
    reply.headers[REPLAYED] = "true"
    reply.headers["x-message-id"] = stored.message_id
    reply.headers["x-parent-id"] = stored.parent or ""
    return reply


def _tell_stored(services: Services, stored: StoredMessage) -> Response:
    events = encode_stored(stored, links_of(services))
    return Response(
        b"".join(event.sent for event in events),
        headers={"cache-control": "no-store"},
        media_type=EVENT_STREAM,
    )


async def rate_message(request: Request, conversation_id: str, message_id: str) -> Response:
    """Say what an answer was worth, or (null) take that back."""
    services = services_of(request)
    body = await read_feedback(request, services)
    await services.conversations.rate(
        caller_of(request).account, conversation_id, message_id, body.rating, body.comment
    )
    return Response(status_code=_DONE)


def _check_answer(message: StoredMessage) -> None:
    if message.role != "assistant":
        raise InvalidRequest("only answers have events", code=ErrorCode.NOT_FOUND)
