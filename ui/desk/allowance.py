"""What is left of the account's budgets, where the gateway tells it."""

from collections.abc import Iterator
from dataclasses import dataclass

from ui.desk.rendering import say_money, say_when, say_whole
from ui.desk.words import WORDS
from ui.fields import JsonObject, objects_of, text_of, whole_of
from ui.texts import Texts


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """One budget in words; ``share`` of it is left, from 0 to 100."""

    name: str
    left: str
    renewed: str
    share: int


def read_left(texts: Texts, me: JsonObject, currency: str) -> Iterator[Left]:
    """Every budget that ``me`` tells."""
    words = WORDS[texts.language]
    for one in objects_of(me, "limits"):
        limited = text_of(one, "name")
        name, measure = words.get(limited), limited.partition("_")[0]
        if name is None:
            continue
        group = text_of(one, "group")
        limit, left = whole_of(one, "limit"), max(whole_of(one, "left"), 0)
        moment = say_when(texts, one.get("resets_at"))
        yield Left(
            name=f"{name}, {words['of_group'].format(group=group)}" if group else name,
            left=words["left"].format(
                left=_say(texts, measure, left, currency),
                limit=_say(texts, measure, limit, currency),
            ),
            renewed=words["renewed"].format(moment=moment) if moment else "",
            share=min(100 * left // limit, 100) if limit else 0,
        )


def _say(texts: Texts, measure: str, value: int, currency: str) -> str:
    if measure == "money":
        return say_money(texts, value, currency)
    return say_whole(texts, value)
