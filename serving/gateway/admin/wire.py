"""What administrators may say of users and groups, within bounds."""

from typing import Annotated, Final, TypeAlias

from pydantic import Field

from serving.auth.quotas import NO_QUOTAS, Quotas
from serving.auth.records import LONGEST_NAME, Limits
from serving.http.body import Body

MOST_NAMES: Final = 256
"""Names in one list."""

MOST_USED: Final = 10**15
"""Above what anybody uses, and within every database's integers."""

Quota: TypeAlias = Annotated[int, Field(ge=0, le=MOST_USED)]
Least: TypeAlias = Annotated[int, Field(ge=1, le=MOST_USED)]
"""Of what nobody could do anything with 0 of, as in the settings."""
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Names: TypeAlias = Annotated[list[Name], Field(max_length=MOST_NAMES)]


class TotalBody(Body):
    """How much many may use together; null: no limit. Money is in micro-units of the currency."""

    requests_per_minute: Least | None = None
    tokens_per_minute: Least | None = None
    requests_at_once: Quota | None = None
    tokens_per_day: Quota | None = None
    tokens_per_month: Quota | None = None
    images_per_day: Quota | None = None
    images_per_month: Quota | None = None
    money_per_day: Quota | None = None
    money_per_month: Quota | None = None

    def over(self, old: Quotas) -> Quotas:
        """The quotas ``old``, with those that this body names in their place."""
        return old.changed(self.model_dump(exclude_unset=True))


class QuotasBody(TotalBody):
    """How much one may use, also in one request; null: this sets no limit."""

    prompt_tokens: Least | None = None
    answer_tokens: Least | None = None


class LimitsBody(Body):
    """Engines and tools that may be used, and how much."""

    engines: Names | None = Field(
        default=None, description="Engines that may be called by name; null: all, []: none."
    )
    tools: Names | None = Field(
        default=None, description="Tools that may be used; null: all, []: none."
    )
    quotas: QuotasBody | None = Field(
        default=None,
        description="Limits of use and budgets; those that are left out stay, null lifts one, or "
        "in place of the object all.",
    )

    def over(self, old: Limits) -> Limits:
        """The limits ``old``, with what this body names in its place."""
        given = self.model_fields_set
        return Limits(
            quotas=_over(old.quotas, self.quotas) if "quotas" in given else old.quotas,
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


class GroupChange(LimitsBody):
    """What changes of a group; what is left out stays. ``quotas`` are of each member."""

    total: TotalBody | None = Field(
        default=None,
        description="What all members may use together; what is left out stays, null lifts one, or "
        "in place of the object all.",
    )

    def total_over(self, old: Quotas) -> Quotas:
        """The limits of all members together, with what this body names in their place."""
        return _over(old, self.total) if "total" in self.model_fields_set else old


class GroupBody(GroupChange):
    """A new group."""

    name: Name = Field(description="1 to 128 letters, digits, and `. _ @ + -`.")


def _over(old: Quotas, body: TotalBody | None) -> Quotas:
    return NO_QUOTAS if body is None else body.over(old)


def _as_set(names: list[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)
