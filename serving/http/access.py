"""Lets in who knows a server's one key, where one is set."""

import hmac

from pydantic import SecretStr
from starlette.requests import Request

from chatbot.errors import ErrorCode
from serving.http.errors import Refusal


def check_key(request: Request, key: SecretStr | None) -> None:
    """Compare the request's bearer key with the operator's, in constant time.

    Raises:
        Refusal: a key is set and the request has another or none.
    """
    if key is None:
        return
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    is_known = hmac.compare_digest(given.strip().encode(), key.get_secret_value().encode())
    if scheme.lower() != "bearer" or not is_known:
        raise Refusal(
            "a valid key is needed: 'Authorization: Bearer …'", code=ErrorCode.INVALID_API_KEY
        )
