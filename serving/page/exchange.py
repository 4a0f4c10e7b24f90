"""What the page's application and its proxy have in common, without the weight of a client."""

from dataclasses import dataclass
from typing import Final

from starlette.types import Receive, Scope, Send

from chatbot.errors import PageUnavailable

ANSWER_S: Final = 30.0
"""In which the page must begin to answer; its streams may be silent for as long as they like."""


class PageSilent(PageUnavailable):
    """The page took the request and did not begin to answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asgi:
    """One request as ASGI hands it over."""

    scope: Scope
    receive: Receive
    send: Send
