"""The key that came with the request of a browser, or that a proxy on its way has added."""

from collections.abc import Mapping
from typing import Final

from gradio.context import LocalContext
from starlette.types import Scope

CARRIERS: Final = ("authorization", "x-api-key")
"""The headers in which the gateway looks for a key."""


SESSION: Final = b"Bearer zws."
"""How the gateway hands on a session of somebody who has signed in."""


def is_signed_in(scope: Scope) -> bool:
    """Whether a request was made by somebody who can sign out again."""
    return any(
        name == b"authorization" and value.startswith(SESSION) for name, value in scope["headers"]
    )


def credential_of_event() -> Mapping[str, str]:
    """The headers with the key of whoever caused the running event; empty where there is none."""
    request = LocalContext.request.get(None)
    if request is None:
        return {}
    headers = request.headers
    return {name: headers[name] for name in CARRIERS if name in headers}
