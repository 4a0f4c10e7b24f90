"""All that is kept of a person as the files of an archive, a page in memory at a time."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from datetime import datetime
from functools import partial
from importlib.resources import files
from types import MappingProxyType
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread
from sqlalchemy import Connection

from serving.auth.describing import as_text, entry_fields, key_fields, user_fields
from serving.auth.holdings import (
    find_by_id,
    read_calls,
    read_identities,
    read_log_about,
    read_password_date,
    read_pictures,
    read_replies,
    read_requests,
)
from serving.auth.keys import Keys
from serving.gateway.exports.document import Document
from serving.gateway.exports.entries import Entry
from serving.gateway.exports.formats import Writer
from serving.gateway.exports.readable import Readable
from serving.gateway.exports.seals import PictureSeal
from serving.gateway.exports.source import Source
from serving.gateway.exports.words import POLISH
from serving.gateway.personal.archive import Chunk
from serving.gateway.personal.tables import RATINGS, USAGE, head, rating_rows, usage_rows
from serving.storage import Keyring, StoredImages
from serving.storage.conversations import Conversations
from serving.storage.database import Database

GUIDE: Final = "CZYTAJ.txt"
PART_BYTES: Final = 16 * 1024 * 1024
"""Where a file of conversations ends, at the next one: an import takes it."""
_SUFFIXES: Final = MappingProxyType({"application/json": "json", "text/event-stream": "txt"})
Read = TypeVar("Read")
Page = TypeVar("Page")


class Holdings:
    """What one account has."""

    def __init__(
        self,
        database: Database,
        *,
        conversations: Conversations,
        keys: Keys,
        images: StoredImages,
        keyring: Keyring,
        lane: CapacityLimiter,
        now: datetime,
    ) -> None:
        """Nothing is read yet; writing runs in threads, as many at once as ``lane`` has places."""
        self._database = database
        self._conversations = conversations
        self._keys = keys
        self._images = images
        self._keyring = keyring
        self._lane = lane
        self._now = now

    async def chunks(self, account_id: str) -> AsyncGenerator[list[Chunk], None]:
        """Everything, file after file; the guide to them comes first.

        Raises:
            StorageUnavailable: the database or a picture cannot be read.
        """
        yield [await self._guide(), *await self._describe(account_id)]
        async for chunk in self._documents(account_id):
            yield [chunk]
        yield [Chunk(file="oceny.csv", content=head(RATINGS))]
        async for entries in Source(self._conversations, owner=account_id).batches():
            yield [Chunk(file="oceny.csv", content=await self._work(rating_rows, entries))]
        async for chunk in self._show_pictures(account_id):
            yield [chunk]
        async for chunk in self._tell_requests(account_id):
            yield [chunk]

    async def _guide(self) -> Chunk:
        guide = files("serving.gateway.personal").joinpath(GUIDE)
        return Chunk(file=GUIDE, content=await to_thread.run_sync(guide.read_bytes))

    async def _describe(self, account_id: str) -> list[Chunk]:
        account = await self._database.read(partial(find_by_id, account_id=account_id))
        name = account.name if account else account_id
        keys = await self._keys.list(account_id)
        log = await self._database.read(partial(read_log_about, account_id=account_id))
        changed = await self._database.read(partial(read_password_date, account_id=account_id))
        known = await self._database.read(partial(read_identities, account_id=account_id))
        told = user_fields(account) if account else {"account": account_id}
        described = {
            "konto.json": told
            | {
                "sign_in_changed_at": as_text(changed),
                "identities": [dict(row) | {"created_at": str(row["created_at"])} for row in known],
            },
            "klucze.json": [key_fields(key, name, self._now) for key in keys],
            "dziennik.json": [entry_fields(entry) for entry in log],
        }
        return [Chunk(file=file, content=_dump(value)) for file, value in described.items()]

    async def _documents(self, owner: str) -> AsyncIterator[Chunk]:
        """The conversations twice, for machines and for people."""
        seal = PictureSeal(self._keyring, owner=owner).sign
        for pattern, begin in (
            ("rozmowy/rozmowy-{}.json", partial(Document, exported_at=self._now, seal=seal)),
            ("rozmowy-do-czytania/rozmowy-{}.md", partial(Readable, POLISH)),
        ):
            async for chunk in self._in_parts(owner, pattern, begin):
                yield chunk

    async def _in_parts(
        self, owner: str, pattern: str, begin: Callable[[], Writer]
    ) -> AsyncIterator[Chunk]:
        number, size, last = 1, 0, ""
        writer = begin()
        async for entries in Source(self._conversations, owner=owner).batches():
            for run in _runs(entries):
                conversation_id = run[0].conversation.conversation_id
                if size > PART_BYTES and conversation_id != last:
                    yield await self._end(writer, pattern.format(number))
                    number, size, writer = number + 1, 0, begin()
                content = await self._work(writer.add, run)
                size, last = size + len(content), conversation_id
                yield Chunk(file=pattern.format(number), content=content)
        yield await self._end(writer, pattern.format(number))

    async def _end(self, writer: Writer, file: str) -> Chunk:
        return Chunk(file=file, content=b"".join(writer.finish()))

    async def _show_pictures(self, owner: str) -> AsyncIterator[Chunk]:
        """Those in conversations, then those that were made for programs."""
        told: set[str] = set()
        async for image_ids in self._pages(read_pictures, owner, lambda one: one):
            for image_id in image_ids:
                told.add(image_id)
                async for chunk in self._show(image_id):
                    yield chunk
        for image_id in await self._images.list_owned(owner):
            if image_id not in told:
                async for chunk in self._show(image_id):
                    yield chunk

    async def _show(self, image_id: str) -> AsyncIterator[Chunk]:
        found = await self._images.read(image_id)
        if found is not None:
            yield Chunk(file=f"obrazy/{image_id}{found.suffix}", content=found.content)

    async def _tell_requests(self, owner: str) -> AsyncIterator[Chunk]:
        async for calls in self._pages(read_calls, owner, lambda row: row["message_id"]):
            lines = [_line(dict(row)) for row in calls]
            yield Chunk(file="wywolania.jsonl", content=b"".join(lines))
        async for replies in self._pages(read_replies, owner, lambda row: row["entry_id"]):
            for row in replies:
                suffix = _SUFFIXES.get(row["media_type"].partition(";")[0], "bin")
                file = f"zachowane-odpowiedzi/{row['entry_id']}.{suffix}"
                yield Chunk(file=file, content=bytes(row["body"]))
        yield Chunk(file="zuzycie.csv", content=head(name for name, _ in USAGE))
        last = None
        while rows := await self._database.read(partial(read_requests, owner=owner, after=last)):
            yield Chunk(file="zuzycie.csv", content=await self._work(usage_rows, rows))
            last = rows[-1]

    async def _pages(
        self,
        read: Callable[[Connection, str, str], Sequence[Page]],
        owner: str,
        place: Callable[[Page], str],
    ) -> AsyncIterator[Sequence[Page]]:
        after = ""
        while page := await self._database.read(
            lambda connection, after=after: read(connection, owner, after)  # type: ignore[misc]  # its default is of the kind asked for
        ):
            yield page
            after = place(page[-1])

    async def _work(self, write: Callable[[Read], bytes], read: Read) -> bytes:
        return await to_thread.run_sync(write, read, limiter=self._lane)


def _runs(entries: Sequence[Entry]) -> list[list[Entry]]:
    """``entries`` by their conversations, in order."""
    runs: list[list[Entry]] = []
    for entry in entries:
        conversation_id = entry.conversation.conversation_id
        if not runs or runs[-1][-1].conversation.conversation_id != conversation_id:
            runs.append([])
        runs[-1].append(entry)
    return runs


def _dump(value: object) -> bytes:
    return _encode(f"{json.dumps(value, ensure_ascii=False, indent=2)}\n")


def _line(row: dict[str, object]) -> bytes:
    told = {**row, "created_at": str(row["created_at"])}
    return _encode(f"{json.dumps(told, ensure_ascii=False, default=dict)}\n")


def _encode(text: str) -> bytes:
    """Half a surrogate pair becomes JSON's escape for it."""
    return text.encode(errors="backslashreplace")
