"""The cases of FAULTS T3 as data: what the image server does, and what the user must read."""

import re
from dataclasses import dataclass
from typing import Final

PICTURE: Final = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureCase:
    """One mischief of an image server; ``is_silent``: only the deadline ends it."""

    name: str
    fault: str
    says: str
    is_silent: bool = False

    @property
    def wish(self) -> str:
        """What the user types; the fault server finds its fault in the description."""
        return f"Wygeneruj obraz: {self.fault}"


LATE: Final = "nie zdążył"
LOST: Final = "nie oddał całego obrazu"
CASES: Final = (
    PictureCase(name="job accepted, then silence", fault="fault=silent", says=LATE, is_silent=True),
    PictureCase(
        name="job accepted, lost after two steps",
        fault="fault=picture_steps:stop=2:how=hang",
        says=LATE,
        is_silent=True,
    ),
    PictureCase(
        name="job lost behind a body that drips",
        fault="fault=picture_drip",
        says=LATE,
        is_silent=True,
    ),
    PictureCase(
        name="job lost with its connection",
        fault="fault=picture_steps:stop=2:how=rst",
        says=LOST,
    ),
    PictureCase(
        name="job lost behind a link that is gone",
        fault="fault=picture_link:then=404",
        says=LOST,
    ),
    PictureCase(
        name="queue of 5 min",
        fault="fault=picture_full:after=300",
        says=r"zbyt wiele zleceń\. Spróbuj ponownie za około 5 minut\.",
    ),
    PictureCase(
        name="NSFW refusal",
        fault="fault=picture_refused:code=content_policy_violation",
        says="narusza jego zasady",
    ),
    PictureCase(
        name="moderation refusal in the stream",
        fault="fault=picture_steps:stop=1:how=refused",
        says="narusza jego zasady",
    ),
    PictureCase(name="corrupt PNG, one bit", fault="fault=picture_raw:of=flip", says=LOST),
    PictureCase(name="corrupt PNG, half of it", fault="fault=picture_raw:of=cut", says=LOST),
    PictureCase(
        name="corrupt PNG, right sums around garbage",
        fault="fault=picture_raw:of=pixels",
        says=LOST,
    ),
    PictureCase(name="PNG of 256 megapixels", fault="fault=picture_raw:of=huge", says=LOST),
    PictureCase(name="HTML in place of a picture", fault="fault=picture_raw:of=html", says=LOST),
    PictureCase(name="200 with HTML", fault="fault=html", says=LOST),
)
"""Every case but those of the links' age."""

LINK_AGES: Final = ((3_599, 200), (3_600, 410), (3_601, 410))
"""Seconds after which a link is followed, and the status it gives."""
