"""The pages beside the chat in front of a gateway that answers from a script."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import anyio
import httpx2
from starlette.applications import Starlette

from ui.client import Gateway
from ui.desk.routes import Desk
from ui.look.files import LookFiles

SPACE = "\N{NO-BREAK SPACE}"
KEY = {"authorization": "Bearer zw_ala"}
OWN = {"sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded"}
LOOK = LookFiles()
HOSTILE = "<script>alert(1)</script>"

ENGINES: Mapping[str, object] = {
    "engines": [
        {
            "name": "bielik",
            "model": HOSTILE,
            "address": "127.0.0.1:8000",
            "state": "answers",
            "drained": False,
            "running": 3,
            "waiting": None,
            "cache_share": 0.255,
            "problems": [HOSTILE],
        }
    ],
    "turns": {"running": 2, "max": 64},
}
FAILURE: Mapping[str, object] = {
    "at": "2026-11-21T10:00:00+00:00",
    "error": "engine_unavailable",
    "user": HOSTILE,
    "path": "chat",
    "model": HOSTILE,
    "request_id": "r-7",
}


def key(key_id: str, user: str, **more: object) -> dict[str, object]:
    return {
        "id": key_id,
        "user": user,
        "name": HOSTILE,
        "scopes": ["chat"],
        "state": "valid",
        "created_at": "2026-11-21T10:00:00+00:00",
        "expires_at": None,
        "last_used_at": None,
        "overlap_ends_at": None,
        **more,
    }


@dataclass
class Api:
    """The gateway's API: what it was asked, and what it answers."""

    asked: list[tuple[str, str, object]] = field(default_factory=list)
    scopes: tuple[str, ...] = ("chat", "images")
    refusal: tuple[int, str] | tuple[int, str, str] | None = None

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content) if request.content else None
        self.asked.append((request.method, request.url.path, body))
        if request.headers.get("authorization") != KEY["authorization"]:
            return refuse(401, "invalid_api_key")
        if self.refusal is not None and request.method != "GET":
            return refuse(*self.refusal)
        return httpx2.Response(200, json=self.reply(request.method, request.url.path, request))

    def reply(self, method: str, path: str, request: httpx2.Request) -> Mapping[str, object]:
        limit = {"name": "money_per_month", "limit": 5_000_000, "left": 1_250_000}
        user: Mapping[str, object] = {
            "name": HOSTILE,
            "groups": ["lab"],
            "engines": None,
            "tools": [],
            "quotas": {"money_per_month": 12_500_000},
            "limits": [limit],
        }
        group: Mapping[str, object] = {
            "name": "lab",
            "members": 5,
            "engines": ["bielik"],
            "tools": None,
            "quotas": {"answer_tokens": 4096},
            "total": {"tokens_per_day": 900},
            "limits": [{**limit, "group": "lab"}],
        }
        me = {"name": "ala", "key": "k1", "scopes": self.scopes, "limits": [limit]}
        told: Mapping[str, Mapping[str, object]] = {
            "/api/me": {**me, "currency": "PLN"},
            "/api/keys": {"keys": [key("k1", "ala"), key("k2", "ola")]},
            "/api/users": {"users": [{**user, "disabled_at": None}], "next_cursor": "następny&"},
            "/api/groups": {"groups": [group], "next_cursor": None},
            "/api/engines": ENGINES,
            "/api/errors": {"errors": [FAILURE], "enabled": True},
        }
        if method != "GET":
            return {"key": "zw_nowy_sekret"}
        return usage(request) if path == "/api/usage" else told[path]


def usage(request: httpx2.Request) -> Mapping[str, object]:
    query = request.url.params
    keys = {"day": query["from"], "group": ""}
    name = keys.get(query["by"], HOSTILE)
    row = {
        "key": name,
        "name": name,
        "requests": 22,
        "prompt_tokens": 1200,
        "completion_tokens": 34,
    }
    return {"currency": "PLN", "rows": [{**row, "images": 5, "charged": 1_500_000, "house": 0}]}


def refuse(status: int, code: str, param: str = "") -> httpx2.Response:
    error = {"code": code, "message": "no", "param": param or None}
    return httpx2.Response(status, json={"error": error})


@dataclass
class Site:
    """The pages, asked as a browser asks."""

    api: Api

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] = KEY, form: str = ""
    ) -> httpx2.Response:
        async def work() -> httpx2.Response:
            gateway = Gateway("http://api", transport=httpx2.MockTransport(self.api.answer))
            app = Starlette(routes=Desk(gateway, LOOK).routes)
            transport = httpx2.ASGITransport(app=app)
            async with gateway, httpx2.AsyncClient(transport=transport, base_url="http://p") as one:
                return await one.request(method, path, headers=dict(headers), content=form)

        return anyio.run(work)
