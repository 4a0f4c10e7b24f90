"""What a key may be used for."""

from enum import StrEnum
from typing import Final, TypeAlias


class Scope(StrEnum):
    """One thing that a key may be used for.

    ``chat``: the routed chatbot, its conversations and the decision alone; ``images``: pictures
    outside of a chat; ``engines``: engines called by their own names; ``admin``: everyone's keys
    and the figures of the server.
    """

    CHAT = "chat"
    IMAGES = "images"
    ENGINES = "engines"
    ADMIN = "admin"


Scopes: TypeAlias = frozenset[Scope]

ALL: Final[Scopes] = frozenset(Scope)
USUAL: Final[Scopes] = ALL - {Scope.ADMIN}
"""What a key has where nobody says otherwise."""


def list_scopes(scopes: Scopes) -> list[str]:
    """Their names, in the order in which they are declared."""
    return [scope.value for scope in Scope if scope in scopes]
