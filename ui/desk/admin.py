"""What administrators see and change on the page: each section's values, and its forms."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Final, TypeAlias
from urllib.parse import quote

from ui.client import GatewayError
from ui.desk.allowance import Left, read_left
from ui.desk.keys import INVALID, change_keys
from ui.desk.quotas import OWN, TOTAL, QuotaField, quota_fields, read_quotas, say_quotas
from ui.desk.usage import (
    LONGEST_PAGE,
    TOP,
    Month,
    add_up,
    ask_usage,
    choose_month,
    months_until,
    usage_values,
)
from ui.desk.visit import Form, Visit, first_of
from ui.desk.words import WORDS
from ui.fields import JsonObject, is_true, object_of, objects_of, optional_text, text_of
from ui.texts import WARSAW

Values: TypeAlias = Mapping[str, object]
Top: TypeAlias = tuple[str, str, Sequence[tuple[str, JsonObject]], bool]
DELETED: Final = "deleted"
"""The id under which the gateway tells what users had used who are deleted."""
_NONE: Final = "-"
_PAGE: Final = 50
_TOGETHER: Final = "together_"
NAME_REFUSED: Final = "name_refused"
NO_SUCH_GROUP: Final = "no_such_group"
NOT_ONESELF: Final = "not_oneself"
NO_SUCH_ENGINE: Final = "no_such_engine"
NO_SUCH_TOOL: Final = "no_such_tool"
REFUSALS: Final[Mapping[tuple[str, str | None], str]] = MappingProxyType({
    (INVALID, "name"): NAME_REFUSED,
    ("not_found", "groups"): NO_SUCH_GROUP,
    (INVALID, "disabled"): NOT_ONESELF,
    (INVALID, "engines"): NO_SUCH_ENGINE,
    (INVALID, "tools"): NO_SUCH_TOOL,
})
"""What the gateway refuses of these forms, by its code and the field at fault."""


async def change(visit: Visit, section: str, form: Form) -> Values:
    """Do what a form of the section asks for.

    Raises:
        GatewayError: the gateway refuses; with one of our own codes where we have words for it.
    """
    try:
        return await _change(visit, section, form)
    except GatewayError as error:
        told = REFUSALS.get((error.code, error.param))
        if told is None:
            raise
        raise GatewayError(told) from error


async def _change(visit: Visit, section: str, form: Form) -> Values:
    name = first_of(form, "name")
    match section, first_of(form, "do"):
        case ("keys", "revoke"):
            return await change_keys(visit, form)
        case (("users" | "groups"), "add") if name:
            await visit.ask("POST", f"/api/{section}", body={"name": name, **_wish(section, form)})
        case (("users" | "groups"), "change") if name:
            wish = _wish(section, form)
            if section == "users":
                wish["disabled"] = "disabled" in form
            await visit.ask("PATCH", f"/api/{section}/{quote(name, safe='')}", body=wish)
        case _:
            raise GatewayError(INVALID)
    return {"news": WORDS[visit.texts.language]["saved"].format(name=name)}


async def users_values(visit: Visit) -> Values:
    """Users by name, found by a part of it, page by page."""
    asked = {name: visit.request.query_params.get(name, "") for name in ("q", "cursor")}
    query: dict[str, str | int] = {name: text for name, text in asked.items() if text}
    found = await visit.ask("GET", "/api/users", query={**query, "limit": _PAGE})
    return {
        "users": objects_of(found, "users"),
        "q": asked["q"],
        "cursor": optional_text(found, "next_cursor"),
        **_limits_of(visit),
    }


async def groups_values(visit: Visit) -> Values:
    """Groups by name."""
    cursor = visit.request.query_params.get("cursor", "")
    query: dict[str, str | int] = {"limit": _PAGE} | ({"cursor": cursor} if cursor else {})
    found = await visit.ask("GET", "/api/groups", query=query)
    return {
        "groups": objects_of(found, "groups"),
        "cursor": optional_text(found, "next_cursor"),
        **_limits_of(visit),
    }


async def keys_values(visit: Visit) -> Values:
    """Everyone's keys that count, the newest first."""
    found = objects_of(await visit.ask("GET", "/api/keys"), "keys")
    working = [key for key in found if text_of(key, "state") in {"valid", "replaced"}]
    return {"keys": working[::-1]}


async def engines_values(visit: Visit) -> Values:
    """Every server of every engine, with its queue."""
    found = await visit.ask("GET", "/api/engines")
    return {"engines": objects_of(found, "engines"), "turns": object_of(found, "turns")}


async def errors_values(visit: Visit) -> Values:
    """The last failed requests."""
    found = await visit.ask("GET", "/api/errors", query={"limit": _PAGE})
    return {"errors": objects_of(found, "errors"), "is_kept": is_true(found, "enabled")}


async def usage_of_all_values(visit: Visit) -> Values:
    """The institution's usage: of a month, also by user and group, and of months to download."""
    values = await usage_values(visit, everybody=True)
    known = months_until(datetime.now(WARSAW).date())
    first, last = known[-1].days[0].isoformat(), known[0].days[-1].isoformat()
    asked: dict[str, str | int] = {"from": first, "to": last, "limit": LONGEST_PAGE}
    found = await visit.ask("GET", "/api/usage", query={**asked, "by": "month", "all": "true"})
    names = {one.first.strftime("%Y-%m"): one.say(visit.texts) for one in known}
    months = objects_of(found, "rows")
    month = choose_month(str(values["month"]), known)
    return {
        **values,
        "tops": [await _top_of(visit, month, by) for by in ("user", "group")],
        "top": TOP,
        "all_months": [(names.get(key := text_of(row, "key"), key), row) for row in months],
        "all_total": add_up(months),
        "since": first,
        "until": last,
    }


async def _top_of(visit: Visit, month: Month, by: str) -> Top:
    """The heading, ``by``, rows of who used the most in the month, and whether there are more."""
    rows = objects_of(await ask_usage(visit, month, by, most=True), "rows")
    words = WORDS[visit.texts.language]
    nobody = {"": words["no_group"], DELETED: words["deleted_users"]}
    named = [(nobody.get(text_of(row, "key")) or text_of(row, "name"), row) for row in rows]
    return f"by_{by}", by, named[:TOP], len(named) > TOP


SECTIONS: Final[Mapping[str, tuple[str, Callable[[Visit], Awaitable[Values]]]]] = MappingProxyType({
    "users": ("users", users_values),
    "groups": ("groups", groups_values),
    "keys": ("everyones_keys", keys_values),
    "engines": ("engines", engines_values),
    "errors": ("errors", errors_values),
    "usage": ("everybodys_usage", usage_of_all_values),
})
"""The sections by their paths: the name of each one's heading, and what it shows."""


def _limits_of(visit: Visit) -> Values:
    """What tells how much of its limits a user or a group has left, and what makes the fields."""
    texts, currency = visit.texts, text_of(visit.me, "currency")

    def left_in(one: JsonObject, of: str) -> list[Left]:
        return list(read_left(texts, one, currency, of=of))

    def fields(
        of: str, names: Sequence[str], prefix: str, one: JsonObject, back: Mapping[str, str]
    ) -> list[QuotaField]:
        told = quota_fields(texts, object_of(one, of), names, prefix=prefix, currency=currency)
        return [replace(field, value=back.get(field.name, field.value)) for field in told]

    def said_each(group: JsonObject) -> list[tuple[str, str]]:
        return list(say_quotas(texts, object_of(group, "quotas"), currency))

    return {
        "left_in": left_in,
        "said_each": said_each,
        "own_fields": partial(fields, "quotas", OWN, ""),
        "total_fields": partial(fields, "total", TOTAL, _TOGETHER),
    }


def _wish(section: str, form: Form) -> dict[str, object]:
    wish: dict[str, object] = {name: _limit(first_of(form, name)) for name in ("engines", "tools")}
    wish["quotas"] = read_quotas(form, OWN, prefix="")
    if section == "users":
        wish["groups"] = _split(first_of(form, "groups"))
    else:
        wish["total"] = read_quotas(form, TOTAL, prefix=_TOGETHER)
    return wish


def _limit(text: str) -> list[str] | None:
    """Names that are open; a hyphen is none at all, nothing is no limit."""
    if text == _NONE:
        return []
    return _split(text) or None


def _split(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
