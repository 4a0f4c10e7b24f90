"""Settings of what every user may use who has no limits of their own."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field, NonNegativeInt, PositiveInt

from serving.settings.sections import Section

Money = Annotated[Decimal, Field(ge=0, le=1_000_000_000, decimal_places=6)]


class QuotaSettings(Section):
    """Limits of each user who has no others: `zwrotnica users limit`, `zwrotnica groups limit`."""

    requests_per_minute: PositiveInt | None = Field(
        default=None, description="Requests in a minute, with several workers those of all."
    )
    tokens_per_minute: PositiveInt | None = Field(
        default=None,
        description="Tokens, of prompts and answers, in a minute, with several workers those of "
        "all.",
    )
    requests_at_once: NonNegativeInt | None = Field(
        default=None, description="Requests that may run at once."
    )
    prompt_tokens: PositiveInt | None = Field(
        default=None,
        description="Tokens of one prompt, estimated as a third of its UTF-8 bytes; a longer one "
        "is refused.",
    )
    answer_tokens: PositiveInt | None = Field(
        default=None, description="Tokens of one answer; a longer one is cut off."
    )
    tokens_per_day: NonNegativeInt | None = Field(
        default=None, description="Tokens, of prompts and answers, in a day."
    )
    tokens_per_month: NonNegativeInt | None = Field(default=None, description="Tokens in a month.")
    images_per_day: NonNegativeInt | None = Field(default=None, description="Pictures in a day.")
    images_per_month: NonNegativeInt | None = Field(
        default=None, description="Pictures in a month."
    )
    money_per_day: Money | None = Field(
        default=None, description="What may be spent in a day, in `billing.currency`."
    )
    money_per_month: Money | None = Field(
        default=None, description="What may be spent in a month, in `billing.currency`."
    )
