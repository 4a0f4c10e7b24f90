"""`/sign-in`, `/sign-out`, `/account`: signing in by a password, out again, one's own account."""

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import InvalidRequest, ZwrotnicaError
from serving.auth.caller import Caller
from serving.auth.records import LOCAL
from serving.gateway.presence import identify, read_session
from serving.gateway.services import services_of
from serving.gateway.sign_in.form import guess_of, read_form
from serving.gateway.sign_in.problems import NoSuchWay
from serving.gateway.sign_in.reply import forget_session, go_to, set_session, show
from serving.gateway.sign_in.words import words_for
from serving.http.errors import Refusal
from serving.http.origin import own_path

_SIGN_IN = "sign_in.html.j2"
_ACCOUNT = "account.html.j2"
_NEW_PASSWORD = "new_password.html.j2"  # noqa: S105 (a file)


async def show_sign_in(request: Request) -> Response:
    """The form for name and password; who is signed in goes on to `next`."""
    onward = own_path(request.query_params.get("next"))
    if await find_present(request) is not None:
        return go_to(onward)
    return show_form(request, onward)


async def sign_in(request: Request) -> Response:
    """A session for a name and its password, and on to `next`."""
    services = services_of(request)
    form: dict[str, str] = {}
    try:
        form |= await read_form(request)
        _check_passwords_count(request)
        guess = guess_of(request, form.get("name", ""))
        signed_in = await services.entrances.sign_ins.sign_in(guess, form.get("password", ""))
    except ZwrotnicaError as error:
        onward = own_path(form.get("next"))
        return show_form(request, onward, name=form.get("name", ""), error=error)
    response = go_to(own_path(form.get("next")))
    set_session(request, response, signed_in.text)
    return response


async def sign_out(request: Request) -> Response:
    """End the browser's session, or with `everywhere` all of its account."""
    form = await read_form(request)
    text = read_session(request)
    if text is not None:
        sign_ins = services_of(request).entrances.sign_ins
        await sign_ins.sign_out(text, everywhere=form.get("everywhere") == "yes")
    response = go_to("/sign-in")
    forget_session(response)
    return response


async def show_account(request: Request) -> Response:
    """Who is signed in, and the ways out."""
    caller = await find_present(request)
    return go_to("/sign-in?next=/account") if caller is None else _show_account(request, caller)


async def change_password(request: Request) -> Response:
    """A new password for whoever is signed in and knows the old one; every session ends."""
    services, caller = services_of(request), await find_present(request)
    if caller is None:
        return go_to("/sign-in?next=/account")
    try:
        form = await read_form(request)
        _check_passwords_count(request)
        if form.get("new") != form.get("again"):
            return _show_account(request, caller, problem=words_for(request).differ)
        guess = guess_of(request, caller.name)
        entrance = await services.entrances.sign_ins.check(guess, form.get("password", ""))
        await services.entrances.new_passwords.change(entrance, form.get("new", ""))
    except ZwrotnicaError as error:
        return _show_account(request, caller, error=error)
    response = show_form(request, "/", name=caller.name, news=words_for(request).password_is_set)
    forget_session(response)
    return response


async def delete_account(request: Request) -> Response:
    """Delete the account of whoever is signed in and types its name, with all that it owns."""
    caller = await find_present(request)
    if caller is None:
        return go_to("/sign-in?next=/account")
    try:
        form = await read_form(request)
        if form.get("confirm", "").strip() != caller.name:
            return _show_account(request, caller, problem=words_for(request).not_this_name)
        await services_of(request).erasing.delete(caller)
    except ZwrotnicaError as error:
        return _show_account(request, caller, error=error)
    response = show_form(request, "/", news=words_for(request).account_deleted)
    forget_session(response)
    return response


async def show_new_password(request: Request) -> Response:
    """The form behind a link that sets a password."""
    link = request.query_params.get("link", "")
    try:
        _check_passwords_count(request)
        account = await services_of(request).entrances.new_passwords.find_linked(link)
    except ZwrotnicaError as error:
        return _show_new_password(request, error=error)
    return _show_new_password(request, name=account.name, link=link)


async def set_password(request: Request) -> Response:
    """Set a password by a link, which is used up thereby."""
    services, name, link = services_of(request), "", ""
    try:
        form = await read_form(request)
        _check_passwords_count(request)
        link = form.get("link", "")
        name = (await services.entrances.new_passwords.find_linked(link)).name
        if form.get("new") != form.get("again"):
            differ = words_for(request).differ
            return _show_new_password(request, name=name, link=link, problem=differ)
        await services.entrances.new_passwords.set_by_link(link, form.get("new", ""))
    except ZwrotnicaError as error:
        return _show_new_password(request, name=name, link=link, error=error)
    return show_form(request, "/", name=name, news=words_for(request).password_is_set)


async def find_present(request: Request) -> Caller | None:
    """Who is signed in with this browser.

    Raises:
        StorageUnavailable: that has to be looked up, and the database cannot be read.
    """
    try:
        caller = await identify(request)
    except (Refusal, InvalidRequest):
        return None
    return caller if caller.by_cookie else None


def _check_passwords_count(request: Request) -> None:
    if not services_of(request).settings.auth.password:
        raise NoSuchWay("one signs in here by no password")


def show_form(
    request: Request,
    onward: str,
    *,
    name: str = "",
    error: ZwrotnicaError | None = None,
    **values: object,
) -> Response:
    """The ways to sign in, with what went wrong or well before."""
    auth = services_of(request).settings.auth
    return show(
        request,
        _SIGN_IN,
        title=words_for(request).sign_in,
        error=error,
        next=onward,
        name=name,
        has_password=auth.password,
        provider=auth.oidc.name,
        **values,
    )


def _show_account(
    request: Request, caller: Caller, *, error: ZwrotnicaError | None = None, **values: object
) -> Response:
    return show(
        request,
        _ACCOUNT,
        title=words_for(request).account,
        error=error,
        name=caller.name,
        has_password=services_of(request).settings.auth.password and caller.has_password,
        is_person=caller.account != LOCAL,
        **values,
    )


def _show_new_password(
    request: Request,
    *,
    name: str = "",
    link: str = "",
    error: ZwrotnicaError | None = None,
    **values: object,
) -> Response:
    title = words_for(request).set_password
    return show(request, _NEW_PASSWORD, title=title, error=error, name=name, link=link, **values)
