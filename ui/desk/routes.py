"""The paths of the pages beside the chat, in both languages, and what is said where one fails."""

from collections.abc import Mapping
from functools import partial
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from ui.client import Gateway, GatewayError
from ui.credential import CARRIERS
from ui.desk.admin import REFUSALS, SECTIONS, change
from ui.desk.allowance import read_left
from ui.desk.keys import change_keys, key_values
from ui.desk.rendering import Pages
from ui.desk.usage import usage_values
from ui.desk.visit import NOT_OURS, Form, Visit, ask, first_of, read_form
from ui.desk.words import LANGUAGES, WORDS
from ui.fields import NOTHING, text_of
from ui.look.files import LookFiles
from ui.texts import Texts, say_error

_STATUSES: Final[Mapping[str, int]] = {
    "invalid_api_key": 401,
    "insufficient_scope": 403,
    NOT_OURS: 403,
    "not_found": 404,
    "invalid_request": 400,
    **dict.fromkeys(REFUSALS.values(), 400),
}
_UNAVAILABLE: Final = 503


class Desk:
    """The pages beside the chat, in front of ``gateway``."""

    def __init__(self, gateway: Gateway, look: LookFiles) -> None:
        """``look`` has their style."""
        self._gateway = gateway
        self._pages = Pages(look)

    @property
    def routes(self) -> list[Route]:
        """To stand before Gradio's."""
        return [
            Route(f"{texts.path.rstrip('/')}{path}", partial(show, texts), methods=methods)
            for texts in LANGUAGES
            for path, show, methods in (
                ("/usage", self._show_usage, ["GET"]),
                ("/keys", self._show_keys, ["GET", "POST"]),
                ("/admin", self._show_admin, ["GET", "POST"]),
                ("/admin/{section}", self._show_admin, ["GET", "POST"]),
            )
        ]

    async def _show_usage(self, texts: Texts, request: Request) -> HTMLResponse:
        try:
            visit = await self._enter(texts, request)
            values = await usage_values(visit)
        except GatewayError as error:
            return self._fail(texts, request, "usage", error)
        left = list(read_left(texts, visit.me, str(values["currency"])))
        return self._show(visit, "usage", {**values, "left": left})

    async def _show_keys(self, texts: Texts, request: Request) -> HTMLResponse:
        told: Mapping[str, object] = {}
        form: Form = {}
        refusal: GatewayError | None = None
        try:
            visit = await self._enter(texts, request)
            if request.method == "POST":
                form = await read_form(request)
                try:
                    told = await change_keys(visit, form)
                except GatewayError as error:
                    refusal = error
            values = await key_values(visit)
        except GatewayError as error:
            return self._fail(texts, request, "keys", error)
        if refusal is not None:
            told = {"error": explain(texts, refusal), **_typed(form)}
        return self._show(visit, "keys", {**values, **told}, refusal)

    async def _show_admin(self, texts: Texts, request: Request) -> HTMLResponse:
        section = request.path_params.get("section", next(iter(SECTIONS)))
        told: Mapping[str, object] = {}
        form: Form = {}
        refusal: GatewayError | None = None
        if section not in SECTIONS:
            return self._fail(texts, request, "admin", GatewayError("not_found"))
        try:
            visit = await self._enter_as_administrator(texts, request)
            if request.method == "POST":
                form = await read_form(request)
                try:
                    told = await change(visit, section, form)
                except GatewayError as error:
                    refusal = error
            title, read_values = SECTIONS[section]
            values = await read_values(visit)
        except GatewayError as error:
            return self._fail(texts, request, "admin", error)
        if refusal is not None:
            told = {"error": explain(texts, refusal), **_typed(form)}
        shared = {
            "section": section,
            "section_title": title,
            "sections": [(path, name) for path, (name, _) in SECTIONS.items()],
        }
        return self._show(visit, "admin", {**shared, **values, **told}, refusal)

    async def _enter(self, texts: Texts, request: Request) -> Visit:
        me = await ask(request, self._gateway, "GET", "/api/me")
        return Visit(request=request, gateway=self._gateway, texts=texts, me=me)

    async def _enter_as_administrator(self, texts: Texts, request: Request) -> Visit:
        visit = await self._enter(texts, request)
        if not visit.is_admin:
            raise GatewayError("insufficient_scope")
        return visit

    def _show(
        self,
        visit: Visit,
        here: str,
        values: Mapping[str, object],
        refusal: GatewayError | None = None,
    ) -> HTMLResponse:
        status = 200 if refusal is None else status_of(refusal)
        shared = {
            "here": here,
            "name": text_of(visit.me, "name"),
            "is_admin": visit.is_admin,
            "is_session": not text_of(visit.me, "key") and _carries(visit.request),
        }
        return self._pages.show(
            visit.texts, f"{here}.html.j2", status=status, **(shared | dict(values))
        )

    def _fail(self, texts: Texts, request: Request, here: str, error: GatewayError) -> HTMLResponse:
        onward = quote(request.url.path, safe="/")
        return self._pages.show(
            texts,
            "failed.html.j2",
            status=status_of(error),
            here=here,
            name="",
            me=NOTHING,
            error=explain(texts, error),
            sign_in=f"/sign-in?next={onward}" if error.code == "invalid_api_key" else "",
        )


def explain(texts: Texts, error: GatewayError) -> str:
    """What a reader is told of an error."""
    words = WORDS[texts.language]
    match error.code:
        case "invalid_api_key":
            return words["signed_out"]
        case "insufficient_scope":
            return words["first_key" if "zwrotnica keys create" in error.message else "no_rights"]
        case "not_found" | "not_ours" as code:
            return words[code]
        case code if code in REFUSALS.values():
            return words[code]
        case "invalid_request" | "unsupported_parameter" if error.message:
            return words["refused"].format(message=error.message)
        case code:
            return say_error(texts, code) or words["try_again"]


def status_of(error: GatewayError) -> int:
    """The status of a page that tells of ``error``."""
    return _STATUSES.get(error.code, _UNAVAILABLE)


def _typed(form: Form) -> Mapping[str, object]:
    """What stands again in a form that was refused."""
    return {
        "again": {name: first_of(form, name) for name in form},
        "again_scopes": form.get("scopes", []),
    }


def _carries(request: Request) -> bool:
    return any(name in request.headers for name in CARRIERS)
