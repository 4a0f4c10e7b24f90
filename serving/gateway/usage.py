"""`/v1/usage` and `/api/usage`: what the caller has used, or, for administrators, everybody."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import InvalidRequest
from serving.auth.accounts import check_name
from serving.auth.scopes import Scope
from serving.billing.usage import GROUPINGS, ORDERS, UsageQuery, UsageRow, read_usage
from serving.gateway.authorization import caller_of
from serving.gateway.completion import encode
from serving.gateway.conversations.reading import Schemas
from serving.gateway.services import Services, services_of
from serving.gateway.usage_files import NAMED, usage_fields, usage_heads, write_csv, write_sheet
from serving.gateway.usage_names import by_name, name_rows

LONGEST_PAGE: Final = 400
PAGE: Final = 100
DAYS: Final = 31
LONGEST_DAYS: Final = 3660
_CURSOR_CHARS: Final = 128
_DIGITS: Final = 4
LONGEST_FILE: Final = 10_000
_SHEET: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_Word = TypeVar("_Word", bound=str)
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
    "user": {"type": "string", "description": "one user, by name (scope `admin`)"},
    "group": {"type": "string", "description": "members of one group, by name (scope `admin`)"},
    "order": {"type": "string", "enum": list(ORDERS), "default": "key"},
    "format": {"type": "string", "enum": ["json", "csv", "xlsx"], "default": "json"},
    "cursor": {"type": "string", "maxLength": _CURSOR_CHARS},
    "limit": {"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE, "default": PAGE},
})
"""The query of the route, as JSON schemas."""


async def get_usage(request: Request) -> Response:
    """Requests, tokens, pictures and amounts of settled requests, by `by`, page by page.

    Amounts are in millionths of `currency`; `house` is what users do not pay. `by=user`,
    `by=group`, `user`, `group` and `all=true` need the scope `admin`; `by=user` and `by=group` have
    a `name` in each row. With `order=most` those come first that were charged the most, then those
    with the most tokens, on one page. As a file (`format`) up to 10,000 rows come at once.
    """
    services = services_of(request)
    query = await _narrow(
        request, _read_query(request, ZoneInfo(services.settings.billing.time_zone))
    )
    form = request.query_params.get("format", "json")
    if form != "json":
        return await _as_file(services, query, form)
    rows = await name_rows(services.accounts, query.by, await read_usage(services.database, query))
    limit = (query.limit or 1) - 1
    has_next = query.order == "key" and len(rows) > limit
    return Response(
        encode({
            "currency": services.settings.billing.currency,
            "by": query.by,
            "from": query.first.isoformat(),
            "to": query.last.isoformat(),
            "rows": [usage_fields(row) for row in rows[:limit]],
            "next_cursor": rows[limit - 1].key if has_next else None,
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
    found = await read_usage(services.database, replace(query, limit=LONGEST_FILE))
    rows = await name_rows(services.accounts, query.by, found)
    if query.order == "key":
        rows = by_name(rows)
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
    by, order = _choose(request, "by", GROUPINGS), _choose(request, "order", ORDERS, "key")
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
    if cursor is not None and order != "key":
        raise InvalidRequest("cursor goes with order=key alone", param="cursor")
    is_all = by in NAMED or given.get("all") == "true"
    return UsageQuery(
        by=by,
        first=first,
        last=last,
        owner=None if is_all else caller_of(request).account,
        order=order,
        after=cursor,
        limit=_read_limit(request) + 1,
    )


async def _narrow(request: Request, query: UsageQuery) -> UsageQuery:
    """The query with the user or group that it names.

    Raises:
        Refusal: it asks for more than the caller's own.
        InvalidRequest: there is no such user or group, or none can be called so.
    """
    user, group = _read_name(request, "user"), _read_name(request, "group")
    if query.owner is not None and user is None and group is None:
        return query
    caller_of(request).require(Scope.ADMIN)
    accounts = services_of(request).accounts
    return replace(
        query,
        owner=None if user is None else (await accounts.find(user)).account_id,
        group=None if group is None else (await accounts.find_group(group)).group_id,
    )


def _read_name(request: Request, name: str) -> str | None:
    text = request.query_params.get(name)
    if text is not None:
        check_name(text, param=name)
    return text


def _choose(request: Request, name: str, known: tuple[_Word, ...], default: str = "day") -> _Word:
    """The one of ``known`` that the query names.

    Raises:
        InvalidRequest: it is none of them.
    """
    given = request.query_params.get(name, default)
    for one in known:
        if one == given:
            return one
    near = difflib.get_close_matches(given[:32], known, n=1, cutoff=0)
    raise InvalidRequest(f"{name} is one of {', '.join(known)}; e.g. {near[0]}", param=name)


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
