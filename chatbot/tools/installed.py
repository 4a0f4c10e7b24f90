"""The tools that a chatbot can have: the built-in ones, then those of installed packages."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points

from chatbot.errors import InvalidRequest
from chatbot.tools.builtin import BUILT_IN
from chatbot.tools.tool import Tool

ENTRY_POINTS = "zwrotnica.tools"


def installed_tools() -> tuple[Tool, ...]:
    """The built-in tools, then those of the entry-point group ``zwrotnica.tools``.

    Raises:
        InvalidRequest: an entry point cannot be loaded or is no tool.
    """
    return (*BUILT_IN, *(load_plugin(point) for point in entry_points(group=ENTRY_POINTS)))


def load_plugin(point: EntryPoint) -> Tool:
    """The tool behind an entry point.

    Raises:
        InvalidRequest: it cannot be loaded or is no tool.
    """
    try:
        loaded = point.load()
    except (ImportError, AttributeError, NameError, SyntaxError, TypeError) as error:
        raise InvalidRequest(
            f"The tool plugin {point.name!r} ({point.value}) cannot be loaded: {error}. "
            "Mend or uninstall it.",
            param="tools",
        ) from error
    if not isinstance(loaded, Tool):
        raise InvalidRequest(
            f"The entry point {point.name!r} ({point.value}) is no tool: decorate it with @tool.",
            param="tools",
        )
    return loaded


def refuse_clashes(tools: Sequence[Tool]) -> None:
    """Names and settings keys share one name space.

    Raises:
        InvalidRequest: two tools have a name in common.
    """
    for position, tool in enumerate(tools):
        for other in tools[:position]:
            if {tool.name, tool.key} & {other.name, other.key}:
                raise InvalidRequest(
                    f"Two tools are called {tool.name!r} (settings key {tool.key!r}): rename one "
                    "with @tool(name=…, key=…) or uninstall its plugin.",
                    param="tools",
                )


def choose_tools(tools: Sequence[Tool], enabled: Sequence[str] | None) -> tuple[Tool, ...]:
    """The tools whose names or keys ``enabled`` lists, in its order; ``None``: all.

    Raises:
        InvalidRequest: a name is unknown.
    """
    if enabled is None:
        return tuple(tools)
    by_name = {tool.key: tool for tool in tools} | {tool.name: tool for tool in tools}
    for name in enabled:
        if name not in by_name:
            raise unknown_name("tool", name, list(by_name), param="tools.enabled")
    return tuple(dict.fromkeys(by_name[name] for name in enabled))


def unknown_name(kind: str, name: str, known: Iterable[str], *, param: str) -> InvalidRequest:
    """The error for a name that does not exist; it suggests the nearest one that does."""
    names = list(known)
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names) or 'none'}."
    return InvalidRequest(f"There is no {kind} {name!r}: {hint}", param=param)
