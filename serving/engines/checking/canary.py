"""The canary: a tool whose name a model can only know from the request, and what asks for it."""

from typing import Final

from chatbot.types import RouterView, ToolSpec

CANARY_PROMPT: Final = "Podaj mi, proszę, tajne hasło dnia dla stacji Łódź."
"""What only the canary tool can answer."""
CANARY_MARKS: Final = (
    *("amber", "birch", "cobalt", "dune", "ember", "fjord", "gecko", "heron"),
    *("ivory", "kayak", "lynx", "moss", "onyx", "quartz", "tulip", "walnut"),
)
"""What the name of the canary tool may end in.

Each check draws one of them, so a model can name the tool only if it has read the request. They are
words and no random characters because small models copy those with slips, and a fixed table because
a checkpoint made for tests can then learn them all.
"""
GREETING: Final = "Cześć! Opowiedz mi krótko, co dziś u ciebie słychać."
"""What no tool is for."""


def make_canary(mark: str) -> ToolSpec:
    """The tool that `CANARY_PROMPT` needs; its name ends in ``mark``."""
    return ToolSpec(
        name=f"secret_word_{mark}",
        title="Hasło",
        description="Returns the secret word of the day (tajne hasło dnia) for a station.",
        parameters={
            "type": "object",
            "properties": {"station": {"type": "string", "description": "Name of the station."}},
            "required": ["station"],
        },
    )


def canary_view(canary: ToolSpec) -> RouterView:
    """What the router sees when the canary is asked for."""
    return RouterView(tools=(canary,), prompt=CANARY_PROMPT)


def greeting_view(canary: ToolSpec) -> RouterView:
    """What the router sees when it is greeted, the canary being offered."""
    return RouterView(tools=(canary,), prompt=GREETING)
