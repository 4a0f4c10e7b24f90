"""The fields of forms by which administrators limit use."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from ui.client import GatewayError
from ui.desk.allowance import say_limit
from ui.desk.keys import INVALID
from ui.desk.rendering import MICRO
from ui.desk.visit import Form, first_of
from ui.desk.words import WORDS
from ui.fields import JsonObject
from ui.texts import Texts

TOTAL: Final = (
    "requests_per_minute",
    "tokens_per_minute",
    "requests_at_once",
    "tokens_per_day",
    "tokens_per_month",
    "images_per_day",
    "images_per_month",
    "money_per_day",
    "money_per_month",
)
"""What many may use together."""
OWN: Final = (*TOTAL, "prompt_tokens", "answer_tokens")
"""What one may use."""
_MONEY: Final = "money_"
_LEAST_IS_ONE: Final = frozenset({
    "requests_per_minute",
    "tokens_per_minute",
    "prompt_tokens",
    "answer_tokens",
})
_NUMBER: Final = re.compile(r"[0-9]{1,16}(?P<parts>[.,][0-9]{1,6})?")
"""A whole number, or an amount with what micro-units can tell behind the point."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QuotaField:
    """One field: ``value`` is what it shows, empty where nothing is limited."""

    name: str
    label: str
    value: str
    least: int
    step: str


def quota_fields(
    texts: Texts, told: JsonObject, names: Sequence[str], *, prefix: str, currency: str
) -> Iterator[QuotaField]:
    """A field for each of ``names``, filled with what ``told`` says of it."""
    for name in names:
        is_money = name.startswith(_MONEY)
        label = _label(texts, name)
        yield QuotaField(
            name=prefix + name,
            label=f"{label} ({currency})" if is_money else label,
            value=_write(told.get(name), is_money=is_money),
            least=int(name in _LEAST_IS_ONE),
            step="0.000001" if is_money else "1",
        )


def say_quotas(texts: Texts, told: JsonObject, currency: str) -> Iterator[tuple[str, str]]:
    """Each limit that ``told`` sets, and how much it is, in words."""
    for name in OWN:
        if isinstance(value := told.get(name), int):
            said = say_limit(texts, name.partition("_")[0], value, currency)
            yield _label(texts, name), said


def _label(texts: Texts, name: str) -> str:
    words = WORDS[texts.language]
    return words[f"one_{name}" if f"one_{name}" in words else name]


def read_quotas(form: Form, names: Sequence[str], *, prefix: str) -> dict[str, int | None]:
    """What a form says of ``names``; nothing of those that it does not have, empty is no limit.

    Raises:
        GatewayError: something is no number that the field takes.
    """
    return {
        name: _read(first_of(form, prefix + name), is_money=name.startswith(_MONEY))
        for name in names
        if prefix + name in form
    }


def _write(value: object, *, is_money: bool) -> str:
    if not isinstance(value, int):
        return ""
    return f"{(Decimal(value) / MICRO).normalize():f}" if is_money else str(value)


def _read(text: str, *, is_money: bool) -> int | None:
    if not text:
        return None
    written = _NUMBER.fullmatch(text)
    if written is None or (written["parts"] and not is_money):
        raise GatewayError(INVALID)
    if not is_money:
        return int(text)
    return int(Decimal(text.replace(",", ".")) * MICRO)
