"""What the commands share that see to personal data."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO

from anyio import CapacityLimiter

from serving.assembly import make_images, new_id
from serving.auth.accounts import Accounts
from serving.auth.erasure import STRAGGLING, Erasure
from serving.auth.keys import Keys
from serving.clock import SystemClock
from serving.gateway.personal.archive import Archive
from serving.gateway.personal.holdings import Holdings
from serving.settings import Settings, load_settings
from serving.storage import StoredImages, load_keyring, open_data_dir
from serving.storage.conversations import Conversations
from serving.storage.database import Database, open_database


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenedPerson:
    """What reads and deletes the data of persons in one data folder."""

    settings: Settings
    database: Database
    conversations: Conversations
    images: StoredImages
    erasure: Erasure
    holdings: Holdings
    accounts: Accounts
    clock: SystemClock


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
    keyring = load_keyring(settings, folder)
    images = make_images(settings, folder, keyring=keyring, clock=clock)
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
            settings=settings,
            database=database,
            conversations=conversations,
            images=images,
            erasure=Erasure(
                database,
                conversations=conversations,
                images=images,
                clock=clock,
                grace=timedelta(seconds=settings.turn.turn_s) + STRAGGLING,
            ),
            holdings=Holdings(
                database,
                conversations=conversations,
                keys=Keys(database, keyring=keyring, clock=clock),
                images=images,
                keyring=keyring,
                lane=CapacityLimiter(1),
                now=clock.now(),
            ),
            accounts=Accounts(database, clock=clock, new_id=new_id),
            clock=clock,
        )


async def write_holdings(person: OpenedPerson, name: str, target: IO[bytes]) -> None:
    """Write the archive of all that is kept of the user of this name.

    Raises:
        InvalidRequest: there is no such user.
        StorageUnavailable: the database cannot be read.
        OSError: ``target`` cannot be written.
    """
    account = await person.accounts.find(name)
    archive = Archive(made_at=person.clock.now())
    async with aclosing(person.holdings.chunks(account.account_id)) as batches:
        async for chunks in batches:
            target.write(archive.add(chunks))
    target.writelines(archive.finish())
