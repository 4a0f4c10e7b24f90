"""What the routes for administrators share: bodies, the query of lists, who may change things."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from anyio import to_thread
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonValue
from serving.auth.caller import Caller
from serving.auth.known_names import check_names
from serving.auth.records import LONGEST_NAME, Limits
from serving.gateway.admin.wire import LimitsBody
from serving.gateway.authorization import caller_of
from serving.gateway.completion import encode
from serving.gateway.conversations.reading import Schemas
from serving.gateway.services import services_of
from serving.http.body import read_body, validate
from serving.http.errors import Refusal
from serving.http.strict_json import read_json

PAGE: Final = 100
LONGEST_PAGE: Final = 500
CREATED: Final = 201
_DIGITS: Final = 4
BodyT = TypeVar("BodyT", bound=BaseModel)
LimitsT = TypeVar("LimitsT", bound=LimitsBody)

LISTING: Final[Schemas] = MappingProxyType({
    "q": {"type": "string", "maxLength": LONGEST_NAME, "description": "part of the name"},
    "cursor": {"type": "string", "maxLength": LONGEST_NAME},
    "limit": {"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE, "default": PAGE},
})
"""The query of the lists, as JSON schemas."""
FAILURES: Final[Schemas] = MappingProxyType({"limit": LISTING["limit"]})


class Named(Protocol):
    """What is listed by its name."""

    @property
    def name(self) -> str:
        """The name, of which there is one."""
        ...


NamedT = TypeVar("NamedT", bound=Named)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """Names with ``query`` in them, behind ``after``, at most ``limit``."""

    query: str
    after: str
    limit: int

    def choose(self, found: Sequence[NamedT]) -> tuple[list[NamedT], str | None]:
        """The page that is asked for, and the cursor of the next one."""
        wanted = sorted(
            (one for one in found if one.name > self.after and self.query in one.name.casefold()),
            key=lambda one: one.name,
        )
        page = wanted[: self.limit]
        return page, page[-1].name if len(wanted) > self.limit else None


def read_asked(request: Request) -> Asked:
    """The query of a list.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    texts = {name: request.query_params.get(name, "") for name in ("q", "cursor")}
    for name, text in texts.items():
        if len(text) > LONGEST_NAME:
            raise InvalidRequest(f"{name} has at most {LONGEST_NAME} characters", param=name)
    return Asked(query=texts["q"].casefold(), after=texts["cursor"], limit=read_limit(request))


def read_limit(request: Request) -> int:
    """How many rows are asked for.

    Raises:
        InvalidRequest: not a number from 1 to `LONGEST_PAGE`.
    """
    text = request.query_params.get("limit", str(PAGE))
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    if not is_number or not 1 <= int(text) <= LONGEST_PAGE:
        raise InvalidRequest(f"limit is 1 to {LONGEST_PAGE}", param="limit")
    return int(text)


async def read(request: Request, model: type[BodyT]) -> BodyT:
    """The body of a change.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    limits = services_of(request).settings.limits
    return validate(model, read_json(await read_body(request, limits), limits))


async def read_limits(request: Request, model: type[LimitsT]) -> LimitsT:
    """The body of a change of limits, which names engines and tools that there are.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    body = await read(request, model)
    named = body.over(Limits())
    await to_thread.run_sync(check_names, named, services_of(request).settings)
    return body


def changer_of(request: Request) -> Caller:
    """Who makes a change.

    Raises:
        Refusal: the server is open to everybody, so any page in a browser could ask for it.
    """
    caller = caller_of(request)
    if caller.key_id is None and caller.session_id is None:
        raise Refusal(
            "a server without keys is changed by 'zwrotnica users' and 'zwrotnica groups'; make "
            "the first key by 'zwrotnica keys create'",
            code=ErrorCode.INSUFFICIENT_SCOPE,
        )
    return caller


def check_named(name: str) -> str:
    """A name out of a path, if it can be one at all.

    Raises:
        InvalidRequest: it cannot (``not_found``).
    """
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InvalidRequest("there is nothing of such a name", code=ErrorCode.NOT_FOUND)
    return name


def reply(fields: dict[str, JsonValue], *, status: int = 200) -> Response:
    """A reply that nobody on the way keeps."""
    headers = {"cache-control": "no-store"}
    return Response(encode(fields), status, headers, media_type="application/json")
