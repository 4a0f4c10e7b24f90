"""Write numbers the Polish way, and choose the form of the noun that they count."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import TypeAlias

Amount: TypeAlias = int | float | Decimal | Fraction

MINUS = "\N{MINUS SIGN}"
GROUP = "\N{NO-BREAK SPACE}"

_GROUPED_FROM = 5  # "1500" but "15 000": four digits stay together
_FEW = (2, 3, 4)


def plural(number: Amount, one: str, few: str, many: str, *, fraction: str | None = None) -> str:
    """Return the form of a noun after ``number``, without the number.

    Args:
        number: What is counted; its sign does not matter.
        one: The form after 1 ("stopień").
        few: The form after 2, 3, 4, 22, 23, … ("stopnie").
        many: The form after 0, 5 … 21, 25, … ("stopni").
        fraction: The form after a number that is not whole ("stopnia"); without it ``few``,
            which is right for feminine nouns in -a ("2,5 godziny").
    """
    if number != int(number):
        return few if fraction is None else fraction
    count = abs(int(number))
    if count == 1:
        return one
    is_few = count % 10 in _FEW and count % 100 // 10 != 1
    return few if is_few else many


def format_number(value: Amount, digits: int | None = None) -> str:
    """Write a number with decimal comma, a real minus sign and no-break spaces between thousands.

    Args:
        value: A finite number; a float is written with its shortest exact digits.
        digits: Decimal places, rounded half away from zero; ``None`` writes as many as there are.

    Raises:
        ValueError: ``value`` is infinite or not a number.
    """
    exact = _decimal(value)
    if not exact.is_finite():
        raise ValueError(f"{value!r} is not a finite number")
    if digits is not None:
        exact = exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    whole, _, decimals = f"{abs(exact):f}".partition(".")
    if digits is None:
        decimals = decimals.rstrip("0")
    sign = MINUS if exact < 0 else ""
    return sign + _grouped(whole) + (f",{decimals}" if decimals else "")


def _decimal(value: Amount) -> Decimal:
    match value:
        case Fraction():
            return Decimal(value.numerator) / Decimal(value.denominator)
        case float():
            return Decimal(repr(value))
        case _:
            return Decimal(value)


def _grouped(whole: str) -> str:
    if len(whole) < _GROUPED_FROM:
        return whole
    head = len(whole) % 3
    groups = [whole[:head]] if head else []
    groups += [whole[start : start + 3] for start in range(head, len(whole), 3)]
    return GROUP.join(groups)
