"""Prices in whole micro-units of the currency: no amount is ever a fraction."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Final

from chatbot.types import Leg
from serving.billing.records import BilledLeg, Payer
from serving.settings import EMBEDDED, BillingSettings, PriceSettings, Settings, SettingsError

MICRO: Final = 1_000_000
"""Micro-units of one unit of the currency."""
TOKENS: Final = 1_000_000
"""Tokens that a price is for."""
IMAGES: Final = "images"
"""Name under which the image engine has its price."""
_VERSION_DIGITS: Final = 12
_HOUSE: Final = frozenset({"router", "speculated"})
_HALF: Final = TOKENS // 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """Micro-units for a million prompt and completion tokens, and for a picture."""

    prompt: int = 0
    completion: int = 0
    image: int = 0

    def amount(self, *, prompt: int, completion: int, images: int = 0) -> int:
        """What one engine call costs: rounded once, to the nearest micro-unit, halves up."""
        exact = prompt * self.prompt + completion * self.completion
        return (exact + _HALF) // TOKENS + images * self.image


FREE: Final = Price()


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceList:
    """What is charged by: a version, and its meaning as text for whoever asks later."""

    version: str = "none"
    text: str = "{}"


class Prices:
    """The prices of all engines; an engine without a price costs nothing."""

    def __init__(self, settings: BillingSettings) -> None:
        """Take the configured prices as they are."""
        self._prices: Mapping[str, Price] = {
            name: _read(price) for name, price in settings.prices.items()
        }
        self.currency = settings.currency

    @property
    def list(self) -> PriceList:
        """All prices, under a version that is another for any other price."""
        written = {
            "currency": self.currency,
            "engines": {
                name: [price.prompt, price.completion, price.image]
                for name, price in sorted(self._prices.items())
            },
        }
        text = json.dumps(written, separators=(",", ":"))
        return PriceList(version=sha256(text.encode()).hexdigest()[:_VERSION_DIGITS], text=text)

    def of(self, engine: str) -> Price:
        """The price of an engine."""
        return self._prices.get(engine, FREE)

    def bill(self, leg: Leg) -> BilledLeg:
        """What an engine call of a turn costs, and whom: the house pays for routing."""
        images = int(leg.role == "image")
        price = self._of_images(leg.engine) if images else self.of(leg.engine)
        payer: Payer = "house" if leg.role in _HOUSE else "user"
        return BilledLeg(
            engine=leg.engine,
            role=leg.role,
            prompt_tokens=leg.prompt_tokens,
            completion_tokens=leg.completion_tokens,
            source=leg.source,
            payer=payer,
            images=images,
            amount=price.amount(
                prompt=leg.prompt_tokens, completion=leg.completion_tokens, images=images
            ),
        )

    def bill_image(self, model: str, *, ms: int | None = None) -> BilledLeg:
        """What one picture costs, drawn by the image engine's ``model``."""
        return BilledLeg(
            engine=model,
            role="image",
            prompt_tokens=0,
            completion_tokens=0,
            source="zero",
            payer="user",
            images=1,
            amount=self._of_images(model).image,
            ms=ms,
        )

    def _of_images(self, model: str) -> Price:
        return self._prices.get(model) or self.of(IMAGES)


def read_prices(settings: Settings) -> Prices:
    """The configured prices.

    Raises:
        SettingsError: a price is for an engine that is not configured.
    """
    known = {EMBEDDED, IMAGES, *settings.engines}
    if settings.images.engine is not None and settings.images.engine.model is not None:
        known.add(settings.images.engine.model)
    if unknown := set(settings.billing.prices) - known:
        raise SettingsError(
            f"billing.prices names {min(unknown)!r}, but the engines are {', '.join(sorted(known))}"
        )
    return Prices(settings.billing)


def _read(price: PriceSettings) -> Price:
    return Price(
        prompt=_micro(price.prompt), completion=_micro(price.completion), image=_micro(price.image)
    )


def _micro(amount: Decimal) -> int:
    """Exact: settings refuse what has more decimals than micro-units have."""
    return int(amount * MICRO)
