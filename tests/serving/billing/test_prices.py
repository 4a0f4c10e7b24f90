from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis.strategies import integers
from pydantic import ValidationError
from scripted.tables import every_row

from chatbot.types import Leg, LegRole
from serving.billing.prices import MICRO, Price, Prices, read_prices
from serving.settings import BillingSettings, PriceSettings, Settings, SettingsError

COUNTS = integers(0, 10**9)
AMOUNTS = integers(0, 10**12)


def prices(**engines: dict[str, object]) -> Prices:
    return Prices(BillingSettings.model_validate({"prices": engines}))


def leg(role: LegRole, engine: str = "bielik") -> Leg:
    return Leg(engine=engine, role=role, prompt_tokens=300, completion_tokens=10, source="engine")


def test_a_price_is_for_a_million_tokens() -> None:
    price = prices(bielik={"prompt": "2", "completion": "6.5"}).of("bielik")
    assert price.amount(prompt=1_000_000, completion=0) == 2 * MICRO
    assert price.amount(prompt=1, completion=2) == 2 + 13


@every_row(
    ("prompt", "amount"), [(0, 0), (499_999, 0), (500_000, 1), (1_499_999, 1), (1_500_000, 2)]
)
def test_an_amount_is_rounded_to_the_nearest_micro_unit_halves_up(prompt: int, amount: int) -> None:
    assert Price(prompt=1).amount(prompt=prompt, completion=0) == amount


@given(prompt=COUNTS, completion=COUNTS, for_prompt=AMOUNTS, for_completion=AMOUNTS)
def test_an_amount_is_at_most_half_a_micro_unit_off(
    prompt: int, completion: int, for_prompt: int, for_completion: int
) -> None:
    price = Price(prompt=for_prompt, completion=for_completion)
    exact = prompt * for_prompt + completion * for_completion
    charged = price.amount(prompt=prompt, completion=completion)
    assert -500_000 < charged * 1_000_000 - exact <= 500_000


@every_row(
    ("role", "payer"),
    [
        ("router", "house"),
        ("speculated", "house"),
        ("answer", "user"),
        ("phrase", "user"),
        ("image", "user"),
    ],
)
def test_routing_is_the_houses(role: LegRole, payer: str) -> None:
    billed = prices(bielik={"prompt": "1", "completion": "1"}).bill(leg(role))
    assert billed.payer == payer
    assert billed.prompt_tokens == 300


def test_a_picture_costs_its_models_price_or_that_of_images() -> None:
    common = prices(images={"image": "0.25"})
    own = prices(images={"image": "0.25"}, flux={"image": "1"})
    assert common.bill(leg("image", "flux")).amount == common.bill_image("flux").amount == 250_000
    assert own.bill(leg("image", "flux")).amount == own.bill_image("flux").amount == MICRO


def test_tokens_are_counted_where_nothing_costs_anything() -> None:
    billed = prices().bill(leg("answer"))
    assert (billed.amount, billed.completion_tokens) == (0, 10)


def test_another_price_is_another_version() -> None:
    one, same, other = (prices(bielik={"prompt": wanted}).list for wanted in ("1", "1.0", "2"))
    assert one == same
    assert one.version != other.version
    assert '"bielik":[1000000,0,0]' in one.text


@every_row("price", ["-1", "0.0000001", "NaN", "1e9", "Infinity"])
def test_a_price_is_exact_in_micro_units(price: str) -> None:
    with pytest.raises(ValidationError):
        PriceSettings(prompt=Decimal(price))


def test_a_price_for_an_engine_that_is_not_there_is_told() -> None:
    settings = Settings(billing=BillingSettings(prices={"beilik": PriceSettings()}))
    with pytest.raises(SettingsError, match="'beilik'"):
        read_prices(settings)


def test_a_time_zone_that_is_not_there_is_told() -> None:
    with pytest.raises(ValidationError, match="time zone"):
        BillingSettings(time_zone="Europe/Zwrotnica")
