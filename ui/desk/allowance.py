"""What is left of limits, as the gateway tells it, in words."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from ui.desk.rendering import say_money, say_whole
from ui.desk.words import WORDS
from ui.fields import JsonObject, moment_of, objects_of, text_of, whole_of
from ui.texts import Texts, say_duration, say_moment

_FILLING: Final = "_per_minute"


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """One budget in words; ``share`` of it is left, from 0 to 100."""

    name: str
    left: str
    renewed: str
    share: int


def read_left(
    texts: Texts, told: JsonObject, currency: str, *, of: str = "", now: datetime | None = None
) -> Iterator[Left]:
    """Every limit that ``told`` has, as it is ``now``; one of the group ``of`` does not name it."""
    now = now or datetime.now(UTC)
    words = WORDS[texts.language]
    for one in objects_of(told, "limits"):
        limited = text_of(one, "name")
        name, measure = words.get(limited), limited.partition("_")[0]
        if name is None:
            continue
        group = text_of(one, "group")
        limit, left = whole_of(one, "limit"), max(whole_of(one, "left"), 0)
        shared = words["of_group"].format(group=group)
        yield Left(
            name=name if group in {"", of} else f"{name}, {shared}",
            left=words["left"].format(
                left=say_limit(texts, measure, left, currency),
                limit=say_limit(texts, measure, limit, currency),
            ),
            renewed=_say_renewal(texts, one, now),
            share=min(100 * left // limit, 100) if limit else 0,
        )


def _say_renewal(texts: Texts, limit: JsonObject, now: datetime) -> str:
    """When it is renewed; a limit of a minute fills all the time, until it is whole."""
    words, moment = WORDS[texts.language], moment_of(limit, "resets_at")
    if moment is None:
        return ""
    if not text_of(limit, "name").endswith(_FILLING):
        return words["renewed"].format(moment=say_moment(texts, moment))
    ms = math.ceil((moment - now).total_seconds()) * 1000
    return words["whole_in"].format(time=say_duration(texts, ms)) if ms > 0 else ""


def say_limit(texts: Texts, measure: str, value: int, currency: str) -> str:
    """So much of a limit: an amount of money, or a count."""
    if measure == "money":
        return say_money(texts, value, currency)
    return say_whole(texts, value)
