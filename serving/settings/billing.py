"""Settings of the ledger and its prices."""

from decimal import Decimal
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field

from serving.settings.sections import EngineName, Section


def _check_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError("it is no time zone such as 'Europe/Warsaw'") from error
    return name


Price = Annotated[Decimal, Field(ge=0, le=1_000_000, decimal_places=6)]
TimeZoneName = Annotated[str, AfterValidator(_check_zone)]


class PriceSettings(Section):
    """What one engine costs."""

    prompt: Price = Field(
        default=Decimal(0), description="Price of a million prompt tokens, at most six decimals."
    )
    completion: Price = Field(
        default=Decimal(0),
        description="Price of a million completion tokens, at most six decimals.",
    )
    image: Price = Field(
        default=Decimal(0), description="Price of a picture, at most six decimals."
    )


class BillingSettings(Section):
    """The ledger: a row for each request, with its tokens and what they cost."""

    enabled: bool = Field(
        default=True, description="Keep the ledger; off: nothing is counted nor charged."
    )
    currency: str = Field(
        default="PLN", pattern=r"^[A-Z]{3}$", description="Currency of all prices and amounts."
    )
    time_zone: TimeZoneName = Field(
        default="Europe/Warsaw", description="Time zone in which days and months begin."
    )
    lost_s: float = Field(
        default=3600.0,
        ge=60,
        description="Seconds after which a request that a machine with another data folder has "
        "not ended is taken for lost and ended here; if it is ended there later, that counts.",
    )
    kept_reply_bytes: int = Field(
        default=4_194_304,
        ge=0,
        le=67_108_864,
        description="Largest reply that is kept for a request with an `Idempotency-Key`, bytes; "
        "0: none is kept.",
    )
    kept_account_bytes: int = Field(
        default=67_108_864,
        ge=0,
        le=1_073_741_824,
        description="All replies that are kept for one account, bytes; the oldest go first, "
        "and all but the newest 1,000.",
    )
    prices: dict[EngineName, PriceSettings] = Field(
        default={},
        description="Prices by engine, one table `[billing.prices.NAME]` each; `images` is the "
        "image engine. Others cost nothing, and their tokens are counted all the same.",
    )
