"""What each route may do with ids of another account, and every place of it that takes a text."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeAlias

from fastapi import FastAPI

from serving.gateway.idempotency import HEADER
from serving.gateway.route_table import HOME, ROUTES, Route

Json: TypeAlias = Any  # made by the schemas of the routes themselves


class Wall(Enum):
    """What stands between an account and the objects of others on one route."""

    HIDDEN = "an id in its path that is another's is answered as one that does not exist"
    OWN = "it names no object in its path and tells of the caller's own account alone"
    CLOSED = "it is for administrators"
    OPEN = "it tells the same to everybody, or to whoever holds a signed link"


def _named(wall: Wall, *names: str) -> dict[str, Wall]:
    return dict.fromkeys(names, wall)


_CONVERSATION: Final = "/api/conversations/{conversation_id}"
_MESSAGE: Final = f"{_CONVERSATION}/messages/{{message_id}}"

WALLS: Final[Mapping[str, Wall]] = {
    **_named(
        Wall.HIDDEN,
        f"GET {_CONVERSATION}",
        f"PATCH {_CONVERSATION}",
        f"DELETE {_CONVERSATION}",
        f"GET {_CONVERSATION}/export",
        f"POST {_CONVERSATION}/messages",
        f"POST {_MESSAGE}/stop",
        f"GET {_MESSAGE}/events",
        f"PUT {_MESSAGE}/feedback",
        "DELETE /api/keys/{key_id}",
        "POST /api/keys/{key_id}/rotate",
        "GET /v1/models/{model_id:path}",
        "GET /images/{link}",
    ),
    **_named(
        Wall.OWN,
        "POST /v1/chat/completions",
        "POST /v1/images/generations",
        "POST /v1/attribution/verify",
        "POST /api/route",
        "GET /api/me",
        "GET /api/me/data",
        "DELETE /api/me",
        "GET /api/usage",
        "GET /v1/usage",
        "GET /api/keys",
        "POST /api/keys",
        "GET /api/conversations",
        "POST /api/conversations",
        "GET /api/export",
        "POST /api/import",
        "GET /account",
        "POST /account/password",
        "POST /account/delete",
        "POST /sign-out",
    ),
    **_named(
        Wall.CLOSED,
        "GET /api/users",
        "POST /api/users",
        "PATCH /api/users/{user_name}",
        "GET /api/groups",
        "POST /api/groups",
        "PATCH /api/groups/{group_name}",
        "GET /api/engines",
        "GET /api/errors",
        "GET /metrics",
    ),
    **_named(
        Wall.OPEN,
        "GET /v1/models",
        "GET /api/tools",
        "GET /livez",
        "GET /readyz",
        "GET /sign-in",
        "POST /sign-in",
        "GET /sign-in/oidc",
        "GET /sign-in/oidc/callback",
        "GET /sign-in/password",
        "POST /sign-in/password",
        "GET /privacy",
        "GET /accessibility",
        "GET /docs",
        "GET /",
        "GET /openapi.json",
    ),
}
"""Every route by method and path; one that is new has to be written down here."""

FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "POST /sign-in": ("name", "password", "next"),
    "POST /sign-out": ("everywhere",),
    "POST /sign-in/password": ("link", "new", "again"),
    "POST /account/password": ("password", "new", "again"),
    "POST /account/delete": ("confirm",),
}
"""Fields of the forms, which no schema describes."""

QUERIES: Final[Mapping[str, tuple[str, ...]]] = {
    "GET /sign-in": ("next",),
    "GET /sign-in/oidc": ("next",),
    "GET /sign-in/oidc/callback": ("state", "code", "iss", "error"),
    "GET /sign-in/password": ("link",),
}
"""Queries of the pages, which no schema describes."""

_CHAT: Final[Json] = {"model": "zwrotnica", "messages": [{"role": "user", "content": "Cześć"}]}
BODIES: Final[Mapping[str, Json]] = {
    "ChatCompletionBody": _CHAT,
    "RouteBody": {"messages": _CHAT["messages"]},
    "VerificationBody": {},
    "ImagesBody": {"prompt": "kot"},
    "DeletionBody": {},
    "ConversationBody": {},
    "ChangeBody": {"title": "Moja"},
    "MessageBody": {"text": "Cześć"},
    "FeedbackBody": {"rating": "up"},
    "KeyBody": {"scopes": ["chat"]},
    "RotationBody": {},
    "UserBody": {"name": "nowa"},
    "UserChange": {"disabled": True},
    "GroupBody": {"name": "nowa"},
    "GroupChange": {"tools": []},
}
"""A body that each schema takes, for all but one place of it; imports begin with an own export."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """One request, with another's id in one place of it."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Json = None
    form: Mapping[str, str] | None = None

    @property
    def writes(self) -> bool:
        """Whether what it sends may be kept as the sender's own words."""
        return self.method != "GET"


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A place of a route into which any text can be put."""

    route: Route
    kind: str
    steps: tuple[str | int, ...]

    def __str__(self) -> str:
        return f"{name_of(self.route)} {self.kind} {'.'.join(map(str, self.steps))}"

    def ask(self, text: str, *, own: Mapping[str, str], bodies: Mapping[str, Json]) -> Ask:
        """The request with ``text`` here; the rest of its path names what is the caller's own."""
        name = str(self.steps[0])
        parts = {**own, name: text} if self.kind == "path" else own
        path = self.route.path.replace(":path}", "}").format_map(parts)
        model = self.route.body
        body = deepcopy(bodies[model.__name__]) if model else None
        return Ask(
            method=self.route.method,
            path=path,
            query={name: text} if self.kind == "query" else {},
            headers={name: text} if self.kind == "header" else {},
            body=_put(body, self.steps, text) if self.kind == "body" else body,
            form={name: text} if self.kind == "form" else None,
        )


def name_of(route: Route) -> str:
    """Method and path, as `WALLS` names them."""
    return f"{route.method} {route.path}"


def routes_of(app: FastAPI) -> frozenset[str]:
    """Every route of an application by method and path; what has a GET, has a HEAD alike."""
    return frozenset(
        f"{method} {route.path}"  # type: ignore[attr-defined]  # one without is a failure
        for route in app.routes
        for method in route.methods - {"HEAD"}  # type: ignore[attr-defined]  # see above
    )


def places() -> Iterator[Place]:
    """Every place of every route; reading comes first, so that nobody's own words are told."""
    found = list(_places())
    yield from (one for one in found if one.route.method == "GET")
    yield from (one for one in found if one.route.method != "GET")


def _places() -> Iterator[Place]:
    for route in (*ROUTES, HOME):
        name = name_of(route)
        for part in parts_of(route):
            yield Place(route=route, kind="path", steps=(part,))
        for query in (*(route.query or ()), *QUERIES.get(name, ())):
            yield Place(route=route, kind="query", steps=(query,))
        for header in (HEADER, "x-request-id") if route.is_repeatable else ():
            yield Place(route=route, kind="header", steps=(header,))
        for entry in FORMS.get(name, ()):
            yield Place(route=route, kind="form", steps=(entry,))
        if route.body is not None:
            schema = route.body.model_json_schema()
            for steps in sorted(set(_leaves(schema, schema.get("$defs", {}))), key=str):
                yield Place(route=route, kind="body", steps=steps)


def parts_of(route: Route) -> tuple[str, ...]:
    """The names of the parts of its path that are filled in."""
    pieces = (piece.partition("}")[0] for piece in route.path.split("{")[1:])
    return tuple(piece.partition(":")[0] for piece in pieces)


def _leaves(
    schema: Json, known: Json, steps: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    """The ways to each place of a body that takes any text."""
    if "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    for other in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _leaves(other, known, steps)
    kind = schema.get("type")
    if kind == "string" and not schema.keys() & {"enum", "const"}:
        yield steps
    elif kind == "array":
        yield from _leaves(schema.get("items", {}), known, (*steps, 0))
    for name, inner in schema.get("properties", {}).items():
        yield from _leaves(inner, known, (*steps, name))


def _put(body: Json, steps: tuple[str | int, ...], text: str) -> Json:
    """``body`` with ``text`` at the end of ``steps``; what is missing on the way is made."""
    if not steps:
        return text
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        items = body if isinstance(body, list) and body else [None]
        return [_put(items[0], rest, text), *items[1:]]
    fields = body if isinstance(body, dict) else {}
    return {**fields, step: _put(fields.get(step), rest, text)}
