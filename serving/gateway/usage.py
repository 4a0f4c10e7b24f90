"""`/v1/usage` and `/api/usage`: what the caller has used, or, for administrators, everybody."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import InvalidRequest
from serving.auth.scopes import Scope
from serving.billing.usage import GROUPINGS, UsageQuery, UsageRow, read_usage
from serving.gateway.authorization import caller_of
from serving.gateway.completion import encode
from serving.gateway.conversations.reading import Schemas
from serving.gateway.services import Services, services_of
from serving.gateway.usage_files import usage_heads, write_csv, write_sheet

LONGEST_PAGE: Final = 400
PAGE: Final = 100
DAYS: Final = 31
LONGEST_DAYS: Final = 3660
_CURSOR_CHARS: Final = 128
_DIGITS: Final = 4
LONGEST_FILE: Final = 10_000
_SHEET: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_Write: TypeAlias = Callable[[Sequence[str], Sequence[UsageRow]], str | bytes]
_FILES: Final[Mapping[str, tuple[_Write, str]]] = MappingProxyType({
    "csv": (write_csv, "text/csv; charset=utf-8"),
    "xlsx": (write_sheet, _SHEET),
})

USAGE: Final[Schemas] = MappingProxyType({
    "by": {"type": "string", "enum": list(GROUPINGS), "default": "day"},
    "from": {"type": "string", "format": "date", "description": "first day; unset: 30 days before"},
    "to": {"type": "string", "format": "date", "description": "last day; unset: today"},
    "all": {"type": "boolean", "default": False, "description": "everybody's (scope `admin`)"},
    "format": {"type": "string", "enum": ["json", "csv", "xlsx"], "default": "json"},
    "cursor": {"type": "string", "maxLength": _CURSOR_CHARS},
    "limit": {"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE, "default": PAGE},
})
"""The query of the route, as JSON schemas."""


async def get_usage(request: Request) -> Response:
    """Requests, tokens, pictures and amounts of settled requests, by `by`, page by page.

    Amounts are in millionths of `currency`; `house` is what users do not pay. `by=user` and
    `all=true` need the scope `admin`. As a file (`format`) up to 10,000 rows come at once.
    """
    services, caller = services_of(request), caller_of(request)
    query = _read_query(request, ZoneInfo(services.settings.billing.time_zone))
    if query.owner is None:
        caller.require(Scope.ADMIN)
    form = request.query_params.get("format", "json")
    if form != "json":
        return await _as_file(services, query, form)
    rows = await read_usage(services.database, query)
    limit = (query.limit or 1) - 1
    return Response(
        encode({
            "currency": services.settings.billing.currency,
            "by": query.by,
            "from": query.first.isoformat(),
            "to": query.last.isoformat(),
            "rows": [asdict(row) for row in rows[:limit]],
            "next_cursor": rows[limit - 1].key if len(rows) > limit else None,
        }),
        headers={"cache-control": "no-store"},
        media_type="application/json",
    )


async def _as_file(services: Services, query: UsageQuery, form: str) -> Response:
    """All rows as a download.

    Raises:
        InvalidRequest: ``form`` is no format.
    """
    kind = _FILES.get(form)
    if kind is None:
        raise InvalidRequest("format is json, csv or xlsx", param="format")
    write, media_type = kind
    rows = await read_usage(services.database, replace(query, limit=LONGEST_FILE))
    heads = usage_heads(query.by, services.settings.billing.currency)
    body = await to_thread.run_sync(write, heads, rows, limiter=services.export_lane)
    name = f"usage-{query.by}-{query.first}-{query.last}.{form}"
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{name}"',
    }
    return Response(body, headers=headers, media_type=media_type)


def _read_query(request: Request, zone: ZoneInfo) -> UsageQuery:
    """What is asked for; one row more than a page, which tells whether there is another.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    given = request.query_params
    by = next((one for one in GROUPINGS if one == given.get("by", "day")), None)
    if by is None:
        near = difflib.get_close_matches(given["by"][:32], GROUPINGS, n=1, cutoff=0)
        raise InvalidRequest(f"by is one of {', '.join(GROUPINGS)}; e.g. {near[0]}", param="by")
    today = services_of(request).clock.now().astimezone(zone).date()
    last = _read_day(request, "to") or today
    first = _read_day(request, "from") or last - timedelta(days=min(DAYS - 1, last.toordinal() - 1))
    if not 0 <= (last - first).days < LONGEST_DAYS:
        raise InvalidRequest(f"'from' to 'to' is 1 to {LONGEST_DAYS} days", param="from")
    if given.get("all", "false") not in {"true", "false"}:
        raise InvalidRequest("all is true or false", param="all")
    cursor = given.get("cursor")
    if cursor is not None and len(cursor) > _CURSOR_CHARS:
        raise InvalidRequest(f"cursor has at most {_CURSOR_CHARS} characters", param="cursor")
    is_all = by == "user" or given.get("all") == "true"
    return UsageQuery(
        by=by,
        first=first,
        last=last,
        owner=None if is_all else caller_of(request).account,
        after=cursor,
        limit=_read_limit(request) + 1,
    )


def _read_limit(request: Request) -> int:
    text = request.query_params.get("limit", str(PAGE))
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    if not is_number or not 1 <= int(text) <= LONGEST_PAGE:
        raise InvalidRequest(f"limit is 1 to {LONGEST_PAGE}", param="limit")
    return int(text)


def _read_day(request: Request, name: str) -> date | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InvalidRequest(f"{name} is a day as 2026-07-31", param=name) from error
