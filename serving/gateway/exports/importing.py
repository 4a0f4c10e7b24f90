"""`POST /api/import`: conversations of an earlier export, all of them or none."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from anyio import CancelScope, CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response

from chatbot.types import JsonValue
from serving.gateway.authorization import caller_of
from serving.gateway.completion import encode
from serving.gateway.exports.reader import ExportReader, Restorable
from serving.gateway.exports.seals import PictureSeal
from serving.gateway.services import Services, services_of
from serving.http.body import read_body
from serving.settings import LimitsSettings, Settings


async def import_conversations(request: Request) -> Response:
    """Add the conversations of a JSON export to the account; send the file as the body.

    Everything is checked before anything is added. Each conversation gets new ids and keeps its
    times, branches, parts and ratings. Pictures come along where the export is this account's own
    and the server still has them; `pictures_left_out` counts the others.
    """
    services, owner = services_of(request), caller_of(request).account
    body = await read_body(request, _limits_of(services.settings))
    reader = ExportReader(
        services.settings,
        seal=PictureSeal(services.keyring, owner=owner),
        tools=services.chatbot.tools.names,
    )
    lane = services.export_lane
    counts = await to_thread.run_sync(partial(_check, reader, body), limiter=lane)
    await _restore(services, reader.read(body), lane, owner=owner)
    return Response(encode(counts), media_type="application/json")


def _limits_of(settings: Settings) -> LimitsSettings:
    """A file may be larger than a request, and take longer in the same measure."""
    limits = settings.limits
    size = settings.chat.import_bytes
    seconds = limits.body_s * max(1.0, size / limits.body_bytes)
    return limits.model_copy(update={"body_bytes": size, "body_s": seconds})


def _check(reader: ExportReader, body: bytes) -> dict[str, JsonValue]:
    conversations = messages = lost = 0
    for one in reader.read(body):
        conversations += 1
        messages += len(one.messages)
        lost += one.lost
    return {"conversations": conversations, "messages": messages, "pictures_left_out": lost}


async def _restore(
    services: Services, read: Iterator[Restorable], lane: CapacityLimiter, *, owner: str
) -> None:
    """Add one conversation after the other; where one fails, those before it go again."""
    conversations = services.conversations
    added: list[str] = []
    try:
        while (
            one := await to_thread.run_sync(partial(next, read, None), limiter=lane)
        ) is not None:
            title = services.chatbot.safety.read(one.conversation.title, is_last=False)
            named = replace(one.conversation, title=title)
            made = await conversations.restore(owner, named, one.messages)
            added.append(made.conversation_id)
    except BaseException:  # whatever ends it, also that the client has left
        with CancelScope(shield=True):
            for conversation_id in added:
                await conversations.delete(owner, conversation_id)
        raise
