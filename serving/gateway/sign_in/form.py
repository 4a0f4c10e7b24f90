"""Reads the forms of the sign-in pages: small, from our own pages, every field a text."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from chatbot.errors import InvalidRequest
from serving.auth.signing_in.guesses import Guess
from serving.gateway.services import services_of
from serving.http.body import read_body
from serving.http.errors import BodyTooLarge
from serving.http.origin import check_own_origin

_FORM: Final = "application/x-www-form-urlencoded"
_MOST_FIELDS: Final = 8
_LONGEST: Final = 4096
_NAME_CHARS: Final = 128


async def read_form(request: Request) -> Mapping[str, str]:
    """The fields of a form by their names; one that is missing is empty.

    Raises:
        Refusal: a page from elsewhere has sent it (``insufficient_scope``).
        BodyTooLarge: it has more than 4096 bytes.
        InvalidRequest: it is no such form.
    """
    settings = services_of(request).settings
    check_own_origin(request, settings.public_url)
    body = await read_body(request, settings.limits)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if len(body) > _LONGEST:
        raise BodyTooLarge(_LONGEST)
    if body and kind != _FORM:
        raise InvalidRequest(f"a form is needed: {_FORM}")
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise InvalidRequest("the form cannot be read") from error
    return dict(reversed(fields))


def guess_of(request: Request, name: str) -> Guess:
    """A try at the account called ``name``, from where the request comes."""
    address = request.client.host if request.client else ""
    return Guess(name=name.strip()[:_NAME_CHARS], address=address)
