"""A client reads which budget is used up, each half in the numbers of its language."""

import pytest

from serving.billing.exhausted import tell_exhausted
from serving.billing.records import Allowance, Exhausted


@pytest.mark.parametrize(
    ("limit", "left", "polish", "english"),
    [
        (12_500_000, 0, "(12,50 PLN) nie wystarcza: zostało 0,00 PLN", "(12.50 PLN)"),
        (3_000_000, 123_456, "(3,00 PLN) nie wystarcza: zostało 0,123456 PLN", "0.123456 PLN left"),
    ],
)
def test_money_has_the_decimal_comma_in_polish_and_the_point_in_english(
    limit: int, left: int, polish: str, english: str
) -> None:
    allowance = Allowance(subject="ala", measure="amount", period="month", limit=limit)
    told = tell_exhausted(Exhausted(allowance=allowance, left=left), currency="PLN")
    assert polish in told.partition(" / ")[0]
    assert english in told.partition(" / ")[2]
