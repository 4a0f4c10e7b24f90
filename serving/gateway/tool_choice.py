"""Which tools a request may name and use: those that its caller may use at all."""

import difflib
from collections.abc import Sequence

from starlette.requests import Request

from chatbot.errors import InvalidRequest
from serving.gateway.authorization import caller_of
from serving.gateway.services import services_of


def allowed_tools(request: Request) -> tuple[str, ...]:
    """The enabled tools that the caller may use, in the registry's order."""
    limits = caller_of(request).limits
    return tuple(
        name for name in services_of(request).chatbot.tools.names if limits.opens_tool(name)
    )


def limited_tools(request: Request) -> tuple[str, ...] | None:
    """As `allowed_tools` where the caller is limited at all; ``None``: to no fewer than all."""
    return None if caller_of(request).limits.tools is None else allowed_tools(request)


def check_tools(names: Sequence[str], known: Sequence[str], *, param: str) -> None:
    """Look whether ``names`` are among ``known``; one that may not be used does not exist.

    Raises:
        InvalidRequest: one is not; names the nearest.
    """
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            raise InvalidRequest(f"there is no tool {name!r}; {hint}", param=param)
