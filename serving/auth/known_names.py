"""The names of engines and tools that limits may have: those that there are."""

import difflib
from collections.abc import Collection, Iterable

from chatbot.errors import InvalidRequest
from chatbot.tools import installed_tools
from serving.auth.records import Limits
from serving.settings import EMBEDDED, Settings


def check_names(limits: Limits, settings: Settings) -> None:
    """Go on where there are all engines and tools that ``limits`` name; finding tools takes 20 ms.

    A tool that is installed and not enabled may be named, too: it can be enabled later.

    Raises:
        InvalidRequest: one is not there; ``param`` is ``engines`` or ``tools``, the message tells
            the nearest that is, or all.
    """
    if limits.engines:
        _check("engine", limits.engines, {EMBEDDED, *settings.engines})
    if limits.tools:
        _check("tool", limits.tools, {tool.name for tool in installed_tools()})


def _check(kind: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in sorted(names):
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.5)
            listed = ", ".join(sorted(known))
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {listed}"
            raise InvalidRequest(f"there is no {kind} {name!r}; {hint}", param=f"{kind}s")
