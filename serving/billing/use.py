"""How much was used: what counts against allowances, in which periods."""

from dataclasses import dataclass
from typing import Final, assert_never

from serving.billing.records import Measure, Period

MONTH_CHARS: Final = 7
NOW: Final = "now"
"""The period of what is running."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Use:
    """Tokens, pictures and micro-units, and requests that are running."""

    tokens: int = 0
    images: int = 0
    amount: int = 0
    running: int = 0

    @classmethod
    def read(cls, tokens: int, images: int, amount: int, running: int) -> "Use":
        """Sums as whole numbers: PostgreSQL's are of a decimal type."""
        return cls(tokens=int(tokens), images=int(images), amount=int(amount), running=int(running))

    def __add__(self, other: "Use") -> "Use":
        """Both together."""
        return Use(
            tokens=self.tokens + other.tokens,
            images=self.images + other.images,
            amount=self.amount + other.amount,
            running=self.running + other.running,
        )

    def of(self, measure: Measure) -> int:
        """The part that an allowance is about."""
        match measure:
            case "tokens":
                return self.tokens
            case "images":
                return self.images
            case "amount":
                return self.amount
            case "running":
                return self.running
            case _:
                assert_never(measure)


NOTHING: Final = Use()


def period_of(day: str, period: Period) -> str:
    """The name of the day, or of its month; what is running is counted whatever the day."""
    match period:
        case "day":
            return day
        case "month":
            return day[:MONTH_CHARS]
        case "now":
            return NOW
        case _:
            assert_never(period)
