"""Writes shares and values the same way in every JSON report."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from chatbot.types import JsonValue
from evals.metrics import Share

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


def numbers(share: Share) -> dict[str, Json]:
    """Hits, total, value and interval, to four places."""
    interval = share.interval
    return {
        "hits": share.hits,
        "total": share.total,
        "value": None if share.value is None else round(share.value, 4),
        "interval": [round(end, 4) for end in interval] if interval else None,
    }


def plain(value: JsonValue) -> Json:
    """A value of ours in the types that `json` writes."""
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(inner) for inner in value]
    return value
