"""The routes of exports: one conversation, or all of an account, as a file."""

import difflib
from collections.abc import AsyncGenerator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import InvalidRequest
from serving.gateway.authorization import caller_of
from serving.gateway.exports.download import Download
from serving.gateway.exports.entries import Entry
from serving.gateway.exports.file_names import disposition, name_file
from serving.gateway.exports.formats import FORMATS, Order
from serving.gateway.exports.seals import PictureSeal
from serving.gateway.exports.source import Source
from serving.gateway.exports.words import WORDS, Words
from serving.gateway.services import Services, request_id_of, services_of

_DEFAULT: Final = "xlsx"
_LANGUAGE: Final = "pl"

CHOICES: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType({
    "format": {"type": "string", "enum": list(FORMATS), "default": _DEFAULT},
    "lang": {"type": "string", "enum": list(WORDS), "default": _LANGUAGE},
})
"""The query of both routes, as JSON schemas."""


async def export_conversation(request: Request, conversation_id: str) -> Response:
    """One conversation as a file: `format` is `xlsx` (default), `csv`, `json` or `md`.

    Tables have a row a message and a row a tool call, of all branches; Markdown has the branch that
    is shown; JSON has everything and can be imported again. `lang` is `pl` (default) or `en`.
    """
    services = services_of(request)
    batches = Source(
        services.conversations, owner=caller_of(request).account, conversation_id=conversation_id
    ).batches()
    first = await anext(batches)
    title = first[0].conversation.title if first else ""
    return _download(request, services, first, batches, title=title)


async def export_all(request: Request) -> Response:
    """All conversations of the account as one file; see the export of one."""
    services = services_of(request)
    batches = Source(services.conversations, owner=caller_of(request).account).batches()
    return _download(request, services, await anext(batches), batches, title=None)


def _download(
    request: Request,
    services: Services,
    first: list[Entry],
    batches: AsyncGenerator[list[Entry], None],
    *,
    title: str | None,
) -> Response:
    name = _choose(request, "format", tuple(FORMATS), _DEFAULT)
    language = _choose(request, "lang", tuple(WORDS), _LANGUAGE)
    words: Words = WORDS["en" if language == "en" else "pl"]
    chosen = FORMATS[name]
    now = services.clock.now()
    seal = PictureSeal(services.keyring, owner=caller_of(request).account)
    order = Order(words=words, folder=services.settings.data_dir, exported_at=now, seal=seal.sign)
    return Download(
        first,
        batches,
        partial(chosen.open, order),
        headers={
            "content-type": chosen.media_type,
            "content-disposition": disposition(name_file(title, words, now, name)),
            "cache-control": "no-store",
        },
        lane=services.export_lane,
        write_s=services.settings.limits.write_s,
        request_id=request_id_of(request),
    )


def _choose(request: Request, field: str, known: tuple[str, ...], default: str) -> str:
    """One of few words in the query of the address.

    Raises:
        InvalidRequest: another word; names the nearest.
    """
    chosen = request.query_params.get(field, default)
    if chosen not in known:
        near = difflib.get_close_matches(chosen, known, n=1, cutoff=0.3)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        raise InvalidRequest(f"there is no {field} {chosen!r}; {hint}", param=field)
    return chosen
