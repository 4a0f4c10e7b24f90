"""Lets in who knows the key, where one is set."""

import hmac

from starlette.requests import Request

from chatbot.errors import ErrorCode
from serving.http.errors import Refusal
from serving.settings import ImageServerSettings


def check_key(request: Request, settings: ImageServerSettings) -> None:
    """Compare the request's bearer key with the operator's, in constant time.

    Raises:
        Refusal: a key is set and the request has another or none.
    """
    if settings.api_key is None:
        return
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    wanted = settings.api_key.get_secret_value()
    is_known = hmac.compare_digest(given.strip().encode(), wanted.encode())
    if scheme.lower() != "bearer" or not is_known:
        raise Refusal(
            "a valid key is needed: 'Authorization: Bearer …'", code=ErrorCode.INVALID_API_KEY
        )
