"""`/api/keys`: an account's own keys, and everyone's for those who may see to them."""

from datetime import datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.sanitizer import map_frame_characters
from chatbot.types import JsonValue
from serving.auth.caller import Caller
from serving.auth.describing import key_fields
from serving.auth.keys import Wish
from serving.auth.scopes import ALL, Scope, Scopes, list_scopes
from serving.gateway.authorization import caller_of
from serving.gateway.completion import encode
from serving.gateway.key_wire import KeyBody, RotationBody
from serving.gateway.services import Services, services_of
from serving.http.body import read_body, validate
from serving.http.errors import Refusal
from serving.http.strict_json import read_json

_CREATED = 201
_DONE = 204


async def list_keys(request: Request) -> Response:
    """The account's keys without their secrets; everyone's for a key with the scope `admin`.

    Those of an account that is being deleted are left out: they go with it.
    """
    services, caller = services_of(request), caller_of(request)
    found = await services.keys.list(None if caller.is_admin else caller.account)
    names = await _names(services, caller)
    now = services.clock.now()
    listed: list[JsonValue] = [
        key_fields(key, names[key.account_id], now) for key in found if key.account_id in names
    ]
    return _reply({"keys": listed})


async def create_key(request: Request) -> Response:
    """Make a key; its text, in `key`, is shown in this reply and never again.

    It opens no more than the key that asks, and counts no longer, unless that has `admin`.
    """
    services, caller = services_of(request), caller_of(request)
    if caller.key_id is None and caller.session_id is None:
        raise Refusal(
            "the first key, which closes the server, is made by 'zwrotnica keys create'",
            code=ErrorCode.INSUFFICIENT_SCOPE,
        )
    limits = services.settings.limits
    body = validate(KeyBody, read_json(await read_body(request, limits), limits))
    account, user = await _choose_user(services, caller, body.user)
    wish = Wish(
        account_id=account,
        name=map_frame_characters(" ".join(body.name.split())),
        scopes=_choose_scopes(caller, body.scopes),
        expires_at=_choose_end(caller, body.expires_days, services.clock.now()),
    )
    most = services.settings.auth.keys
    made = await services.keys.create(wish, actor=caller.account, most=most)
    told = key_fields(made.key, user, made.key.created_at)
    return _reply({**told, "key": made.text.whole}, status=_CREATED)


async def revoke_key(request: Request, key_id: str) -> Response:
    """Let a key not count any more, for good; also right when it has ended already."""
    services, caller = services_of(request), caller_of(request)
    owner = None if caller.is_admin else caller.account
    await services.keys.revoke(key_id, actor=caller.account, owner=owner)
    return Response(status_code=_DONE)


async def rotate_key(request: Request, key_id: str) -> Response:
    """Make a key like this one, in `key`, in whose place it stands; the old one counts a while.

    The asking key must open what the old one opens, unless it has `admin`. The old one is among the
    account's at most `auth.keys` that count until its overlap ends: an account that has as many
    rotates with `overlap_hours` 0, or revokes a key first.
    """
    services, caller = services_of(request), caller_of(request)
    limits = services.settings.limits
    body = validate(RotationBody, read_json(await read_body(request, limits), limits))
    owner = None if caller.is_admin else caller.account
    names = await _names(services, caller)
    old = next((key for key in await services.keys.list(owner) if key.key_id == key_id), None)
    if old is None:
        raise InvalidRequest("there is no such key", code=ErrorCode.NOT_FOUND)
    for scope in () if caller.is_admin else old.scopes:
        caller.require(scope)
    made = await services.keys.rotate(
        key_id,
        overlap=timedelta(hours=body.overlap_hours),
        actor=caller.account,
        ends_by=None if caller.is_admin else caller.ends_at,
        most=services.settings.auth.keys,
    )
    user = names.get(made.key.account_id, made.key.account_id)
    told = key_fields(made.key, user, made.key.created_at)
    return _reply({**told, "key": made.text.whole}, status=_CREATED)


async def _names(services: Services, caller: Caller) -> dict[str, str]:
    if not caller.is_admin:
        return {caller.account: caller.name}
    return {account.account_id: account.name for account in await services.accounts.list()}


async def _choose_user(services: Services, caller: Caller, name: str | None) -> tuple[str, str]:
    """Id and name of the new key's account."""
    if name is None or name == caller.name:
        return caller.account, caller.name
    caller.require(Scope.ADMIN)
    account = await services.accounts.find(name)
    return account.account_id, account.name


def _choose_scopes(caller: Caller, names: list[str] | None) -> Scopes:
    if names is None:
        return caller.scopes - {Scope.ADMIN} or caller.scopes
    known = list_scopes(ALL)
    if unknown := [name for name in names if name not in known]:
        raise InvalidRequest(
            f"there is no scope {unknown[0]!r}; the scopes are {', '.join(known)}", param="scopes"
        )
    wanted = frozenset(map(Scope, names))
    for scope in () if caller.is_admin else wanted:
        caller.require(scope)
    return wanted


def _choose_end(caller: Caller, days: int | None, now: datetime) -> datetime | None:
    wanted = None if days is None else now + timedelta(days=days)
    if caller.is_admin or caller.ends_at is None:
        return wanted
    return caller.ends_at if wanted is None else min(wanted, caller.ends_at)


def _reply(fields: dict[str, JsonValue], *, status: int = 200) -> Response:
    """Nobody on the way keeps a copy: it may hold a key."""
    headers = {"cache-control": "no-store"}
    return Response(encode(fields), status, headers, media_type="application/json")
