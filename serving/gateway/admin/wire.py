"""What administrators may say of users and groups, within bounds."""

from typing import Annotated, Final, TypeAlias

from pydantic import Field

from serving.auth.records import LONGEST_NAME, Limits
from serving.http.body import Body

MOST_NAMES: Final = 256
"""Names in one list."""

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Names: TypeAlias = Annotated[list[Name], Field(max_length=MOST_NAMES)]


class LimitsBody(Body):
    """Engines and tools that may be used."""

    engines: Names | None = Field(
        default=None, description="Engines that may be called by name; null: all, []: none."
    )
    tools: Names | None = Field(
        default=None, description="Tools that may be used; null: all, []: none."
    )

    def over(self, old: Limits) -> Limits:
        """The limits ``old``, with what this body names in its place."""
        given = self.model_fields_set
        return Limits(
            engines=_as_set(self.engines) if "engines" in given else old.engines,
            tools=_as_set(self.tools) if "tools" in given else old.tools,
        )


class UserBody(LimitsBody):
    """A new user."""

    name: Name = Field(description="1 to 128 letters, digits, and `. _ @ + -`.")
    groups: Names = Field(default=[], description="Names of groups that there are.")


class UserChange(LimitsBody):
    """What changes of a user; what is left out stays."""

    disabled: bool | None = Field(
        default=None, description="Whether none of the user's keys and sessions counts."
    )
    groups: Names | None = Field(
        default=None, description="All the groups that the user is in from now on."
    )


class GroupBody(LimitsBody):
    """A new group."""

    name: Name = Field(description="1 to 128 letters, digits, and `. _ @ + -`.")


class GroupChange(LimitsBody):
    """What changes of a group; what is left out stays."""


def _as_set(names: list[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)
