"""How much an account, or a group together, may use."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Final

from chatbot.types import JsonValue
from serving.settings import QuotaSettings

MICRO: Final = 1_000_000
"""Micro-units of one unit of the currency."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Quotas:
    """Limits of use; ``None``: this sets none. Money is in micro-units of the currency."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    requests_at_once: int | None = None
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    tokens_per_day: int | None = None
    tokens_per_month: int | None = None
    images_per_day: int | None = None
    images_per_month: int | None = None
    money_per_day: int | None = None
    money_per_month: int | None = None

    def over(self, others: "Quotas") -> "Quotas":
        """These limits; where there is none, that of ``others``."""
        return _built(others.given() | self.given())

    def changed(self, given: Mapping[str, int | None]) -> "Quotas":
        """These limits with those of ``given`` in their place; ``None`` lifts one."""
        kept = {name: value for name, value in self.given().items() if name not in given}
        set_anew = {name: value for name, value in given.items() if value is not None}
        return _built(kept | set_anew)

    def given(self) -> dict[str, int]:
        """The limits that there are, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


NO_QUOTAS: Final = Quotas()
NAMES: Final = tuple(field.name for field in fields(Quotas))
SIZES: Final = frozenset({"prompt_tokens", "answer_tokens"})
"""Those of one request, which mean nothing for a group together."""
MONEY: Final = frozenset({"money_per_day", "money_per_month"})
"""Those that people read and write in the currency."""


def widest(several: Iterable[Quotas]) -> Quotas:
    """The larger of each limit; one that only one of them names is that one's."""
    found: dict[str, int] = {}
    for quotas in several:
        for name, value in quotas.given().items():
            found[name] = max(value, found.get(name, 0))
    return _built(found)


def read_quotas(stored: Mapping[str, object] | None) -> Quotas:
    """Quotas as they were stored; what this version does not know limits nothing."""
    known = {name: value for name, value in (stored or {}).items() if name in NAMES}
    return _built({name: value for name, value in known.items() if isinstance(value, int)})


def default_quotas(settings: QuotaSettings) -> Quotas:
    """Those of every user who has no others."""
    given = {name: getattr(settings, name) for name in NAMES}
    return _built({
        name: int(value * MICRO) if name in MONEY else value
        for name, value in given.items()
        if value is not None
    })


def _built(given: Mapping[str, int]) -> Quotas:
    """Without any limit the one constant, which is quick to recognise."""
    return Quotas(**given) if given else NO_QUOTAS


def quota_fields(quotas: Quotas) -> dict[str, JsonValue]:
    """Quotas as JSON: null is no limit; money is in micro-units."""
    return {name: getattr(quotas, name) for name in NAMES}
