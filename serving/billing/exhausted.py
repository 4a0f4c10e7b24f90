"""What a client reads whose budget does not cover a request: Polish first, English second."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from serving.billing.records import Exhausted, Measure, Period

_MICRO: Final = 1_000_000
_MEASURES: Final[Mapping[Measure, tuple[str, str]]] = MappingProxyType({
    "tokens": ("tokenów", "tokens"),
    "images": ("obrazów", "pictures"),
    "amount": ("kosztów", "costs"),
    "running": ("zapytań", "requests"),
})
_PERIODS: Final[Mapping[Period, tuple[str, str, str, str]]] = MappingProxyType({
    "day": ("na dzień", "jutro", "a day", "tomorrow"),
    "now": ("naraz", "po ich zakończeniu", "at once", "as they end"),
    "month": ("na miesiąc", "pierwszego dnia następnego miesiąca", "a month", "next month"),
})


def tell_exhausted(exhausted: Exhausted, *, currency: str) -> str:
    """Which budget it is, what is left of it and when it is renewed."""
    allowance = exhausted.allowance
    polish, english = _MEASURES[allowance.measure]
    per, when, each, renewed = _PERIODS[allowance.period]
    whose, of = "", ""
    if allowance.group is not None:
        whose, of = f" grupy „{allowance.group}”", f" of the group {allowance.group!r}"
    limit = _number(allowance.measure, allowance.limit, currency)
    left = _number(allowance.measure, exhausted.left, currency)
    return (
        f"Budżet {polish} {per}{whose} ({_in_polish(limit)}) nie wystarcza: "
        f"zostało {_in_polish(left)}. "
        f"Odnowi się {when}; zwiększyć go może administrator. / "
        f"The budget of {english} {each}{of} ({limit}) does not cover this: {left} left. "
        f"It is renewed {renewed}; an administrator can raise it."
    )


def tell_running(exhausted: Exhausted) -> str:
    """As many requests are running as the account, or its group, may have at once."""
    group, limit = exhausted.allowance.group, exhausted.allowance.limit
    whose = "" if group is None else f" grupy „{group}”"
    of = "" if group is None else f" of the group {group!r}"
    return (
        f"Limit zapytań naraz{whose} ({limit}) jest wykorzystany. "
        "Poczekaj, aż któreś się skończy. / "
        f"The limit of requests at once{of} ({limit}) is reached; wait until one has ended."
    )


def _number(measure: Measure, value: int, currency: str) -> str:
    """A whole number; money in the currency, with no more decimals than it has."""
    if measure != "amount":
        return str(value)
    whole, micro = divmod(value, _MICRO)
    decimals = f"{micro:06d}".rstrip("0").ljust(2, "0")
    return f"{whole}.{decimals} {currency}"


def _in_polish(number: str) -> str:
    return number.replace(".", ",")
