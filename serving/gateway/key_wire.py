"""What a request for a new key, or one in place of another, may say."""

from pydantic import Field

from serving.auth.scopes import Scope
from serving.http.body import Body

NAME_CHARS = 128
LONGEST_DAYS = 3650
LONGEST_OVERLAP_H = 720
OVERLAP_H = 24


class KeyBody(Body):
    """A new key; ``scopes`` are those of the key that asks, unless they are fewer."""

    name: str = Field(default="", max_length=NAME_CHARS, description="What it is for.")
    scopes: list[str] | None = Field(
        default=None,
        min_length=1,
        max_length=len(Scope),
        description="What it opens: `chat`, `images`, `engines`, `admin`; at most what the asking "
        "key opens, unless that has `admin`. Left out: the same, without `admin`.",
    )
    expires_days: int | None = Field(
        default=None,
        ge=1,
        le=LONGEST_DAYS,
        description="Days for which it counts; at most as long as the asking key. Left out: as "
        "long as that.",
    )
    user: str | None = Field(
        default=None,
        max_length=NAME_CHARS,
        description="Name of the user whose key it is; another than one's own needs `admin`.",
    )


class RotationBody(Body):
    """A key in place of another."""

    overlap_hours: int = Field(
        default=OVERLAP_H,
        ge=0,
        le=LONGEST_OVERLAP_H,
        description="Hours for which the old key still counts.",
    )
