"""The account's keys: listed, made, replaced, revoked."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from ui.client import GatewayError
from ui.desk.visit import Form, Visit, first_of
from ui.desk.words import WORDS
from ui.fields import JsonObject, objects_of, text_of, texts_of

SCOPES: Final = ("chat", "images", "engines", "admin")
_WORKING: Final = frozenset({"valid", "replaced"})
_DIGITS: Final = 4
INVALID: Final = "invalid_request"


async def change_keys(visit: Visit, form: Form) -> Mapping[str, object]:
    """Do what a form asks for, and say what came of it; a new key's text is told this once.

    Raises:
        GatewayError: the gateway refuses.
    """
    key_id = quote(first_of(form, "id"), safe="")
    match first_of(form, "do"):
        case "make":
            made = await visit.ask("POST", "/api/keys", body=_wish(form))
            return {"made": text_of(made, "key")}
        case "rotate" if key_id:
            made = await visit.ask("POST", f"/api/keys/{key_id}/rotate", body={})
            return {"made": text_of(made, "key")}
        case "revoke" if key_id:
            await visit.ask("DELETE", f"/api/keys/{key_id}")
            return {"news": WORDS[visit.texts.language]["revoked_now"]}
        case _:
            raise GatewayError(INVALID)


async def key_values(visit: Visit) -> Mapping[str, object]:
    """What the page of keys shows: the account's own, also to administrators."""
    own = [
        key
        for key in objects_of(await visit.ask("GET", "/api/keys"), "keys")
        if text_of(key, "user") == text_of(visit.me, "name")
    ]
    own.reverse()
    open_scopes = texts_of(visit.me, "scopes")
    return {
        "working": [key for key in own if text_of(key, "state") in _WORKING],
        "ended": [key for key in own if text_of(key, "state") not in _WORKING],
        "scopes": [scope for scope in SCOPES if scope in open_scopes],
        "made": "",
    }


def _wish(form: Form) -> JsonObject:
    days = first_of(form, "expires_days")
    wish: dict[str, str | int | list[str]] = {
        "name": first_of(form, "name"),
        "scopes": [scope for scope in SCOPES if scope in form.get("scopes", [])],
    }
    if days:
        if not (days.isascii() and days.isdigit() and len(days) <= _DIGITS):
            raise GatewayError(INVALID)
        wish["expires_days"] = int(days)
    return wish
