"""The list of conversations: what is shown of it, searched, renamed and deleted in it."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Self, TypeAlias

import anyio

from ui.client import UNREACHABLE, Gateway, GatewayError
from ui.drawing import say_failure
from ui.fields import (
    JsonObject,
    JsonValue,
    is_true,
    moment_of,
    object_of,
    objects_of,
    optional_text,
    parse_object,
    text_of,
    whole_of,
)
from ui.look.signals import draw_signal
from ui.sidebar import Row, draw_list, draw_no_list
from ui.texts import WARSAW, Texts, say_count

Update: TypeAlias = tuple[str, str]
"""Values of the list and of the signals."""

NAMING_S: Final = (1.5, 5.0)
"""When to look again for the title that a language model may give a conversation."""
_MAX_PAGES: Final = 100
_REFUSALS: Final = frozenset({"invalid_request", "unsupported_parameter", "not_found"})
"""Codes that say of a file of conversations that it is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Looking:
    """What somebody looks for in the list, and how far; the browser keeps it and alone changes it.

    So a list that was drawn for an earlier wish, and comes late, is known and left out there.
    """

    query: str = ""
    pages: int = 1

    @classmethod
    def read(cls, state: str | None) -> Self:
        """``{"query": …, "pages": …}``; whatever else it is counts as the beginning of the list."""
        fields = parse_object(state or "")
        pages = min(max(whole_of(fields, "pages"), 1), _MAX_PAGES)
        return cls(query=text_of(fields, "query"), pages=pages)


class Listing:
    """The list in one language."""

    def __init__(
        self,
        *,
        gateway: Gateway,
        texts: Texts,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """``now`` is an aware clock, by which conversations are grouped."""
        self._gateway = gateway
        self._texts = texts
        self._now = now

    async def show(self, state: str | None, conversation_id: str | None) -> Update:
        """The list as it is now."""
        return await self._draw(Looking.read(state), conversation_id)

    async def show_named(
        self, state: str | None, conversation_id: str | None
    ) -> AsyncIterator[Update]:
        """The list after an answer, and again where a new conversation may get its name."""
        update = await self.show(state, conversation_id)
        yield update
        for pause_s in NAMING_S:
            await anyio.sleep(pause_s)
            latest = await self.show(state, conversation_id)
            if latest[0] != update[0]:
                yield (update := latest)

    async def rename(
        self, payload: str | None, state: str | None, conversation_id: str | None
    ) -> Update:
        """Give a conversation another title."""
        order = parse_object(payload or "")
        news: dict[str, JsonValue] = {"status": self._texts.status_renamed}
        try:
            changes = {"title": text_of(order, "title")}
            await self._gateway.change(text_of(order, "id"), changes)
        except GatewayError as error:
            news = {"notice": say_failure(self._texts, error.code, error.message)}
        return await self._draw(Looking.read(state), conversation_id, **news)

    async def delete(
        self, payload: str | None, state: str | None, conversation_id: str | None
    ) -> Update:
        """Delete a conversation for good; the browser has asked whether it is meant."""
        news: dict[str, JsonValue] = {"notice": self._texts.status_deleted}
        try:
            await self._gateway.delete(text_of(parse_object(payload or ""), "id"))
        except GatewayError as error:
            news = {"notice": say_failure(self._texts, error.code, error.message)}
        return await self._draw(Looking.read(state), conversation_id, **news)

    async def imported(
        self, payload: str | None, state: str | None, conversation_id: str | None
    ) -> Update:
        """Tell what the gateway answered to a file of conversations."""
        notice = self._say_imported(parse_object(payload or ""))
        return await self._draw(Looking.read(state), conversation_id, notice=notice)

    def _say_imported(self, told: JsonObject) -> str:
        texts = self._texts
        if "conversations" not in told:
            code = text_of(object_of(told, "error"), "code")
            is_refused = code in _REFUSALS
            return (
                texts.import_failed if is_refused else say_failure(texts, code or UNREACHABLE, "")
            )
        said = texts.imported.format(
            conversations=say_count(texts, texts.found, whole_of(told, "conversations")),
            messages=say_count(texts, texts.messages, whole_of(told, "messages")),
        )
        lost = whole_of(told, "pictures_left_out")
        return f"{said} {texts.imported_pictures.format(count=lost)}" if lost else said

    async def _draw(
        self, looking: Looking, conversation_id: str | None, **news: JsonValue
    ) -> Update:
        texts, query, pages = self._texts, looking.query, looking.pages
        try:
            rows, is_more = await self._read(looking)
        except GatewayError:
            return draw_no_list(texts, query=query, pages=pages), draw_signal(**news)
        for row in rows:
            if row.conversation_id == conversation_id:
                news["titled"] = {"id": row.conversation_id, "title": row.title}
        today = self._now().astimezone(WARSAW).date()
        drawn = draw_list(texts, rows, today=today, is_more=is_more, query=query, pages=pages)
        return drawn, draw_signal(**news)

    async def _read(self, looking: Looking) -> tuple[tuple[Row, ...], bool]:
        """The conversations looked for, and whether there are more."""
        rows: tuple[Row, ...] = ()
        cursor: str | None = ""
        for _ in range(looking.pages):
            page = await self._gateway.list_conversations(query=looking.query, cursor=cursor or "")
            rows += tuple(
                Row(
                    conversation_id=text_of(one, "id"),
                    title=text_of(one, "title"),
                    updated_at=moment_of(one, "updated_at") or self._now(),
                    is_busy=is_true(one, "busy"),
                )
                for one in objects_of(page, "conversations")
            )
            cursor = optional_text(page, "next_cursor")
            if cursor is None:
                break
        return rows, cursor is not None
