"""What the commands share that export or delete all that belongs to a person."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from serving.assembly import new_id
from serving.auth.erasure import STRAGGLING, Erasure
from serving.clock import SystemClock
from serving.settings import load_settings
from serving.storage import StoredImages, load_keyring, open_data_dir
from serving.storage.conversations import Conversations
from serving.storage.database import open_database


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenedPerson:
    """What reads and deletes the data of persons in one data folder."""

    erasure: Erasure


@asynccontextmanager
async def open_person(config: Path | None) -> AsyncIterator[OpenedPerson]:
    """The data of persons under these settings.

    Raises:
        SettingsError: the settings cannot be used.
        StorageUnavailable: the database cannot be used.
    """
    settings = load_settings(config, calls_engines=False)
    folder = open_data_dir(settings.data_dir)
    clock = SystemClock()
    images = StoredImages(
        folder=folder / "images",
        keyring=load_keyring(settings, folder),
        settings=settings.images,
        clock=clock,
    )
    async with open_database(settings.storage, folder) as database:
        conversations = Conversations(
            database,
            clock=clock,
            new_id=new_id,
            images=images,
            limits=settings.chat,
            storage=settings.storage,
        )
        yield OpenedPerson(
            erasure=Erasure(
                database,
                conversations=conversations,
                clock=clock,
                grace=timedelta(seconds=settings.turn.turn_s) + STRAGGLING,
            )
        )
