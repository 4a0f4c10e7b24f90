"""What a proxy and whoever uses it have in common, without the weight of a client."""

from dataclasses import dataclass
from typing import Final

from starlette.types import Receive, Scope, Send

from chatbot.errors import ZwrotnicaError

ANSWER_S: Final = 30.0
"""In which a server must begin to answer; its streams may be silent for as long as they like."""


class UpstreamUnavailable(ZwrotnicaError):
    """The server that a request is handed on to gave no reply; told in its user's own words."""


class UpstreamSilent(UpstreamUnavailable):
    """The server took the request and did not begin to answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asgi:
    """One request as ASGI hands it over."""

    scope: Scope
    receive: Receive
    send: Send
