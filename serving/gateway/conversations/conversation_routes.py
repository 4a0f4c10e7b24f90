"""`/api/conversations`: made, listed and searched, read, changed, deleted."""

from starlette.requests import Request
from starlette.responses import Response

from chatbot.types import JsonValue
from serving.gateway.authorization import caller_of
from serving.gateway.completion import encode
from serving.gateway.conversations.parameters import as_stored
from serving.gateway.conversations.reading import read_change, read_conversation, read_listing
from serving.gateway.conversations.shapes import Links, conversation_fields, message_fields
from serving.gateway.services import Services, services_of
from serving.storage.conversations import UNCHANGED
from serving.storage.records import Conversation

_CREATED = 201
_GONE = 204


async def create_conversation(request: Request) -> Response:
    """Begin a conversation; it has no messages yet."""
    services = services_of(request)
    body = await read_conversation(request, services)
    made = await services.conversations.create(
        caller_of(request).account, title=body.title or "", parameters=as_stored(body.parameters)
    )
    return _reply({**_fields(services, made), "messages": []}, status=_CREATED)


async def list_conversations(request: Request) -> Response:
    """The account's conversations, the last changed first; `q` searches titles and texts.

    Every word of `q` must occur, in any form; case and Polish diacritics make no difference.
    `next_cursor` continues where this page ends; it is null at the end.
    """
    services = services_of(request)
    asked = read_listing(request, services)
    page = await services.conversations.list(
        caller_of(request).account, query=asked.query, cursor=asked.cursor, limit=asked.limit
    )
    listed: list[JsonValue] = [_fields(services, one) for one in page.conversations]
    return _reply({"conversations": listed, "next_cursor": page.next_cursor})


async def get_conversation(request: Request, conversation_id: str) -> Response:
    """A conversation with the messages of all its branches, in the order of their making."""
    services = services_of(request)
    found, messages = await services.conversations.read(caller_of(request).account, conversation_id)
    links = links_of(services)
    told: list[JsonValue] = [
        message_fields(one, links, is_running=services.live.is_running(one.message_id))
        for one in messages
    ]
    return _reply({**_fields(services, found), "messages": told})


async def change_conversation(request: Request, conversation_id: str) -> Response:
    """Change a conversation's title, parameters, or the branch that is shown."""
    services = services_of(request)
    body = await read_change(request, services)
    changed = await services.conversations.change(
        caller_of(request).account,
        conversation_id,
        title=UNCHANGED if body.title is None else body.title,
        parameters=UNCHANGED if body.parameters is None else as_stored(body.parameters),
        current=UNCHANGED if body.current is None else body.current,
    )
    return _reply(_fields(services, changed))


async def delete_conversation(request: Request, conversation_id: str) -> Response:
    """Delete a conversation with all that belongs to it; an answer that is being made ends."""
    services, owner = services_of(request), caller_of(request).account
    await services.live.forget(owner, conversation_id)
    await services.conversations.delete(owner, conversation_id)
    return Response(status_code=_GONE)


def links_of(services: Services) -> Links:
    """What signs the links to pictures in messages."""
    return Links(images=services.images, settings=services.settings.images, clock=services.clock)


def _fields(services: Services, conversation: Conversation) -> dict[str, JsonValue]:
    is_busy = services.live.is_busy(conversation.owner, conversation.conversation_id)
    return conversation_fields(conversation, is_busy=is_busy)


def _reply(fields: dict[str, JsonValue], *, status: int = 200) -> Response:
    return Response(encode(fields), status, media_type="application/json")
