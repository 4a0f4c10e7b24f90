"""Saves answers while they are made; those that come together go into one transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import anyio
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from serving.storage.database import Database
from serving.storage.failures import LOCKED, Locked
from serving.storage.records import StoredMessage, StoredPart
from serving.storage.rows import answer_row
from serving.storage.search import searched_text
from serving.storage.tables import MESSAGES, PICTURES, SEARCH_TEXTS


@dataclass(kw_only=True, slots=True, eq=False)
class _Waiting:
    """An answer on its way; ``is_kept`` is known once it has been written."""

    answer: StoredMessage
    is_kept: bool | None = None


class Answers:
    """The answers of this process that are being made.

    A transaction costs much more than a row in it: what arrives while one is being written waits
    for it to end and is then written at once.
    """

    def __init__(self, database: Database) -> None:
        """Nothing is written before the first answer."""
        self._database = database
        self._waiting: list[_Waiting] = []
        self._turn = anyio.Lock()

    async def save(self, answer: StoredMessage, *, patience_s: float) -> bool:
        """Write the answer's parts and its end; false where it has been deleted meanwhile.

        Raises:
            StorageUnavailable: not written within ``patience_s``.
        """
        give_up = anyio.current_time() + patience_s
        own = _Waiting(answer=answer)
        self._waiting.append(own)
        try:
            with anyio.move_on_after(patience_s) as waiting:
                await self._turn.acquire()
            if waiting.cancelled_caught:
                raise Locked(LOCKED)
            try:
                if own.is_kept is None:
                    await self._write(give_up - anyio.current_time())
            finally:
                self._turn.release()
        finally:
            self._waiting = [one for one in self._waiting if one is not own]
        return bool(own.is_kept)

    async def _write(self, patience_s: float) -> None:
        together = tuple(self._waiting)
        work = partial(write_answers, answers=tuple(one.answer for one in together))
        kept = await self._database.write(work, patience_s=patience_s)
        for one in together:
            one.is_kept = one.answer.message_id in kept
        self._waiting = [one for one in self._waiting if one.is_kept is None]


def write_answers(connection: Connection, answers: Sequence[StoredMessage]) -> frozenset[str]:
    """Write answers over what was stored of them; gives the ids of those that are still there."""
    kept = _still_there(connection, answers)
    there = [
        replace(answer, conversation_id=kept[answer.message_id])
        for answer in answers
        if answer.message_id in kept
    ]
    if there:
        rows = [{"saved_id": answer.message_id, **answer_row(answer)} for answer in there]
        connection.execute(
            update(MESSAGES).where(MESSAGES.c.message_id == bindparam("saved_id")), rows
        )
        for table in (SEARCH_TEXTS, PICTURES):
            connection.execute(delete(table).where(table.c.message_id.in_(kept)))
        index_messages(connection, there)
    return frozenset(kept)


def index_messages(connection: Connection, messages: Sequence[StoredMessage]) -> None:
    """Note what a search finds of messages and which pictures they show."""
    texts = []
    pictures = []
    for message in messages:
        place = {
            "message_id": message.message_id,
            "conversation_id": message.conversation_id,
        }
        if words := searched_text(message.parts):
            texts.append({**place, "words": words})
        shown = sorted(picture_ids([message]))
        pictures += [{**place, "image_id": image_id} for image_id in shown]
    for table, rows in ((SEARCH_TEXTS, texts), (PICTURES, pictures)):
        if rows:
            connection.execute(insert(table), rows)


def picture_ids(messages: Iterable[StoredMessage]) -> frozenset[str]:
    """Ids of the pictures that the messages show."""
    parts = (part for message in messages for part in message.parts)
    return frozenset(image_id for part in parts if (image_id := _picture_id(part)) is not None)


def _picture_id(part: StoredPart) -> str | None:
    image_id = part.get("image_id") if part.get("type") == "image" else None
    return image_id if isinstance(image_id, str) else None


def _still_there(connection: Connection, answers: Sequence[StoredMessage]) -> dict[str, str]:
    """The conversation of each answer that has not been deleted."""
    columns = MESSAGES.c
    asked = select(columns.message_id, columns.conversation_id).where(
        columns.message_id.in_([answer.message_id for answer in answers])
    )
    return {row.message_id: row.conversation_id for row in connection.execute(asked)}
