"""The key that came with the request of a browser, or that a proxy on its way has added."""

from collections.abc import Mapping
from typing import Final

from gradio.context import LocalContext

CARRIERS: Final = ("authorization", "x-api-key")
"""The headers in which the gateway looks for a key."""


def credential_of_event() -> Mapping[str, str]:
    """The headers with the key of whoever caused the running event; empty where there is none."""
    request = LocalContext.request.get(None)
    if request is None:
        return {}
    headers = request.headers
    return {name: headers[name] for name in CARRIERS if name in headers}
