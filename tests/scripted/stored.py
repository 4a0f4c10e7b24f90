"""A database of conversations in a folder, with a clock that stands, and messages to put in."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from scripted.databases import storage_in

from chatbot.testing import ManualClock
from chatbot.testing.surroundings import START as MANUAL_START
from serving.settings import ChatSettings, ImagesSettings, StorageSettings
from serving.storage import Keyring, StoredImages
from serving.storage.calls import CallStore
from serving.storage.conversations import Conversations
from serving.storage.database import Database, open_database
from serving.storage.records import Conversation, StoredMessage, StoredPart
from serving.storage.secret import RootSecret

OWNER: Final = "local"
STRANGER: Final = "somebody-else"

START: Final = MANUAL_START

IDS: Final = count(1)

OpenStore: TypeAlias = Callable[..., "AsyncIterator[Store]"]


def new_id() -> str:
    """An id that sorts in no order of time, as true ones do."""
    return f"{hash((next(IDS), 'id')) & 0xFFFFFFFF:08x}-{next(IDS)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Store:
    """One opened database with what stands on it."""

    database: Database
    conversations: Conversations
    calls: CallStore
    images: StoredImages
    clock: ManualClock
    settings: StorageSettings
    folder: Path

    async def converse(self, *texts: str, owner: str = OWNER) -> Conversation:
        """A conversation in which the user and the assistant say ``texts`` in turn."""
        conversation = await self.conversations.create(owner)
        for wish, reply in zip(texts[::2], [*texts[1::2], ""], strict=False):
            conversation = await self.say(conversation, wish, reply)
        return conversation

    async def say(self, conversation: Conversation, wish: str, reply: str) -> Conversation:
        """Add a question below the shown branch, and its answer."""
        user = wrote(wish, parent=conversation.current)
        answer = answering(user)
        changed = await self.conversations.begin(
            conversation.owner, conversation.conversation_id, user=user, answer=answer
        )
        await self.conversations.save(ended(answer, reply))
        return changed


@asynccontextmanager
async def open_store(
    folder: Path, *, limits: ChatSettings | None = None, **settings: float | str
) -> AsyncIterator[Store]:
    """Open the database in ``folder``; ``settings`` are those of `StorageSettings`."""
    storage = storage_in(folder, **settings)
    clock = ManualClock()
    images = StoredImages(
        folder=folder / "images",
        keyring=Keyring([RootSecret.from_text("sekret do testów, długi")]),
        settings=ImagesSettings(),
        clock=clock,
    )
    async with open_database(storage, folder) as database:
        yield Store(
            database=database,
            conversations=Conversations(
                database,
                clock=clock,
                new_id=new_id,
                images=images,
                limits=limits or ChatSettings(),
                storage=storage,
            ),
            calls=CallStore(database, clock=clock, settings=storage),
            images=images,
            clock=clock,
            settings=storage,
            folder=folder,
        )


def wrote(text: str, *, parent: str | None = None) -> StoredMessage:
    """A user's message."""
    return StoredMessage(
        message_id=new_id(),
        conversation_id="",
        parent=parent,
        role="user",
        state="complete",
        parts=(text_part(text),),
        created_at=START,
    )


def answering(user: StoredMessage) -> StoredMessage:
    """The answer to ``user`` as it begins."""
    return StoredMessage(
        message_id=new_id(),
        conversation_id="",
        parent=user.message_id,
        role="assistant",
        state="incomplete",
        parts=(),
        created_at=START,
    )


def ended(answer: StoredMessage, text: str, *parts: StoredPart) -> StoredMessage:
    """The answer as it has ended well."""
    return replace(
        answer,
        state="complete",
        parts=(text_part(text), *parts),
        finish_reason="stop",
        first_text_ms=12,
        total_ms=345,
    )


def text_part(text: str) -> StoredPart:
    """What a message says."""
    return {"type": "text", "text": text, "channel": "answer"}


def image_part(image_id: str) -> StoredPart:
    """A picture that a message shows."""
    return {"type": "image", "image_id": image_id, "alt": "kot", "width": 1, "height": 1}


def bytes_of(folder: Path) -> bytes:
    """Everything that stands in any file below ``folder``."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
