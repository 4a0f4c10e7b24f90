"""What the deletion of one's own account has to say."""

from pydantic import Field

from serving.auth.records import LONGEST_NAME
from serving.http.body import Body


class DeletionBody(Body):
    """The confirmation: whoever deletes an account names it."""

    confirm: str = Field(
        min_length=1,
        max_length=LONGEST_NAME,
        description="Name of the account, as `/api/me` tells it.",
    )
